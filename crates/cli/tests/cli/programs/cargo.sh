export CARGO_HOME=$PWD/.cargo-home
mkdir -p src one/src
cat > Cargo.toml <<'E'
[package]
name = "a"
version = "0.1.0"
edition = "2021"
[dependencies]
one = { path = "one" }
[workspace]
E
printf '[package]\nname = "one"\nversion = "0.1.0"\nedition = "2021"\n' > one/Cargo.toml
echo 'pub fn f() -> i32 { 7 }' > one/src/lib.rs
echo 'fn main() { println!("{}", one::f()); }' > src/main.rs
cargo run -q --offline
sed -i s/7/8/ one/src/lib.rs
cargo run -q --offline
cargo test -q --offline 2>&1 | grep -c 'test result'
cargo clean -q --offline
