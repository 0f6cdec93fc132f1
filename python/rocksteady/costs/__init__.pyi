from rocksteady.costs.profit import profit_area as profit_area
from rocksteady.labels.cost import bayes_decision as bayes_decision
from rocksteady.labels.cost import bayes_risk as bayes_risk
from rocksteady.labels.cost import cost_weight_matrix as cost_weight_matrix
from rocksteady.labels.cost import minority_label as minority_label
from rocksteady.labels.cost import optimal_threshold as optimal_threshold
