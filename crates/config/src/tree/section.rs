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

pub(super) use section;
