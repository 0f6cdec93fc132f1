//! The half that all classes of statistics share, said once by `statistic!`: addition, subtraction,
//! bytes, and what a statistic is of.

use pyo3::PyClass;

use crate::base::error::Result;

use crate::py::{argument, memory};

/// What the methods of `statistic!` name.
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

    /// The state, with what is derived from the statistic once.
    fn of(statistic: Self::Of) -> Self;

    fn object(self, py: Python<'_>) -> PyResult<Py<Self>>;
}

/// The object of a statistic that `make` makes, which takes as long as counting so many rows.
pub(crate) fn made<S: State>(
    py: Python<'_>,
    rows: usize,
    make: impl Send + FnOnce() -> Result<S::Of>,
) -> PyResult<Py<S>> {
    gate::run(py, rows, || Ok(S::of(make()?)))?.object(py)
}

/// The object of what two others give, which takes as long as adding them.
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

/// Makes a class that of a statistic: how the statistic becomes a state, and where the state has it.
/// Its methods are `merged`, `to_bytes`, `from_bytes`, the byte `KIND`, `NAME`, and those of the words, which
/// are read at the last place.
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
            /// The statistic of the rows here that are not those of the other.
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
