//! Rows in the order of their scores: few rows, and the rows of a bucket.
//!
//! | file | owns |
//! |---|---|
//! | `windows` | keys in tiny cells, and how many of them are below another |
//! | `few` | few rows in order |
//! | `cells` | words of a bucket in order |
//! | `weighted` | weighted rows of a bucket in order |

pub(crate) mod cells;
pub(crate) mod few;
pub(crate) mod weighted;
pub(crate) mod windows;
