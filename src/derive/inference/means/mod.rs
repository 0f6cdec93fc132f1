//! Intervals and tests of means over rows, queries or groups.
//!
//! In the order in which data flow:
//!
//! | file | owns |
//! |---|---|
//! | [`mean`] | a mean and its interval |
//! | `costs` | what rows cost at a threshold |
//! | [`paired`] | runs on the same queries |

mod costs;
pub mod mean;
pub mod paired;
