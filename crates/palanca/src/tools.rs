//! The built-in tools, in English where no catalogue is set.

use crate::english::english;
use palanca_core::{Registry, RegistryError};
pub use palanca_tools::*;

/// See [`palanca_tools::registry`].
///
/// # Errors
/// As there.
pub fn registry(toolset: ToolsetName, options: &ToolOptions) -> Result<Registry, RegistryError> {
    palanca_tools::registry(toolset, options).inspect(|registry| registry.speaks(english))
}

/// See [`palanca_tools::register_all`].
///
/// # Errors
/// As there.
pub fn register_all(registry: &Registry, toolset: ToolsetName, options: &ToolOptions) -> Result<(), RegistryError> {
    registry.speaks(english);
    palanca_tools::register_all(registry, toolset, options)
}

/// The tools of the contracts document bound to a product.
pub mod products {
    use crate::english::english;
    use palanca_core::gate::GateBuilder;
    use palanca_core::{Origin, RegistryError, Scope};
    use palanca_tools::ToolOptions;
    pub use palanca_tools::products::*;
    use std::ops::{Deref, DerefMut};

    /// See [`palanca_tools::products::Products`].
    #[derive(Debug)]
    pub struct Products(palanca_tools::products::Products);

    impl Products {
        /// No product yet. Calls come from `origin`, within `scope`; `finish` finishes each product's gate.
        ///
        /// # Errors
        /// None in practice: the names in the list of tools are different and valid.
        pub fn new(
            options: ToolOptions,
            (origin, scope): (Origin, Scope),
            finish: impl Fn(GateBuilder) -> GateBuilder + Send + Sync + 'static,
        ) -> Result<Self, RegistryError> {
            let finish = move |gate: GateBuilder| finish(gate.catalogue(english()));
            palanca_tools::products::Products::new(options, (origin, scope), finish).map(Self)
        }
    }

    impl Deref for Products {
        type Target = palanca_tools::products::Products;

        fn deref(&self) -> &Self::Target {
            &self.0
        }
    }

    impl DerefMut for Products {
        fn deref_mut(&mut self) -> &mut Self::Target {
            &mut self.0
        }
    }
}
