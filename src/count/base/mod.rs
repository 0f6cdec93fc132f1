//! What everything stands on: columns and matrices as they arrive, refusals, threads, instruction
//! sets, bytes.
//!
//! Uses nothing else of the crate. In the order in which data flow:
//!
//! | file | owns |
//! |---|---|
//! | [`error`] | every way an input is refused, with the numbers inside |
//! | [`memory`] | memory that grows with the input; large blocks kept for the next call; huge pages |
//! | [`mod@column`] | borrowed columns of numbers in any layout, read in cache-sized chunks |
//! | [`matrix`] | the same for rows of several numbers |
//! | [`dtype`] | the types of numbers, named once: the visitor, and what each type's numbers can do |
//! | [`input`] | label, score and weight columns as they arrive; label sets |
//! | [`cost_matrix`] | what each outcome of a decision costs |
//! | [`interrupt`] | how a long call is stopped |
//! | `switch` | limits that are small in a build for the fuzzer |
//! | [`threads`] | how many threads a kernel may use |
//! | [`split_time`] | how long one thread ran what several would have shared |
//! | `wide` | loops compiled for the widest instructions of the machine; prefetching |
//! | `slots` | codes of distinct values by their hashes |
//! | [`coded`] | codes for labels that are not plain numbers; Arrow arrays, checked |
//! | `bytes` | reading and writing the bytes of statistics |
//! | `temporary` | a temporary file without a name |
//! | `packed` | integers in few bits |

#[macro_use] // `vec!` for all that follow.
pub mod memory;

pub mod bytes;
pub mod coded;
pub mod column;
pub mod cost_matrix;
pub mod dtype;
pub mod error;
pub mod input;
pub mod interrupt;
pub mod matrix;
pub(crate) mod packed;
pub(crate) mod slots;
pub mod split_time;
pub mod switch;
pub(crate) mod temporary;
pub mod threads;
pub mod wide;
