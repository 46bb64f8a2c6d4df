//! The helper alone, for the tests of this room.

fn main() {
    palanca_sandbox::enter();
}
