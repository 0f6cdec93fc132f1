//! Two indices against each other: how they order the same evaluations, and all matrices and
//! rankings of a size.
//!
//! Uses `base`.

pub mod consistency;
pub mod enumeration;
