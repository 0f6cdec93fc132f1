//! Similarities and distances of two sets: the actual and the predicted positives.
//!
//! The literature writes a, b, c, d for the cells. Here a = tp, b = fp, c = fn, d = tn, as in PyCM;
//! other authors often swap b and c. A coefficient with a common name elsewhere is not repeated:
//! Forbes's first is lift, the simple matching coefficient is accuracy, Dice's is f1, Hamann's is
//! pabak, Doolittle's is `phi_squared`; the lambdas are among the associations.
//!
//! In the order in which data flow:
//!
//! | file | owns |
//! |---|---|
//! | `parts` | parts of formulas that several coefficients share |
//! | `coefficients` | coefficients by author |
//! | `taxonomy` | coefficients of numerical taxonomy |
//! | `baulieu` | coefficients of Baulieu and Sorgenfrei |
//! | `kuhns` | coefficients of Kuhns |
//! | `gilbert_wells` | Gilbert and Wells's index |

pub(crate) mod baulieu;
pub(crate) mod coefficients;
mod gilbert_wells;
pub(crate) mod kuhns;
mod parts;
pub(crate) mod taxonomy;
