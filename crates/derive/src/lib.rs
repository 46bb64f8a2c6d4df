//! #[tool] and #[derive(Args)].
