//! HTTP as providers need it.
