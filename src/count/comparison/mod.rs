//! Two indices compared: how they order the same evaluations, and all matrices and rankings of a
//! size.
//!
//! Uses `base`. In the order in which data flow:
//!
//! | file | owns |
//! |---|---|
//! | [`consistency`] | how two measures order the same evaluations |
//! | [`enumeration`] | all matrices and all rankings of a size |

pub mod consistency;
pub mod enumeration;
