//! Words for values: the published scales by which an index is read.
//!
//! Scales are conventions, and some disagree; a row lists those in use for it. A band includes its
//! lower edge and ends below the next one. A value below the first edge has no word, such as an
//! association of exactly zero on some scales.

/// A scale.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Scale {
    /// Its name.
    pub name: &'static str,
    /// The lower edge of each band and its word, ascending.
    pub bands: &'static [(f64, &'static str)],
    /// Author, year and DOI.
    pub source: &'static str,
}

/// The least number above zero.
const ABOVE_ZERO: f64 = f64::from_bits(1);
const ANY: f64 = f64::NEG_INFINITY;

impl Scale {
    /// The word for a value; none for NaN and below the first band.
    pub fn word(&self, value: f64) -> Option<&'static str> {
        let band = self.bands.iter().rev().find(|band| value >= band.0);
        band.map(|band| band.1)
    }
}

/// Kappa by Landis and Koch, Fleiss, Altman, Cicchetti.
pub(crate) static KAPPA: &[Scale] = &[
    Scale {
        name: "landis_koch",
        bands: &[
            (ANY, "Poor"),
            (0.0, "Slight"),
            (0.2, "Fair"),
            (0.4, "Moderate"),
            (0.6, "Substantial"),
            (0.8, "Almost Perfect"),
        ],
        source: "Landis, Koch 1977, doi:10.2307/2529310",
    },
    Scale {
        name: "fleiss",
        bands: &[(ANY, "Poor"), (0.4, "Intermediate to Good"), (0.75, "Excellent")],
        source: "Fleiss 1981, Statistical methods for rates and proportions",
    },
    Scale {
        name: "altman",
        bands: &[
            (ANY, "Poor"),
            (0.2, "Fair"),
            (0.4, "Moderate"),
            (0.6, "Good"),
            (0.8, "Very Good"),
        ],
        source: "Altman 1991, Practical statistics for medical research",
    },
    Scale {
        name: "cicchetti",
        bands: &[(ANY, "Poor"), (0.4, "Fair"), (0.59, "Good"), (0.74, "Excellent")],
        source: "Cicchetti 1994, doi:10.1037/1040-3590.6.4.284",
    },
];

/// The positive likelihood ratio.
pub(crate) static POSITIVE_LIKELIHOOD_RATIO: &[Scale] = &[Scale {
    name: "likelihood_ratio",
    bands: &[(ANY, "Negligible"), (1.0, "Poor"), (5.0, "Fair"), (10.0, "Good")],
    source: "Jaeschke, Guyatt, Sackett 1994, doi:10.1001/jama.1994.03510330081039; words of PyCM 4.6 (2025)",
}];

/// The negative likelihood ratio.
pub(crate) static NEGATIVE_LIKELIHOOD_RATIO: &[Scale] = &[Scale {
    name: "likelihood_ratio",
    bands: &[(ANY, "Good"), (0.1, "Fair"), (0.2, "Poor"), (0.5, "Negligible")],
    source: "Jaeschke, Guyatt, Sackett 1994, doi:10.1001/jama.1994.03510330081039; words of PyCM 4.6 (2025)",
}];

/// Discriminant power.
pub(crate) static DISCRIMINANT_POWER: &[Scale] = &[Scale {
    name: "discriminant_power",
    bands: &[(ANY, "Poor"), (1.0, "Limited"), (2.0, "Fair"), (3.0, "Good")],
    source: "Sokolova, Japkowicz, Szpakowicz 2006, doi:10.1007/11941439_114",
}];

/// An area under the ROC curve, also that of one point.
pub(crate) static AREA: &[Scale] = &[Scale {
    name: "area",
    bands: &[(ANY, "Poor"), (0.6, "Fair"), (0.7, "Good"), (0.8, "Very Good"), (0.9, "Excellent")],
    source: "Words of PyCM 4.6 (2025)",
}];

/// Matthews correlation coefficient.
pub(crate) static CORRELATION: &[Scale] = &[Scale {
    name: "correlation",
    bands: &[
        (ANY, "Negligible"),
        (0.3, "Weak"),
        (0.5, "Moderate"),
        (0.7, "Strong"),
        (0.9, "Very Strong"),
    ],
    source: "Hinkle, Wiersma, Jurs 2003, Applied statistics for the behavioral sciences; words of PyCM 4.6",
}];

/// Yule's Q.
pub(crate) static YULE_Q: &[Scale] = &[Scale {
    name: "yule_q",
    bands: &[(ANY, "Negligible"), (0.25, "Weak"), (0.5, "Moderate"), (0.75, "Strong")],
    source: "Words of PyCM 4.6 (2025)",
}];

/// Cramér's V.
pub(crate) static CRAMER_V: &[Scale] = &[Scale {
    name: "cramer_v",
    bands: &[
        (ANY, "Negligible"),
        (0.1, "Weak"),
        (0.2, "Moderate"),
        (0.4, "Relatively Strong"),
        (0.6, "Strong"),
        (0.8, "Very Strong"),
    ],
    source: "Rea, Parker 1992, Designing and conducting survey research",
}];

/// Goodman and Kruskal's lambda.
pub(crate) static LAMBDA: &[Scale] = &[Scale {
    name: "lambda",
    bands: &[
        (ABOVE_ZERO, "Very Weak"),
        (0.2, "Weak"),
        (0.4, "Moderate"),
        (0.6, "Strong"),
        (0.8, "Very Strong"),
        (1.0, "Perfect"),
    ],
    source: "Words of PyCM 4.6 (2025)",
}];

/// Krippendorff's alpha.
pub(crate) static ALPHA: &[Scale] = &[Scale {
    name: "krippendorff",
    bands: &[(ANY, "Low"), (0.667, "Tentative"), (0.8, "High")],
    source: "Krippendorff 2004, Content analysis: an introduction to its methodology",
}];

/// Pearson's coefficient of contingency.
pub(crate) static CONTINGENCY: &[Scale] = &[Scale {
    name: "contingency",
    bands: &[(ABOVE_ZERO, "Not Appreciable"), (0.1, "Weak"), (0.2, "Medium"), (0.3, "Strong")],
    source: "Words of PyCM 4.6 (2025)",
}];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::index::registry::all;

    #[test]
    fn bands_ascend_and_edges_belong_to_the_band_above() {
        let mut seen = 0;
        for row in all() {
            for scale in row.scales {
                seen += 1;
                assert!(scale.bands.windows(2).all(|pair| pair[0].0 < pair[1].0));
                assert!(scale.source.contains(|c: char| c.is_ascii_digit()));
                for &(edge, word) in scale.bands {
                    assert_eq!(scale.word(edge), Some(word), "{row:?} {}", scale.name);
                }
                assert_eq!(scale.word(f64::NAN), None);
            }
        }
        assert!(seen > 5);
        assert_eq!(LAMBDA[0].word(0.0), None);
        assert_eq!(KAPPA[0].word(-0.1), Some("Poor"));
    }
}
