use palanca::Args;

struct Opaque;

#[derive(Args)]
struct Arguments {
    /// A type that JSON Schema does not know.
    value: Opaque,
}

fn main() {}
