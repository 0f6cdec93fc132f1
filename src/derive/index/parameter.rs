//! What can be chosen about an index: numbers by name, and a matrix of costs.

use std::fmt;

use crate::base::cost_matrix::{CostMatrix, EXPECTED_COSTS};
use crate::base::error::{Refusal, Result, shown};

/// A parameter that a row declares.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Parameter {
    /// Its name.
    pub name: &'static str,
    /// Its default; `None` where it follows from the statistic, as `about` says.
    pub default: Option<f64>,
    /// What it may be.
    pub domain: Domain,
    /// What it does.
    pub about: &'static str,
    /// Whether it has a meaning for two classes only.
    pub two_classes: bool,
}

/// What a parameter may be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Domain {
    /// Any finite number.
    Finite,
    /// A finite number that is not negative.
    NotNegative,
    /// A finite number above zero.
    Positive,
    /// A finite number above one.
    AboveOne,
    /// A number from 0 to 1.
    Share,
    /// A number between 0 and 1, neither of them.
    OpenShare,
    /// A whole number from 1 to 65536.
    Bins,
    /// A whole number from 1.
    Whole,
    /// One of these words, as its place.
    Word(&'static [&'static str]),
    /// True or false, as 1 or 0.
    Flag,
    /// A K×K matrix of finite costs, rows actual, columns predicted.
    Costs,
    /// A K×K matrix of how many nodes of a tree the paths of two classes share.
    Taxonomy,
}

impl Domain {
    /// Whether a number is in it.
    pub(crate) fn holds(self, number: f64) -> bool {
        number.is_finite()
            && match self {
                Self::Finite => true,
                Self::NotNegative => number >= 0.0,
                Self::Positive => number > 0.0,
                Self::AboveOne => number > 1.0,
                Self::Share => (0.0..=1.0).contains(&number),
                Self::OpenShare => number > 0.0 && number < 1.0,
                Self::Bins => (1.0..=65536.0).contains(&number) && number.fract() == 0.0,
                Self::Whole => number >= 1.0 && number.fract() == 0.0,
                Self::Word(words) => {
                    number.fract() == 0.0 && (0.0..words.len() as f64).contains(&number)
                }
                Self::Flag => number == 0.0 || number == 1.0,
                Self::Costs | Self::Taxonomy => false,
            }
    }
}

impl Domain {
    /// Whether it is a matrix, with a number for each two classes.
    pub(crate) fn is_matrix(self) -> bool {
        matches!(self, Self::Costs | Self::Taxonomy)
    }

    /// The intersection of two domains, if it is one of them.
    pub(crate) fn and(self, other: Self) -> Option<Self> {
        let above_zero = |domain: Self| {
            matches!(
                domain,
                Self::Positive
                    | Self::AboveOne
                    | Self::Share
                    | Self::OpenShare
                    | Self::Bins
                    | Self::Whole
            )
        };
        match (self, other) {
            (one, Self::Finite) | (Self::Finite, one) => Some(one),
            (one, Self::NotNegative) | (Self::NotNegative, one) if above_zero(one) => Some(one),
            _ => (self == other).then_some(self),
        }
    }
}

impl fmt::Display for Domain {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Word(words) => {
                let words: Vec<String> = words.iter().map(|word| format!("{word:?}")).collect();
                return f.write_str(&words.join(" or "));
            }
            Self::Whole => "a whole number from 1",
            Self::Finite => "a finite number",
            Self::NotNegative => "a finite number that is not negative",
            Self::Positive => "a finite number greater than 0",
            Self::AboveOne => "a finite number greater than 1",
            Self::Share => "a number from 0 to 1",
            Self::OpenShare => "a number between 0 and 1, neither of them",
            Self::Bins => "a whole number from 1 to 65536",
            Self::Flag => "True or False",
            Self::Costs => EXPECTED_COSTS,
            Self::Taxonomy => "a mapping from each label to its path in a tree",
        })
    }
}

/// The parameters of one row, checked, in the order in which the row declares them.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct Parameters {
    numbers: [f64; Parameters::MOST],
    /// A parameter was given that has a meaning for two classes only.
    two_classes: Option<&'static str>,
    matrix: Option<CostMatrix>,
}

impl Parameters {
    /// The most parameters that a row may declare.
    pub const MOST: usize = 5;

    /// Whether nothing was chosen of declared parameters.
    pub(crate) fn are_defaults_of(&self, declared: &[Parameter]) -> bool {
        let defaults = Self::defaults_of(declared);
        let same = |(a, b): (&f64, &f64)| a.to_bits() == b.to_bits();
        self.matrix.is_none() && self.numbers.iter().zip(&defaults.numbers).all(same)
    }

    /// The defaults of declared parameters.
    pub(crate) fn defaults_of(declared: &[Parameter]) -> Self {
        let mut numbers = [f64::NAN; Self::MOST];
        for (number, parameter) in numbers.iter_mut().zip(declared) {
            *number = parameter.default.unwrap_or(f64::NAN);
        }
        Self { numbers, two_classes: None, matrix: None }
    }

    /// The defaults of the parameters that the index `owner` declares, with the numbers given by
    /// name and the matrix of costs in their places.
    ///
    /// # Errors
    /// [`Refusal::Index`] for a name that is not declared; [`Refusal::Argument`] for a number
    /// outside the parameter's domain, and for unit costs beside a matrix of costs.
    pub(crate) fn checked(
        owner: &str,
        declared: &[Parameter],
        given: &[(&str, f64)],
        matrix: Option<CostMatrix>,
    ) -> Result<Self> {
        let mut parameters = Self::defaults_of(declared);
        let takes_costs = declared.iter().any(|p| p.domain.is_matrix());
        if matrix.is_some() && !takes_costs {
            return Err(unknown(owner, declared, "matrix"));
        }
        for &(name, number) in given {
            let place = declared.iter().position(|known| known.name == name);
            let place = place.ok_or_else(|| unknown(owner, declared, name))?;
            let parameter = &declared[place];
            if !parameter.domain.holds(number) {
                return Err(Refusal::argument(
                    parameter.name,
                    number,
                    parameter.domain.to_string(),
                ));
            }
            if matrix.is_some() {
                let expected = "either unit costs or a matrix, not both";
                return Err(Refusal::argument(parameter.name, number, expected));
            }
            parameters.numbers[place] = number;
            if parameter.two_classes {
                parameters.two_classes = Some(parameter.name);
            }
        }
        parameters.matrix = matrix;
        Ok(parameters)
    }

    /// The number at `place` in the row's list; NaN where the default follows from the statistic.
    #[inline]
    pub(crate) fn number(&self, place: usize) -> f64 {
        self.numbers[place]
    }

    /// The matrix of costs, if one was given.
    #[inline]
    pub fn matrix(&self) -> Option<&CostMatrix> {
        self.matrix.as_ref()
    }

    /// Refuses parameters that make no sense for so many classes.
    pub(crate) fn check_classes(&self, classes: usize) -> Result<()> {
        if let Some(matrix) = &self.matrix
            && matrix.classes() != classes
        {
            let found = format!("{0} by {0}", matrix.classes());
            let expected = format!("{classes} by {classes}, as many as there are classes");
            return Err(Refusal::argument("matrix", found, expected));
        }
        if let Some(name) = self.two_classes
            && classes != 2
        {
            let expected = "a matrix of costs, since there are not two classes";
            return Err(Refusal::argument(name, format!("given for {classes} classes"), expected));
        }
        Ok(())
    }
}

fn unknown(owner: &str, declared: &[Parameter], name: &str) -> Refusal {
    let known: Vec<&str> = declared.iter().map(|parameter| parameter.name).collect();
    let known = if known.is_empty() { "none".to_owned() } else { known.join(", ") };
    let elsewhere = match name {
        "cluster" => {
            "; evaluate(..., inference=True, cluster=) takes clusters, and so does rocksteady.inference.bootstrap"
        }
        _ => "",
    };
    Refusal::Index {
        name: owner.to_owned(),
        problem: format!("has no parameter {}; its parameters: {known}{elsewhere}", shown(name)),
    }
}
