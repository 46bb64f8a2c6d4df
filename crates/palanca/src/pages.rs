//! The pages whose code blocks are compiled and run.

#[doc = include_str!("../../../README.md")]
struct Readme;

#[doc = include_str!("../../../docs/coming-from-picoclaw.md")]
struct ComingFromPicoclaw;

#[doc = include_str!("../../../docs/contracts.md")]
struct Contracts;
