//! `(tp, fp, fn, tn)` as four arrays of one shape, whatever the axes are: class, threshold, group,
//! replicate.

use crate::base::error::{Refusal, Result};
use crate::labels::view::BinaryCounts;

/// Many 2×2 tables. The arrays are flat, in C order; `shape` says what they are (empty for a single
/// table).
#[derive(Clone, Debug, PartialEq)]
pub struct Counts {
    shape: Vec<usize>,
    tp: Vec<f64>,
    fp: Vec<f64>,
    fn_: Vec<f64>,
    tn: Vec<f64>,
}

impl Counts {
    /// The tables from their four arrays, all flat.
    ///
    /// # Errors
    /// [`Refusal::Argument`] if an array has not as many numbers as `shape` says, or one that is
    /// negative or not finite.
    pub fn new(
        shape: Vec<usize>,
        tp: Vec<f64>,
        fp: Vec<f64>,
        fn_: Vec<f64>,
        tn: Vec<f64>,
    ) -> Result<Self> {
        let len = shape
            .iter()
            .try_fold(1_usize, |len, &axis| len.checked_mul(axis));
        for (argument, array) in [("tp", &tp), ("fp", &fp), ("fn", &fn_), ("tn", &tn)] {
            if len != Some(array.len()) {
                let found = format!("an array of {} numbers", array.len());
                return Err(Refusal::argument(
                    argument,
                    found,
                    format!("the shape {shape:?}"),
                ));
            }
            if let Some(row) = array.iter().position(|x| !(0.0..f64::INFINITY).contains(x)) {
                let expected = "a finite number that is not negative";
                return Err(Refusal::row(argument, row, array[row], expected));
            }
        }
        Ok(Self {
            shape,
            tp,
            fp,
            fn_,
            tn,
        })
    }

    /// A list of tables, as one axis.
    pub fn of_list(tables: impl IntoIterator<Item = BinaryCounts>) -> Self {
        let mut counts = Self {
            shape: Vec::new(),
            tp: vec![],
            fp: vec![],
            fn_: vec![],
            tn: vec![],
        };
        for table in tables {
            counts.tp.push(table.tp);
            counts.fp.push(table.fp);
            counts.fn_.push(table.fn_);
            counts.tn.push(table.tn);
        }
        counts.shape.push(counts.tp.len());
        counts
    }

    /// A single table: no axes.
    pub fn of_one(table: BinaryCounts) -> Self {
        Self {
            shape: Vec::new(),
            ..Self::of_list([table])
        }
    }

    /// The lengths of the axes.
    pub fn shape(&self) -> &[usize] {
        &self.shape
    }

    /// How many tables there are.
    pub fn len(&self) -> usize {
        self.tp.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.tp.is_empty()
    }

    /// The four arrays: tp, fp, fn, tn.
    pub fn arrays(&self) -> [&[f64]; 4] {
        [&self.tp, &self.fp, &self.fn_, &self.tn]
    }

    /// One table, by its place in C order; it must be below `len`.
    pub fn get(&self, place: usize) -> BinaryCounts {
        BinaryCounts {
            tp: self.tp[place],
            fp: self.fp[place],
            fn_: self.fn_[place],
            tn: self.tn[place],
        }
    }

    /// The tables in C order.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = BinaryCounts> {
        let pairs = self
            .tp
            .iter()
            .zip(&self.fp)
            .zip(self.fn_.iter().zip(&self.tn));
        pairs.map(|((&tp, &fp), (&fn_, &tn))| BinaryCounts { tp, fp, fn_, tn })
    }

    /// All tables added up, in C order.
    pub fn sum(&self) -> BinaryCounts {
        BinaryCounts {
            tp: self.tp.iter().sum(),
            fp: self.fp.iter().sum(),
            fn_: self.fn_.iter().sum(),
            tn: self.tn.iter().sum(),
        }
    }

    /// Table by table, both added up.
    ///
    /// # Errors
    /// [`Refusal::Merge`] if the shapes differ.
    pub fn plus(&self, other: &Self) -> Result<Self> {
        if self.shape != other.shape {
            let reason = format!("the shapes are {:?} and {:?}", self.shape, other.shape);
            return Err(Refusal::Merge { reason });
        }
        let add = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(x, y)| x + y).collect();
        Ok(Self {
            shape: self.shape.clone(),
            tp: add(&self.tp, &other.tp),
            fp: add(&self.fp, &other.fp),
            fn_: add(&self.fn_, &other.fn_),
            tn: add(&self.tn, &other.tn),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_add_up() {
        let one = |x: f64| vec![x, 2.0 * x, 0.0, 1.0];
        let counts = Counts::new(vec![2, 2], one(3.0), one(1.0), one(2.0), one(4.0)).unwrap();
        assert_eq!(counts.sum().tp, 10.0);
        assert_eq!(counts.plus(&counts).unwrap().get(1).tn, 16.0);
    }

    #[test]
    fn shapes_and_amounts_are_checked() {
        let two = || vec![1.0, 2.0];
        assert!(Counts::new(vec![3], two(), two(), two(), two()).is_err());
        let refusal = Counts::new(vec![2], two(), two(), vec![1.0, -1.0], two()).unwrap_err();
        assert!(refusal.to_string().starts_with("fn[1] is -1"));
        let one = Counts::of_one(BinaryCounts::default());
        assert_eq!((one.len(), one.shape()), (1, &[][..]));
        assert!(one.plus(&Counts::of_list([])).is_err());
    }
}
