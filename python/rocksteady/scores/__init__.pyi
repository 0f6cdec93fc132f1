from rocksteady.scores.calibration import calibration_error as calibration_error
from rocksteady.scores.confidence import top_label as top_label
from rocksteady.scores.decision_band import net_benefit as net_benefit
from rocksteady.scores.prevalence import at_prevalence as at_prevalence
from rocksteady.scores.stability import category_stability as category_stability
from rocksteady.scores.stability import population_stability as population_stability
from rocksteady.scores.thresholds import ks as ks
from rocksteady.scores.thresholds import threshold_grid as threshold_grid
