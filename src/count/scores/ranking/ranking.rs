//! A score table and its derived results, computed at first use and cached.
//!
//! 1. A method answers from the cache. Without a cached result, the file that owns the subject
//!    computes it in a separate pass over the table.
//! 2. A caller that needs many numbers calls [`Ranking::prepare`] first: one pass computes all of
//!    their inputs, with the same bits.
//!
//! The cache does not take part in equality: two rankings are equal if their tables are. Several
//! threads may ask at once.

use std::borrow::Cow;
use std::ops::Deref;
use std::sync::OnceLock;

use crate::base::memory::Room;
use crate::scores::calibration::bins::{Binning, CalibrationBins, DebiasedSquare};
use crate::scores::calibration::brier_decomposition::{Decomposition, Rule, recalibrated};
use crate::scores::calibration::moments::Moments;
use crate::scores::calibration::recalibration::{CalibrationFit, Fits, Terms};
use crate::scores::calibration::smooth::{CELLS, SmoothGaps};
use crate::scores::isotonic_hull::RocHull;
use crate::scores::ranking::average_precision::{
    TieOrder, average_precision, average_precision_of_ties, highest_precision,
    lowest_with_precision, negative_average_precision,
};
use crate::scores::ranking::concordance::{PairCounts, Pairs};
use crate::scores::ranking::early_recognition::{EARLY, EarlyRecognition};
use crate::scores::ranking::ks::{Ks, p_value};
use crate::scores::ranking::precision_areas::PrecisionAreas;
use crate::scores::ranking::roc_areas::RocAreas;
use crate::scores::ranking::score_means::{ScoreSums, scaled_rows, scored_auc};
use crate::scores::ranking::threshold_sums::{Companions, Sum, ThresholdSums};
use crate::scores::score_table::{SMALLER, ScoreTable};

/// A score table and a cache of results.
#[derive(Clone, Debug)]
pub struct Ranking {
    table: ScoreTable,
    /// The ranking with scaled weights, if the sums of the weights exceed the range of `f64`.
    smaller: Option<Box<Ranking>>,
    hull: OnceLock<RocHull>,
    ks: OnceLock<Option<Ks>>,
    /// For counts only.
    pairs: OnceLock<PairCounts>,
    precision_areas: OnceLock<PrecisionAreas>,
    sums: OnceLock<ThresholdSums>,
    log_loss: OnceLock<f64>,
    moments: OnceLock<Option<Moments>>,
    /// The mean Brier score and the mean logarithmic loss after isotonic regression.
    recalibrated: OnceLock<[f64; 2]>,
    logit_terms: OnceLock<Terms>,
    calibration_fits: OnceLock<Fits>,
    /// The smooth gaps of the span that was asked first.
    smooth_gaps: OnceLock<(f64, SmoothGaps)>,
    /// For weights whose table is not completely in memory: the area under the ROC curve, the Gini
    /// coefficient and average precision.
    weighted_areas: Option<[Option<f64>; 3]>,
}

/// The results of a walk over the pieces of a table that is not completely in memory.
#[derive(Debug)]
pub(crate) struct Walked {
    pub(crate) sums: ThresholdSums,
    pub(crate) ks: Option<Ks>,
    /// For counts.
    pub(crate) pairs: Option<PairCounts>,
    /// If the scores are probabilities.
    pub(crate) moments: Option<Moments>,
    /// For weights: the area under the ROC curve, the Gini coefficient, and average precision.
    pub(crate) weighted_areas: Option<[Option<f64>; 3]>,
}

impl From<ScoreTable> for Ranking {
    fn from(table: ScoreTable) -> Self {
        let smaller = table.with_finite_sums();
        let smaller = smaller.map(|table| Box::new(Self::from(table)));
        Self {
            table,
            smaller,
            hull: OnceLock::new(),
            ks: OnceLock::new(),
            pairs: OnceLock::new(),
            precision_areas: OnceLock::new(),
            sums: OnceLock::new(),
            log_loss: OnceLock::new(),
            moments: OnceLock::new(),
            recalibrated: OnceLock::new(),
            logit_terms: OnceLock::new(),
            calibration_fits: OnceLock::new(),
            smooth_gaps: OnceLock::new(),
            weighted_areas: None,
        }
    }
}

impl Deref for Ranking {
    type Target = ScoreTable;

    fn deref(&self) -> &ScoreTable {
        &self.table
    }
}

impl PartialEq for Ranking {
    fn eq(&self, other: &Self) -> bool {
        self.table == other.table
    }
}

impl Ranking {
    /// The hull vertices of a table that is not completely in memory, with the results of a walk
    /// over its pieces. Only indices computed from these are valid for the table.
    pub(crate) fn from_vertices(vertices: ScoreTable, walked: Walked) -> Self {
        Self {
            ks: OnceLock::from(walked.ks),
            pairs: walked.pairs.map(OnceLock::from).unwrap_or_default(),
            sums: OnceLock::from(walked.sums),
            moments: OnceLock::from(walked.moments),
            weighted_areas: walked.weighted_areas,
            ..Self::from(vertices)
        }
    }

    /// The table itself.
    pub fn table(&self) -> &ScoreTable {
        &self.table
    }

    /// The ranking in a unit of weight for which the sums are in the range of `f64`.
    pub fn in_range(&self) -> &Self {
        self.smaller.as_deref().unwrap_or(self)
    }

    /// The table from which results are derived: no index depends on the unit of the weights.
    pub fn finite(&self) -> &ScoreTable {
        self.in_range().table()
    }

    /// The factor from the masses of the table to the masses of [`Self::finite`].
    pub fn shrunk_by(&self) -> f64 {
        if self.smaller.is_some() { 2_f64.powi(SMALLER) } else { 1.0 }
    }

    /// Computes in one pass the inputs of the area under the ROC curve, KS, average precision,
    /// early recognition and means of the scores. Useful before a request for many of them.
    pub fn prepare_sums(&self) {
        self.prepare_with(Companions::pairs);
    }

    /// Computes in one pass the inputs of all indices of scores, including areas of precision and
    /// calibration.
    pub fn prepare(&self) {
        self.prepare_with(Companions::all);
    }

    fn prepare_with(&self, companions: fn(&ScoreTable) -> Companions) {
        if self.sums.get().is_some() {
            return;
        }
        let mut wanted = vec![
            Sum::Precision,
            Sum::NegativePrecision,
            Sum::Ties,
            Sum::Means,
            Sum::Margin,
            Sum::Early(EARLY),
        ];
        if self.are_probabilities() {
            wanted.grow(Sum::LogLoss);
        }
        let (sums, found) = ThresholdSums::of(self.finite(), &wanted, companions);
        // If another thread was first, it has cached the same values.
        if let Some(areas) = found.precision_areas {
            let _ = self.precision_areas.set(areas);
        }
        if let Some(pairs) = found.pairs {
            let _ = self.pairs.set(pairs);
        }
        if let Some(widest) = found.widest {
            let _ = self.ks.set(Ks::of(self.finite(), Some(widest)));
        }
        if let Some(moments) = found.moments {
            let _ = self.moments.set(Some(moments));
        }
        if let Some(terms) = found.terms {
            let _ = self.logit_terms.set(terms);
        }
        let _ = self.sums.set(sums);
    }

    /// Reads the cache, or a new pass for the requested sums.
    fn read<R>(&self, wanted: &[Sum], read: impl Fn(&ThresholdSums) -> R) -> R {
        let is_known = |sum: &Sum| !matches!(*sum, Sum::Early(rate) if rate != EARLY);
        match self.sums.get() {
            Some(sums) if wanted.iter().all(is_known) => read(sums),
            _ => read(&ThresholdSums::of(self.finite(), wanted, |_| Companions::default()).0),
        }
    }

    /// The vertices of the convex hull of the ROC curve.
    ///
    /// ```
    /// use rocksteady_count::base::column::Column;
    /// use rocksteady_count::base::input::{Labels, Scores};
    /// use rocksteady_count::scores::sweep::rows::SweepOptions;
    /// use rocksteady_count::scores::sweep::all_thresholds::score_table;
    /// use rocksteady_count::scores::ranking::Ranking;
    ///
    /// let y_true = Labels::U8(Column::from_slice(&[0, 1, 0, 1]));
    /// let y_score = Scores::F64(Column::from_slice(&[0.1, 0.4, 0.6, 0.8]));
    /// let table = score_table(&y_true, &y_score, None, &SweepOptions::default())?;
    /// let ranking = Ranking::from(table);
    /// assert_eq!(ranking.roc_hull().predicted, [0, 1, 3, 4]);
    /// # Ok::<(), rocksteady_count::base::error::Refusal>(())
    /// ```
    pub fn roc_hull(&self) -> &RocHull {
        self.hull.get_or_init(|| RocHull::of(self.finite()))
    }

    fn pair_counts(&self) -> &PairCounts {
        self.pairs.get_or_init(|| PairCounts::of(self.finite()))
    }

    /// Twice the pairs whose positive row scores higher, plus the tied pairs, of rows without
    /// weights.
    pub fn twice_area(&self) -> u128 {
        self.pair_counts().twice_area()
    }

    /// The area under the ROC curve, ties counting one half; `None` if a class is absent.
    pub fn roc_auc(&self) -> Option<f64> {
        if let Some([area, ..]) = self.weighted_areas {
            return area;
        }
        if !self.is_weighted() {
            self.pair_counts();
        }
        RocAreas::of(&self.table, self.pairs.get()).auc()
    }

    /// The Gini coefficient, twice the area under the ROC curve minus one; `None` if a class is
    /// absent.
    pub fn gini(&self) -> Option<f64> {
        if let Some([_, gini, _]) = self.weighted_areas {
            return gini;
        }
        if !self.is_weighted() {
            self.pair_counts();
        }
        RocAreas::of(&self.table, self.pairs.get()).gini()
    }

    /// The area under the ROC curve up to a false positive rate in (0, 1], standardized so that ½
    /// is chance and 1 is perfect; `None` if a class is absent.
    pub fn standardized_auc(&self, max_fpr: f64) -> Option<f64> {
        self.roc_areas().standardized_auc(max_fpr)
    }

    /// Areas under the ROC curve.
    pub fn roc_areas(&self) -> RocAreas<'_> {
        RocAreas::of(self.finite(), self.pairs.get())
    }

    /// Areas under functions of precision.
    pub fn precision_areas(&self) -> &PrecisionAreas {
        self.precision_areas.get_or_init(|| PrecisionAreas::of(self.finite()))
    }

    /// The probability of a Kolmogorov–Smirnov distance at least as large by chance; `None` if a
    /// class is absent.
    pub fn ks_p_value(&self) -> Option<f64> {
        p_value(self.finite(), self.ks()?.value)
    }

    /// The two-sided Kolmogorov–Smirnov distance, at the lowest threshold that reaches it; `None`
    /// if a class is absent.
    pub fn ks(&self) -> Option<Ks> {
        *self.ks.get_or_init(|| Ks::of(self.finite(), None))
    }

    /// Pairs of a positive and a negative row by the order of their scores; `None` if a class is
    /// absent.
    ///
    /// ```
    /// use rocksteady_count::base::column::Column;
    /// use rocksteady_count::base::input::{Labels, Scores};
    /// use rocksteady_count::scores::sweep::rows::SweepOptions;
    /// use rocksteady_count::scores::sweep::all_thresholds::score_table;
    /// use rocksteady_count::scores::ranking::Ranking;
    ///
    /// let y_true = Labels::U8(Column::from_slice(&[0, 1, 1, 0]));
    /// let y_score = Scores::F64(Column::from_slice(&[0.2, 0.2, 0.7, 0.9]));
    /// let table = score_table(&y_true, &y_score, None, &SweepOptions::default())?;
    /// let ranking = Ranking::from(table);
    /// let pairs = ranking.pairs().expect("both classes have rows");
    /// assert_eq!((pairs.concordant, pairs.discordant, pairs.tied), (1.0, 2.0, 1.0));
    /// assert_eq!(pairs.all, 4.0);
    /// assert_eq!(pairs.spread, f64::sqrt(4.0 * 5.0));
    /// # Ok::<(), rocksteady_count::base::error::Refusal>(())
    /// ```
    pub fn pairs(&self) -> Option<Pairs> {
        Pairs::of(self.finite(), || self.pair_counts())
    }

    /// Average precision: Σ (recall − recall before) · precision over the scores from high to low;
    /// `None` without positives.
    pub fn average_precision(&self) -> Option<f64> {
        if let Some([.., precision]) = self.weighted_areas {
            return precision;
        }
        average_precision(self.finite(), self.sums.get().map(|sums| sums.precision))
    }

    /// Average precision of the negatives, ranked from the lowest score up (as by one minus the
    /// scores); `None` without negatives.
    pub fn negative_average_precision(&self) -> Option<f64> {
        let sum = self.read(&[Sum::NegativePrecision], |sums| sums.negative_precision);
        negative_average_precision(self.finite(), sum)
    }

    /// Average precision with the rows of each tie in their worst or best order; `None` without
    /// positives, and for weights, whose rows have no order.
    ///
    /// ```
    /// use rocksteady_count::base::column::Column;
    /// use rocksteady_count::base::input::{Labels, Scores};
    /// use rocksteady_count::scores::sweep::rows::SweepOptions;
    /// use rocksteady_count::scores::sweep::all_thresholds::score_table;
    /// use rocksteady_count::scores::ranking::Ranking;
    /// use rocksteady_count::scores::ranking::average_precision::TieOrder;
    ///
    /// let y_true = Labels::U8(Column::from_slice(&[0, 1, 1]));
    /// let y_score = Scores::F64(Column::from_slice(&[0.5, 0.5, 0.5]));
    /// let table = score_table(&y_true, &y_score, None, &SweepOptions::default())?;
    /// let ranking = Ranking::from(table);
    /// let worst = (1.0 / 2.0 + 2.0 / 3.0) / 2.0;
    /// assert_eq!(ranking.average_precision_of_ties(TieOrder::Best), Some(1.0));
    /// assert_eq!(ranking.average_precision_of_ties(TieOrder::Worst), Some(worst));
    /// # Ok::<(), rocksteady_count::base::error::Refusal>(())
    /// ```
    pub fn average_precision_of_ties(&self, order: TieOrder) -> Option<f64> {
        let best = usize::from(order == TieOrder::Best);
        let (sum, ties) =
            self.read(&[Sum::Precision, Sum::Ties], |sums| (sums.precision, sums.ties[best]));
        average_precision_of_ties(self.finite(), sum, ties)
    }

    /// The highest precision of the thresholds that predict at least `predicted` distinct scores
    /// positive; at least one.
    pub fn highest_precision(&self, predicted: usize) -> f64 {
        self.of_highest(|highest| highest_precision(self.finite(), highest, predicted))
    }

    /// The lowest threshold with a precision of at least `least`, as the number of distinct scores
    /// at or above it; 0 if there is none.
    pub fn lowest_with_precision(&self, least: f64) -> usize {
        self.of_highest(|highest| lowest_with_precision(self.finite(), highest, least))
    }

    fn of_highest<R>(&self, read: impl Fn(&[f64]) -> R) -> R {
        self.read(&[Sum::Precision], |sums| read(&sums.highest))
    }

    /// Early recognition: a row has the weight e^(−rate x), where x is the share of rows above it.
    /// `None` without positives.
    pub fn early_recognition(&self, rate: f64) -> Option<EarlyRecognition> {
        let short = self.read(&[Sum::Early(rate)], |sums| sums.early);
        EarlyRecognition::new(rate, self.totals(), short)
    }

    fn score_sums(&self) -> ScoreSums {
        self.read(&[Sum::Means], |sums| sums.means)
    }

    /// The mean scores of the positives and of the negatives; `None` for a class without rows.
    ///
    /// ```
    /// use rocksteady_count::base::column::Column;
    /// use rocksteady_count::base::input::{Labels, Scores};
    /// use rocksteady_count::scores::sweep::rows::SweepOptions;
    /// use rocksteady_count::scores::sweep::all_thresholds::score_table;
    /// use rocksteady_count::scores::ranking::Ranking;
    ///
    /// let y_true = Labels::U8(Column::from_slice(&[0, 1, 1]));
    /// let y_score = Scores::F64(Column::from_slice(&[0.25, 0.5, 1.0]));
    /// let table = score_table(&y_true, &y_score, None, &SweepOptions::default())?;
    /// let ranking = Ranking::from(table);
    /// assert_eq!(ranking.mean_scores(), (Some(0.75), Some(0.25)));
    /// assert_eq!(ranking.scored_auc(), Some(0.5));
    /// # Ok::<(), rocksteady_count::base::error::Refusal>(())
    /// ```
    pub fn mean_scores(&self) -> (Option<f64>, Option<f64>) {
        self.score_sums().mean_scores(self.finite())
    }

    /// The mean, over all rows, of the score as probability of the row's own class; `None` without
    /// rows.
    pub fn mean_probability(&self) -> Option<f64> {
        self.score_sums().mean_probability(self.finite())
    }

    /// The mean squared error of the scores as probabilities; `None` without rows.
    ///
    /// ```
    /// use rocksteady_count::base::column::Column;
    /// use rocksteady_count::base::input::{Labels, Scores};
    /// use rocksteady_count::scores::sweep::rows::SweepOptions;
    /// use rocksteady_count::scores::sweep::all_thresholds::score_table;
    /// use rocksteady_count::scores::ranking::Ranking;
    ///
    /// let y_true = Labels::U8(Column::from_slice(&[0, 1]));
    /// let y_score = Scores::F64(Column::from_slice(&[0.5, 0.75]));
    /// let table = score_table(&y_true, &y_score, None, &SweepOptions::default())?;
    /// let ranking = Ranking::from(table);
    /// assert_eq!(ranking.mean_squared_error(), Some((0.25 + 0.0625) / 2.0));
    /// # Ok::<(), rocksteady_count::base::error::Refusal>(())
    /// ```
    pub fn mean_squared_error(&self) -> Option<f64> {
        self.score_sums().mean_squared_error(self.finite())
    }

    /// Over all pairs of a positive and a negative row, the mean of the positive score minus the
    /// negative score, at least 0 for each pair; `None` if a class is absent.
    pub fn scored_auc(&self) -> Option<f64> {
        scored_auc(self.finite(), self.read(&[Sum::Margin], |sums| sums.margin))
    }

    /// The mean of −ln of the probability of the true class, clamped to [eps, 1 − eps] with the
    /// machine epsilon of the scores' type; `None` without rows. The scores must be probabilities.
    pub fn log_loss(&self) -> Option<f64> {
        let weight = scaled_rows(self.finite())?;
        let find = || self.read(&[Sum::LogLoss], |sums| sums.log_loss) / weight;
        Some(*self.log_loss.get_or_init(find))
    }

    /// The mean logarithmic loss; `None` as in [`Self::moments`].
    pub fn mean_log_loss(&self) -> Option<f64> {
        self.moments()?;
        self.log_loss().map(|loss| loss.max(0.0))
    }

    /// The means for indices of probabilities; `None` without rows, or if a score lies outside [0,
    /// 1].
    pub fn moments(&self) -> Option<&Moments> {
        self.moments.get_or_init(|| Moments::of(self.finite())).as_ref()
    }

    /// The Brier score or the logarithmic loss, and its decomposition; `None` as in
    /// [`Self::moments`].
    ///
    /// ```
    /// use rocksteady_count::base::column::Column;
    /// use rocksteady_count::base::input::{Labels, Scores};
    /// use rocksteady_count::scores::calibration::brier_decomposition::Rule;
    /// use rocksteady_count::scores::sweep::rows::SweepOptions;
    /// use rocksteady_count::scores::sweep::all_thresholds::score_table;
    /// use rocksteady_count::scores::ranking::Ranking;
    ///
    /// let y_true = Labels::U8(Column::from_slice(&[0, 1, 1, 1]));
    /// let y_score = Scores::F64(Column::from_slice(&[0.25, 0.25, 0.75, 0.75]));
    /// let table = score_table(&y_true, &y_score, None, &SweepOptions::default())?;
    /// let ranking = Ranking::from(table);
    /// let parts = ranking.decomposition(Rule::Brier).unwrap();
    /// assert_eq!((parts.score, parts.uncertainty), (0.1875, 0.1875));
    /// assert_eq!((parts.miscalibration, parts.discrimination), (0.0625, 0.0625));
    /// # Ok::<(), rocksteady_count::base::error::Refusal>(())
    /// ```
    pub fn decomposition(&self, rule: Rule) -> Option<Decomposition> {
        let moments = self.moments()?;
        let score = match rule {
            Rule::Brier => moments.brier,
            Rule::LogLoss => self.mean_log_loss()?,
        };
        let find = || recalibrated(self.finite(), moments, self.roc_hull());
        let recalibrated = *self.recalibrated.get_or_init(find);
        Some(Decomposition::new(rule, score, recalibrated, moments))
    }

    /// The rows in bins; [`Binning::Isotonic`] ignores `bins`. `None` as in [`Self::moments`].
    ///
    /// ```
    /// use rocksteady_count::base::column::Column;
    /// use rocksteady_count::base::input::{Labels, Scores};
    /// use rocksteady_count::scores::calibration::bins::{Binning, Norm};
    /// use rocksteady_count::scores::sweep::rows::SweepOptions;
    /// use rocksteady_count::scores::sweep::all_thresholds::score_table;
    /// use rocksteady_count::scores::ranking::Ranking;
    ///
    /// let y_true = Labels::U8(Column::from_slice(&[0, 0, 1, 1]));
    /// let y_score = Scores::F64(Column::from_slice(&[0.25, 0.5, 0.75, 1.0]));
    /// let table = score_table(&y_true, &y_score, None, &SweepOptions::default())?;
    /// let ranking = Ranking::from(table);
    /// let bins = ranking.calibration_bins(2, Binning::Uniform).unwrap();
    /// assert_eq!(bins.positives, [0.0, 2.0]);
    /// assert_eq!(bins.score, [0.25, 2.25]);
    /// assert_eq!(bins.error(Norm::Mean), Some(0.125));
    /// # Ok::<(), rocksteady_count::base::error::Refusal>(())
    /// ```
    pub fn calibration_bins(&self, bins: usize, binning: Binning) -> Option<CalibrationBins> {
        let moments = self.moments()?;
        let hull = || self.roc_hull();
        Some(CalibrationBins::of(self.finite(), moments, (bins, binning), hull))
    }

    /// As many bins of equal weight as have rising shares of positives; `None` as above.
    pub fn rising_bins(&self) -> Option<CalibrationBins> {
        Some(CalibrationBins::rising(self.finite(), self.moments()?))
    }

    /// The gaps of a smooth calibration curve; `None` as above.
    pub fn smooth_gaps(&self, span: f64) -> Option<Cow<'_, SmoothGaps>> {
        let moments = self.moments()?;
        let find = || SmoothGaps::of(&CalibrationBins::finest(self.finite(), moments, CELLS), span);
        let (known, gaps) = self.smooth_gaps.get_or_init(|| (span, find()));
        Some(if *known == span { Cow::Borrowed(gaps) } else { Cow::Owned(find()) })
    }

    /// The debiased square of the calibration error over bins of equal width; `None` if no bin has
    /// two rows, or a score lies outside [0, 1].
    pub fn debiased_square(&self, bins: usize) -> Option<DebiasedSquare> {
        DebiasedSquare::of(self.finite(), self.moments()?, bins)
    }

    /// The line over the logits of the scores, clamped to [eps, 1 − eps] as for the logarithmic
    /// loss, with the greatest likelihood; `None` if the classes do not overlap, or a score lies
    /// outside [0, 1].
    ///
    /// ```
    /// use rocksteady_count::base::column::Column;
    /// use rocksteady_count::base::input::{Labels, Scores};
    /// use rocksteady_count::scores::sweep::rows::SweepOptions;
    /// use rocksteady_count::scores::sweep::all_thresholds::score_table;
    /// use rocksteady_count::scores::ranking::Ranking;
    ///
    /// // A score of 0.2 comes true once in five rows, one of 0.8 four times: as they should.
    /// let y_true = Labels::U8(Column::from_slice(&[0, 0, 0, 0, 1, 0, 1, 1, 1, 1]));
    /// let scores = [0.2, 0.2, 0.2, 0.2, 0.2, 0.8, 0.8, 0.8, 0.8, 0.8];
    /// let y_score = Scores::F64(Column::from_slice(&scores));
    /// let table = score_table(&y_true, &y_score, None, &SweepOptions::default())?;
    /// let ranking = Ranking::from(table);
    /// let fit = ranking.calibration_fit().unwrap();
    /// assert!(fit.intercept.abs() < 1e-12 && (fit.slope - 1.0).abs() < 1e-12);
    /// # Ok::<(), rocksteady_count::base::error::Refusal>(())
    /// ```
    pub fn calibration_fit(&self) -> Option<CalibrationFit> {
        self.calibration_fits().line
    }

    /// The shift of all logits with the greatest likelihood; `None` if a class is absent or a score
    /// lies outside [0, 1].
    pub fn calibration_shift(&self) -> Option<CalibrationFit> {
        self.calibration_fits().shift
    }

    /// Rao's statistic of an intercept of 0 and a slope of 1, for each row; `None` if a class is
    /// absent, all scores are equal, or one lies outside [0, 1].
    pub fn calibration_departure(&self) -> Option<f64> {
        self.calibration_fits().departure
    }

    fn calibration_fits(&self) -> Fits {
        *self.calibration_fits.get_or_init(|| Fits::of(self.finite(), self.logit_terms.get()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::column::Column;
    use crate::base::input::{Label, Labels, Scores};
    use crate::scores::calibration::bins::Norm;
    use crate::scores::calibration::moments::tests::{Rows, near, rows, table as probabilities};
    use crate::scores::score_table::Side;
    use crate::scores::score_table::tests::{rows as swept_rows, table as swept};
    use crate::scores::sweep::all_thresholds::score_table;
    use crate::scores::sweep::rows::SweepOptions;
    use proptest::prelude::*;

    fn table(rows: &[(u8, f64, u8)], weighted: bool) -> ScoreTable {
        let y: Vec<u8> = rows.iter().map(|row| row.0).collect();
        let s: Vec<f64> = rows.iter().map(|row| row.1).collect();
        let w: Vec<f64> = rows.iter().map(|row| f64::from(row.2) / 4.0).collect();
        let options = SweepOptions { pos_label: Some(Label::Int(1)), ..SweepOptions::default() };
        let weights = weighted.then(|| Column::from_slice(&w[..]));
        let (y, s) = (Column::from_slice(&y), Column::from_slice(&s));
        score_table(&Labels::U8(y), &Scores::F64(s), weights, &options).unwrap()
    }

    /// All cached results of a walk, as bits.
    fn read(table: &Ranking) -> Vec<Option<u64>> {
        let pairs = table.pairs();
        let early = table.early_recognition(EARLY);
        let (own, other) = table.mean_scores();
        let numbers = [
            table.roc_auc(),
            table.ks().map(|ks| ks.value + ks.threshold),
            table.average_precision(),
            table.negative_average_precision(),
            table.average_precision_of_ties(TieOrder::Best),
            table.average_precision_of_ties(TieOrder::Worst),
            pairs.map(|pairs| pairs.concordant),
            pairs.map(|pairs| pairs.discordant),
            pairs.map(|pairs| pairs.spread),
            own,
            other,
            table.mean_probability(),
            table.mean_squared_error(),
            table.log_loss(),
            table.scored_auc(),
            early.map(|early| early.rie),
            early.and_then(|early| early.bedroc),
            Some(table.highest_precision(1)),
        ];
        numbers.map(|number| number.map(f64::to_bits)).into()
    }

    fn naive(rows: &[(u8, f64, u8)], weighted: bool) -> [f64; 4] {
        let weight = |row: &(u8, f64, u8)| {
            if weighted { f64::from(row.2) / 4.0 } else { 1.0 }
        };
        let (mut concordant, mut pairs, mut squares, mut losses, mut all) =
            (0.0, 0.0, 0.0, 0.0, 0.0);
        for a in rows {
            let right = if a.0 == 1 { a.1 } else { 1.0 - a.1 };
            squares += weight(a) * (1.0 - right).powi(2);
            losses -= weight(a) * right.clamp(f64::EPSILON, 1.0 - f64::EPSILON).ln();
            all += weight(a);
            for b in rows.iter().filter(|b| a.0 == 1 && b.0 == 0) {
                pairs += weight(a) * weight(b);
                concordant += if a.1 > b.1 { weight(a) * weight(b) } else { 0.0 };
            }
        }
        [concordant / pairs, squares / all, losses / all, pairs]
    }

    proptest! {
        #[test]
        fn one_walk_for_all_gives_the_bits_of_a_walk_for_each(
            rows in prop::collection::vec((0_u8..2, 0_u16..700, 1_u8..9), 1..900), coarse: bool, weighted: bool,
        ) {
            let score = |step: u16| f64::from(if coarse { step / 60 } else { step }) / 700.0;
            let rows: Vec<(u8, f64, u8)> = rows.iter().map(|row| (row.0, score(row.1), row.2)).collect();
            let [alone, kept] = [(); 2].map(|()| Ranking::from(table(&rows, weighted)));
            kept.prepare();
            prop_assert_eq!(read(&alone), read(&kept));
            let [concordant, squares, losses, pairs] = naive(&rows, weighted);
            if pairs > 0.0 {
                let found = kept.pairs().unwrap();
                prop_assert!((found.concordant / found.all - concordant).abs() < 1e-12);
            }
            prop_assert!((kept.mean_squared_error().unwrap() - squares).abs() < 1e-12);
            prop_assert!((kept.log_loss().unwrap() - losses).abs() < 1e-11);
        }

        #[test]
        fn means_and_margins_are_those_of_the_rows(
            rows in prop::collection::vec((0_u8..2, 0_u8..9, 1_u8..6), 1..60), weighted: bool,
        ) {
            let y: Vec<u8> = rows.iter().map(|row| row.0).collect();
            let s: Vec<f64> = rows.iter().map(|row| f64::from(row.1) / 8.0).collect();
            let w: Vec<f64> = rows.iter().map(|row| if weighted { f64::from(row.2) / 4.0 } else { 1.0 }).collect();
            let options = SweepOptions { pos_label: Some(Label::Int(1)), ..SweepOptions::default() };
            let weights = weighted.then(|| Column::from_slice(&w[..]));
            let (labels, scores) = (Labels::U8(Column::from_slice(&y)), Scores::F64(Column::from_slice(&s)));
            let table = Ranking::from(score_table(&labels, &scores, weights, &options).unwrap());
            let all = || (0..y.len()).map(|i| (y[i] == 1, s[i], w[i]));
            let total = |class: bool| all().filter(|row| row.0 == class).map(|row| row.2).sum::<f64>();
            let mean = |class: bool| all().filter(|row| row.0 == class).map(|row| row.1 * row.2).sum::<f64>() / total(class);
            let (p, n) = table.mean_scores();
            prop_assert!(p.is_none_or(|p| (p - mean(true)).abs() < 1e-14) && p.is_some() == (total(true) > 0.0));
            prop_assert!(n.is_none_or(|n| (n - mean(false)).abs() < 1e-14) && n.is_some() == (total(false) > 0.0));
            let own: f64 = all().map(|(positive, s, w)| w * if positive { s } else { 1.0 - s }).sum();
            let found = table.mean_probability().unwrap();
            prop_assert!((found - own / (total(true) + total(false))).abs() < 1e-14);
            let area = table.scored_auc();
            prop_assert_eq!(area.is_some(), total(true) > 0.0 && total(false) > 0.0);
            if let Some(area) = area {
                let mut sum = 0.0;
                for (a, s, v) in all() {
                    for (b, t, w) in all() {
                        if a && !b && s > t { sum += v * w * (s - t); }
                    }
                }
                prop_assert!((area - sum / total(true) / total(false)).abs() < 1e-14);
            }
            let turned: Vec<f64> = s.iter().map(|s| 1.0 - s).collect();
            let flipped: Vec<u8> = y.iter().map(|y| 1 - y).collect();
            let (labels, scores) = (Labels::U8(Column::from_slice(&flipped)), Scores::F64(Column::from_slice(&turned)));
            let other = score_table(&labels, &scores, weights, &options).unwrap();
            let other = Ranking::from(other).average_precision();
            let own = table.negative_average_precision();
            prop_assert!(own.is_some() == other.is_some());
            prop_assert!(own.zip(other).is_none_or(|(a, b)| (a - b).abs() < 1e-14));
        }

        #[test]
        fn summaries_agree_with_their_definitions((y, s, w) in swept_rows(80)) {
            let t = Ranking::from(swept(&y, &s, Some(&w)));
            let (p, n) = t.totals();
            let (mut area, mut ap, mut ks, mut before) = (0.0, 0.0, 0.0_f64, (0.0, 0.0));
            for (_, tp, fp) in t.steps() {
                area += (fp - before.1) * (tp + before.0) / 2.0;
                if tp > before.0 { ap += (tp - before.0) * tp / (tp + fp); }
                ks = ks.max((tp / p - fp / n).abs());
                before = (tp, fp);
            }
            if p > 0.0 && n > 0.0 {
                prop_assert!((t.roc_auc().unwrap() - area / p / n).abs() < 1e-12);
                let found = t.ks().unwrap();
                prop_assert!((found.value - ks).abs() < 1e-15);
                let at = t.at(found.threshold, Side::GreaterEqual);
                prop_assert!(((at.tp / p - at.fp / n).abs() - ks).abs() < 1e-15);
            } else {
                prop_assert_eq!(t.roc_auc(), None);
            }
            if p > 0.0 { prop_assert!((t.average_precision().unwrap() - ap / p).abs() < 1e-12); }
        }

        #[test]
        fn weighted_summaries_equal_exact_fractions(
            rows in prop::collection::vec((0_u8..2, 0_u32..20, 1_u64..1 << 40), 2..60), exponent in -900_i32..900,
        ) {
            let y: Vec<i64> = rows.iter().map(|row| row.0.into()).collect();
            let s: Vec<f64> = rows.iter().map(|row| row.1.into()).collect();
            for ones in [false, true] {
                let whole = |row: &(u8, u32, u64)| if ones { 1 } else { i128::from(row.2) };
                let scale = if ones { 1.0 } else { 2_f64.powi(exponent) };
                let w: Vec<f64> = rows.iter().map(|row| whole(row) as f64 * scale).collect();
                let sum = |class: u8, least: u32| -> i128 {
                    rows.iter().filter(|row| row.0 == class && row.1 >= least).map(whole).sum()
                };
                let (p, n) = (sum(1, 0), sum(0, 0));
                prop_assume!(p > 0 && n > 0);
                let t = Ranking::from(swept(&y, &s, Some(&w)));
                let (mut twice, mut before, mut best) = (0, (0, 0), (-1, 0.0, 0));
                for score in (0..20_u32).rev() {
                    let (tp, fp) = (sum(1, score), sum(0, score));
                    twice += (fp - before.1) * (tp + before.0);
                    let gap = tp * n - fp * p;
                    if (tp, fp) != before && gap.abs() >= best.0 {
                        best = (gap.abs(), f64::from(score), gap.signum() as i8);
                    }
                    before = (tp, fp);
                }
                let near = |found: f64, part: i128, all: i128| {
                    let exact = part as f64 / all as f64;
                    (found - exact).abs() <= 4.0 * f64::EPSILON * exact
                };
                prop_assert!(near(t.roc_auc().unwrap(), twice, 2 * p * n));
                let ks = t.ks().unwrap();
                prop_assert!(near(ks.value, best.0, p * n));
                prop_assert_eq!((ks.threshold, ks.sign), (best.1, best.2));
                if ones {
                    let counted = Ranking::from(swept(&y, &s, None));
                    prop_assert_eq!(counted.ks(), t.ks());
                    prop_assert_eq!(counted.roc_auc(), t.roc_auc());
                }
            }
        }

        /// Pooling adjacent violators, score by score.
        #[test]
        fn parts_are_those_of_pooled_violators(rows in rows(200), weighted: bool) {
            let table = Ranking::from(probabilities(&rows, weighted, false));
            let mut scores: Vec<f64> = rows.iter().map(|row| row.1).collect();
            scores.sort_by(f64::total_cmp);
            scores.dedup();
            let mut pools: Vec<(f64, f64)> = Vec::new();
            for &score in &scores {
                let those = || rows.iter().filter(|row| row.1 == score);
                let weight = |row: &(bool, f64, f64)| if weighted { row.2 } else { 1.0 };
                let p: f64 = those().filter(|row| row.0).map(weight).sum();
                pools.push((p, those().map(weight).sum()));
                while let [.., (a, v), (b, w)] = pools[..] && a * w >= b * v {
                    pools.truncate(pools.len() - 2);
                    pools.push((a + b, v + w));
                }
            }
            let total: f64 = pools.iter().map(|pool| pool.1).sum();
            let brier: f64 = pools.iter().map(|(p, w)| p * (w - p) / w).sum::<f64>() / total;
            let log = |x: f64, w: f64| if x > 0.0 { -x * (x / w).ln() } else { 0.0 };
            let log_loss: f64 = pools.iter().map(|&(p, w)| log(p, w) + log(w - p, w)).sum::<f64>() / total;
            for (rule, expected) in [(Rule::Brier, brier), (Rule::LogLoss, log_loss)] {
                let parts = table.decomposition(rule).unwrap();
                prop_assert!(near(parts.score - parts.miscalibration, expected));
                prop_assert!(near(parts.uncertainty - parts.discrimination, expected));
            }
        }

        #[test]
        fn the_logarithmic_loss_is_that_of_the_rows(rows in rows(700), weighted: bool, narrow: bool) {
            let table = Ranking::from(probabilities(&rows, weighted, narrow));
            let weight = |row: &(bool, f64, f64)| if weighted { row.2 } else { 1.0 };
            let least = if narrow { f64::from(f32::EPSILON) } else { f64::EPSILON };
            let given = |y: bool, s: f64| (if y { s } else { 1.0 - s }).clamp(least, 1.0 - least);
            let total: f64 = rows.iter().map(weight).sum();
            let loss = rows.iter().map(|row| weight(row) * -given(row.0, row.1).ln()).sum::<f64>() / total;
            prop_assert!(near(table.mean_log_loss().unwrap(), loss));
        }
    }

    #[test]
    fn counts_and_weights_of_any_size_have_the_same_means() {
        let rows: Rows =
            (0..600_i32).map(|i| (i % 3 == 0, f64::from(i * 37 % 601) / 601.0, 1.0)).collect();
        let small = Ranking::from(probabilities(&rows, false, false));
        for factor in [2_f64.powi(40), 2_f64.powi(-700), 2_f64.powi(900)] {
            let scaled: Rows = rows.iter().map(|&(y, s, w)| (y, s, w * factor)).collect();
            let large = Ranking::from(probabilities(&scaled, true, false));
            let (a, b) = (small.moments().unwrap(), large.moments().unwrap());
            assert_eq!(
                (a.brier, a.reliability, a.cumulative, a.score),
                (b.brier, b.reliability, b.cumulative, b.score)
            );
            assert_eq!(small.mean_log_loss(), large.mean_log_loss());
            let of = |table: &Ranking| {
                table.calibration_bins(7, Binning::Quantile).unwrap().error(Norm::Mean)
            };
            assert_eq!(of(&small), of(&large));
        }
    }

    #[test]
    fn scores_that_are_no_probabilities_have_none() {
        for score in [-0.25, 1.5] {
            let rows = vec![(true, 0.5, 1.0), (false, score, 1.0)];
            let table = Ranking::from(probabilities(&rows, false, false));
            assert!(table.moments().is_none() && table.mean_log_loss().is_none());
            assert!(table.calibration_bins(3, Binning::Uniform).is_none());
            assert!(table.decomposition(Rule::Brier).is_none());
        }
    }
}
