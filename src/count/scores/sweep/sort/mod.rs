//! Sorts rows by score: few rows, and the rows of a bucket. In the order in which data flow:
//!
//! | file | owns |
//! |---|---|
//! | `windows` | keys in tiny cells, and the number of them below another key |
//! | `few` | the sort of few rows |
//! | `cells` | the sort of a bucket's words: 32 bits for f32 scores, 64 for f64 |
//! | `weighted` | the sort of a bucket's weighted rows |

pub(crate) mod cells;
pub(crate) mod few;
pub(crate) mod weighted;
pub(crate) mod windows;
