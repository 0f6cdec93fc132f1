//! The rows of the registry by family; a large family has several files, or a folder.
//!
//! Uses the statistics and the types of [`crate::index`].
//!
//! In the order in which data flow:
//!
//! | file | owns |
//! |---|---|
//! | `shares` | the rates of a 2×2 table that several families share |
//! | `matrix_sums` | sums over a matrix that several families share |
//! | `amounts` | cells and margins |
//! | `rates` | shares of rows |
//! | `overlap` | overlap of actual and predicted positives |
//! | `pairs_of_rates` | pairs of rates as one number |
//! | `diagnosis` | likelihood ratios and other combinations of both error rates |
//! | `agreement` | agreement beyond chance |
//! | `association` | dependence between actual and predicted class |
//! | `correlation` | correlation of classes and of their ranks |
//! | `entropy` | entropies and information |
//! | `confusion_entropy` | confusion entropy |
//! | `overall` | one value for all classes |
//! | `cost` | the cost of errors |
//! | `inference` | standard errors and p-values |
//! | `similarity` | similarities of two sets |
//! | `scores` | indices of scores |
//! | `retrieval` | indices of rankings by query |

pub(crate) mod agreement;
pub(crate) mod amounts;
pub(crate) mod association;
pub(crate) mod confusion_entropy;
pub(crate) mod correlation;
pub(crate) mod cost;
pub(crate) mod diagnosis;
pub(crate) mod entropy;
pub(crate) mod inference;
pub(crate) mod matrix_sums;
pub(crate) mod overall;
pub(crate) mod overlap;
pub(crate) mod pairs_of_rates;
pub(crate) mod rates;
pub(crate) mod retrieval;
pub(crate) mod scores;
pub(crate) mod shares;
pub(crate) mod similarity;
