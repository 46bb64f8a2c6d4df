//! A tool whose result is an image: one pixel of a colour. `cargo run -p palanca --example image_tool`
#![allow(clippy::print_stdout, clippy::disallowed_methods, missing_docs)]

use palanca::call::Part;
use palanca::{Gate, Output, Registry, RegistryError, ToolError, tool};
use serde_json::json;

/// Shows a colour.
#[tool(pure)]
async fn swatch(
    /// Red, 0 to 255.
    red: u8,
    /// Green, 0 to 255.
    green: u8,
    /// Blue, 0 to 255.
    blue: u8,
) -> Result<Output, ToolError> {
    // A GIF of one pixel: the header, a table of two colours, the pixel, the end.
    let mut gif = b"GIF89a\x01\x00\x01\x00\x80\x00\x00".to_vec();
    gif.extend([red, green, blue, 0, 0, 0]);
    gif.extend(b"\x2c\x00\x00\x00\x00\x01\x00\x01\x00\x00\x02\x02\x44\x01\x00\x3b");
    // The text is for models that do not see images.
    let text = format!("The colour #{red:02x}{green:02x}{blue:02x}.");
    Ok(Output::text(text).with_part(Part::image("image/gif", gif)?))
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), RegistryError> {
    let registry = Registry::new();
    registry.register(Swatch)?;
    let gate = Gate::builder(registry.into()).build();
    let result = gate.execute("swatch", json!({"red": 200, "green": 30, "blue": 90})).await;
    println!("{}", result.output);
    for image in result.parts.iter().filter_map(Part::to_see) {
        println!("{}, {} bytes: data:{0};base64,{}", image.media_type(), image.bytes().len(), image.base64());
    }
    Ok(())
}
