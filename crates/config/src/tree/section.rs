//! One macro, so that the documentation, the type and the default of a key are on the same three lines.

/// Declares a section of the configuration: every key is optional, other keys are unknown.
macro_rules! section {
    ($(#[$meta:meta])* $name:ident { $($(#[$key_meta:meta])* $key:ident: $type:ty = $default:expr,)* }) => {
        #[derive(Debug, Clone, PartialEq, serde::Serialize, serde::Deserialize, schemars::JsonSchema)]
        #[serde(default, deny_unknown_fields)]
        $(#[$meta])*
        pub struct $name {
            $($(#[$key_meta])* pub $key: $type,)*
        }

        impl Default for $name {
            fn default() -> Self {
                Self { $($key: $default,)* }
            }
        }
    };
}

/// Declares the tree itself: as [`section`], with the shape of each key apart, made when it is first needed. A key that
/// files write otherwise has that name behind `as`; what is no key stands behind `beside`.
macro_rules! tree {
    ($(#[$meta:meta])* $name:ident {
        $($(#[$key_meta:meta])* $key:ident $(as $written:literal)?: $type:ty = $default:expr,)*
    } beside {
        $($(#[$other_meta:meta])* $other:ident: $other_type:ty = $other_default:expr,)*
    }) => {
        section! {
            $(#[$meta])*
            $name {
                $($(#[$key_meta])* $(#[serde(rename = $written)])? $key: $type = $default,)*
                $($(#[$other_meta])* #[serde(skip)] $other: $other_type = $other_default,)*
            }
        }

        /// The keys at the top, each with the JSON Schema of its type, in which nothing is referred to.
        pub(crate) static KEYS: [(&str, std::sync::LazyLock<serde_json::Value>); [$(stringify!($key)),*].len()] =
            [$((written!($key $($written)?), std::sync::LazyLock::new(schema_of::<$type>)),)*];
    };
}

macro_rules! written {
    ($key:ident) => {
        stringify!($key)
    };
    ($key:ident $written:literal) => {
        $written
    };
}

pub(super) fn schema_of<T: schemars::JsonSchema>() -> serde_json::Value {
    let mut settings = schemars::generate::SchemaSettings::draft2020_12();
    settings.inline_subschemas = true;
    settings.into_generator().into_root_schema_for::<T>().to_value()
}

pub(super) use {section, tree, written};
