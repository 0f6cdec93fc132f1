//! A row over ranked lists: its value for each query, and their mean.
//!
//! The mean is that over the queries that have a value, by the weights of the queries. The products
//! of value and weight are added exactly and divided once, so neither the order of the queries nor
//! the number of threads changes a bit.

use crate::arith::exact::{Fixed, Wide};
use crate::arith::fast_sum::{BLOCK, add_block};
use crate::base::error::{Refusal, Result};
use crate::base::interrupt;
use crate::base::memory::{Gather, Room, with_room};
use crate::base::threads::over_items;
use crate::index::form::QueryForm;
use crate::index::parameter::Parameters;
use crate::index::registry::find;
use crate::index::row::Index;
use crate::index::value::{Outcome, Undefined, Value};
use crate::queries::lists::RankedLists;

/// The mean of an index over queries, and what it was made of.
#[derive(Clone, Debug, PartialEq)]
pub struct QueryMean {
    /// The mean; undefined if no query counts.
    pub value: Value,
    /// How many queries count.
    pub counted: usize,
    /// The reasons why queries have no value of their own, each with how many.
    pub excluded: Vec<(Undefined, usize)>,
}

/// Exact sums over queries.
#[derive(Clone, Default)]
struct Sums {
    counted: usize,
    weights: Wide,
    products: Wide,
    excluded: Vec<(Undefined, usize)>,
}

impl Sums {
    fn exclude(&mut self, why: Undefined, count: usize) {
        match self.excluded.iter_mut().find(|known| known.0 == why) {
            Some(known) => known.1 += count,
            None => self.excluded.push((why, count)),
        }
    }

    fn add(&mut self, weights: &mut [f64], values: &mut [f64]) {
        for (value, weight) in values.iter_mut().zip(weights.iter()) {
            *value *= weight;
        }
        add_block(&mut self.weights, weights);
        add_block(&mut self.products, values);
    }
}

/// The row that a name means where queries are read: "precision" is `precision_at_k`, which is also
/// called `retrieval_precision`.
///
/// # Errors
/// [`Refusal::Index`] for a name that no row has, and for a row that is not about queries.
pub fn find_for_queries(name: &str) -> Result<(&'static Index, QueryForm)> {
    let found = find(name);
    if let Ok(row) = found
        && let Some(form) = row.queries()
    {
        return Ok((row, form));
    }
    if let Ok(row) = find(&format!("retrieval_{name}"))
        && let Some(form) = row.queries()
    {
        return Ok((row, form));
    }
    Err(Refusal::Index {
        name: found?.name.to_owned(),
        problem:
            "is not an index of ranked lists; rocksteady.indices(form=\"queries\") lists those"
                .to_owned(),
    })
}

/// Calls `put` with the value of each query of a range.
fn each(
    form: QueryForm,
    lists: &RankedLists,
    queries: std::ops::Range<usize>,
    parameters: &Parameters,
    mut put: impl FnMut(usize, Outcome),
) {
    for query in queries {
        if query % 64 == 0 {
            interrupt::check();
        }
        let list = lists.list(query);
        let outcome =
            if list.is_empty() { Err(Undefined::NoRows) } else { form(&list, parameters) };
        put(query, outcome);
    }
}

/// The value of each query; `empty`, if it is a number, where there is none.
///
/// # Errors
/// Those of the pool of threads.
pub fn values_of_queries(
    form: QueryForm,
    lists: &RankedLists,
    parameters: &Parameters,
    empty: f64,
) -> Result<Vec<Value>> {
    let before = |query: usize| lists.rows_before(query) + query;
    let parts = over_items(lists.len(), &before, (), |part, ()| {
        let mut values = with_room(part.len());
        each(form, lists, part, parameters, |_, outcome| {
            values.grow(match outcome {
                Ok(number) => Value { number, why: None },
                Err(why) => Value { number: empty, why: Some(why) },
            });
        });
        Ok(values)
    })?;
    Ok(parts.into_iter().flatten().gather())
}

/// The mean over the queries that have a value, or if `empty` is a number over all queries, with
/// that number where there is none.
///
/// # Errors
/// Those of the pool of threads.
pub fn mean_of_queries(
    form: QueryForm,
    lists: &RankedLists,
    parameters: &Parameters,
    empty: f64,
) -> Result<QueryMean> {
    let before = |query: usize| lists.rows_before(query) + query;
    let parts = over_items(lists.len(), &before, (), |part, ()| {
        let mut sums = Sums::default();
        let (mut weights, mut values) = (with_room(BLOCK), with_room(BLOCK));
        each(form, lists, part, parameters, |query, outcome| {
            let value = outcome.unwrap_or_else(|why| {
                sums.exclude(why, 1);
                empty
            });
            if value.is_nan() {
                return;
            }
            sums.counted += 1;
            weights.grow(lists.weight(query));
            values.grow(value);
            if values.len() == BLOCK {
                sums.add(&mut weights, &mut values);
                weights.clear();
                values.clear();
            }
        });
        sums.add(&mut weights, &mut values);
        Ok(sums)
    })?;
    let mut all = Sums::default();
    for part in parts {
        all.counted += part.counted;
        all.weights = all.weights.plus(part.weights);
        all.products = all.products.plus(part.products);
        for (why, count) in part.excluded {
            all.exclude(why, count);
        }
    }
    let weight = all.weights.to_f64(Wide::LOWEST);
    let value = if weight > 0.0 {
        let number = all.products.to_f64(Wide::LOWEST) / weight;
        Value { number, why: None }
    } else {
        let why = match all.excluded.as_slice() {
            _ if lists.is_empty() => Undefined::NoRows,
            [(only, _)] if all.counted == 0 => *only,
            _ => Undefined::NoQueryDefined,
        };
        Value { number: f64::NAN, why: Some(why) }
    };
    Ok(QueryMean { value, counted: all.counted, excluded: all.excluded })
}
