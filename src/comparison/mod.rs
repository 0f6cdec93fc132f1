//! Indices against each other: how two of them judge the same evaluations, and everything that can happen.
//!
//! Uses `base`.

pub mod consistency;
pub mod enumeration;
