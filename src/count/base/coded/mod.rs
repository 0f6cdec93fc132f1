//! Labels that are not plain numbers, as codes.
//!
//! | file | owns |
//! |---|---|
//! | [`coder`] | codes of integers and texts by their hashes; fixed-width strings |
//! | [`arrow`] | arrays of Arrow's C interface, from anybody's code, checked |

pub mod arrow;
pub mod coder;
