//! The methods that all classes of statistics share, written once by `statistic!`: addition,
//! subtraction, bytes, labels and sizes.

use pyo3::PyClass;

use crate::base::error::Result;

use crate::py::{argument, memory};

/// The names in the methods of `statistic!`.
pub(crate) use {
    crate::py::border::scalar::{SomeLabel, label_set_to_python, pair_to_python},
    crate::py::{error::PyResult, gate},
    crate::statistic::Statistic,
    pyo3::{prelude::*, types::PyBytes},
};

/// A class of Python that holds a statistic.
pub(crate) trait State: PyClass + Send + Sync + Sized {
    type Of: Statistic;

    fn statistic(&self) -> &Self::Of;

    /// The state of a statistic, with a cache if it has one.
    fn of(statistic: Self::Of) -> Self;

    fn object(self, py: Python<'_>) -> PyResult<Py<Self>>;
}

/// Makes a statistic and its object. `make` takes about as long as counting this many rows.
pub(crate) fn made<S: State>(
    py: Python<'_>,
    rows: usize,
    make: impl Send + FnOnce() -> Result<S::Of>,
) -> PyResult<Py<S>> {
    gate::run(py, rows, || Ok(S::of(make()?)))?.object(py)
}

/// Makes an object from two others. `make` takes about as long as adding them.
pub(crate) fn of_both<S: State>(
    py: Python<'_>,
    [own, other]: [&S; 2],
    make: impl Send + FnOnce(&S::Of, &S::Of) -> Result<S::Of>,
) -> PyResult<Py<S>> {
    let (own, other) = (own.statistic(), other.statistic());
    made(py, own.size().saturating_add(other.size()), || make(own, other))
}

pub(crate) fn to_bytes<'py>(py: Python<'py>, own: &impl State) -> PyResult<Bound<'py, PyBytes>> {
    let statistic = own.statistic();
    memory::bytes(py, statistic.size(), || statistic.to_bytes())
}

pub(crate) fn from_bytes<S: State>(data: &Bound<'_, PyAny>) -> PyResult<Py<S>> {
    let bytes = argument::bytes(data)?;
    made(data.py(), bytes.len(), || S::Of::from_bytes(bytes))
}

/// `statistic!(State: Statistic, made => state, own => held; read => words)` makes `State` the
/// class of a statistic. `state` is the state of the statistic `made`, `held` the statistic of the
/// state `own`. The class gets `merged`, `to_bytes`, `from_bytes`, `KIND` and `NAME`, and for each
/// word the methods below, which ask `read`. A class with its own [`State`] leaves out `made` and
/// `held`.
///
/// | word | methods |
/// |---|---|
/// | `subtracted` | `subtracted` |
/// | `rows`, `weight_kind`, `totals`, `len` | properties, and the length |
/// | `pair` | `labels`: the negative and the positive label |
/// | `set` | `labels`: an array |
macro_rules! statistic {
    (
        $state:ident: $of:ty, $statistic:ident => $new:expr, $own:ident => $held:expr;
        $read:expr => $($word:ident)*
    ) => {
        impl crate::py::statistic::State for $state {
            type Of = $of;

            fn statistic(&self) -> &$of {
                let $own = self;
                $held
            }

            fn of($statistic: $of) -> Self {
                $new
            }

            fn object(self, py: Python<'_>) -> PyResult<Py<Self>> {
                Ok(Py::new(py, self)?)
            }
        }

        statistic!($state: $of, $own => $read; $($word)*);
    };
    ($state:ident: $of:ty, $own:ident => $read:expr; $($word:ident)*) => {
        const _: () = {
            use crate::py::statistic::*;

            #[pymethods]
            impl $state {
                /// The byte that stands for the statistic in its bytes.
                #[classattr]
                const KIND: u8 = <$of as Statistic>::KIND;

                /// The name of the class of Python.
                #[classattr]
                const NAME: &'static str = <$of as Statistic>::NAME;

                /// The statistic of the rows of both.
                fn merged(&self, py: Python<'_>, other: &Self) -> PyResult<Py<Self>> {
                    of_both(py, [self, other], <$of as Statistic>::add)
                }

                fn to_bytes<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
                    to_bytes(py, self)
                }

                #[staticmethod]
                fn from_bytes(data: &Bound<'_, PyAny>) -> PyResult<Py<Self>> {
                    from_bytes(data)
                }
            }

            $(statistic!(@$word $state: $of, $own => $read);)*
        };
    };
    (@subtracted $state:ident: $of:ty, $own:ident => $read:expr) => {
        #[pymethods]
        impl $state {
            /// The statistic without the rows of the other.
            fn subtracted(&self, py: Python<'_>, other: &Self) -> PyResult<Py<Self>> {
                of_both(py, [self, other], <$of>::subtract)
            }
        }
    };
    (@rows $state:ident: $of:ty, $own:ident => $read:expr) => {
        #[pymethods]
        impl $state {
            /// The number of rows counted.
            #[getter]
            fn rows(&self) -> u64 {
                let $own = self;
                $read.rows()
            }
        }
    };
    (@weight_kind $state:ident: $of:ty, $own:ident => $read:expr) => {
        #[pymethods]
        impl $state {
            /// What the weights mean.
            #[getter]
            fn weight_kind(&self) -> &'static str {
                let $own = self;
                $read.weight_kind().name()
            }
        }
    };
    (@totals $state:ident: $of:ty, $own:ident => $read:expr) => {
        #[pymethods]
        impl $state {
            /// The number, or weight, of positives and of negatives.
            #[getter]
            fn totals(&self) -> (f64, f64) {
                let $own = self;
                $read.totals()
            }
        }
    };
    (@pair $state:ident: $of:ty, $own:ident => $read:expr) => {
        #[pymethods]
        impl $state {
            /// The negative and the positive label; None for one that no row has and that was not
            /// named.
            fn labels<'py>(
                &self,
                py: Python<'py>,
            ) -> PyResult<(SomeLabel<'py>, SomeLabel<'py>)> {
                let $own = self;
                let labels = $read.labels();
                pair_to_python(py, &labels.pair, labels.kind)
            }
        }
    };
    (@set $state:ident: $of:ty, $own:ident => $read:expr) => {
        #[pymethods]
        impl $state {
            /// The labels, in order, as an array.
            fn labels<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
                let $own = self;
                gate::keep(py, || label_set_to_python(py, $read.labels()))
            }
        }
    };
    (@len $state:ident: $of:ty, $own:ident => $read:expr) => {
        #[pymethods]
        impl $state {
            fn __len__(&self) -> usize {
                let $own = self;
                $read.len()
            }
        }
    };
}

pub(crate) use statistic;
