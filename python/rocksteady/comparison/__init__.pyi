from rocksteady.comparison.enumeration import enumerate_matrices as enumerate_matrices
from rocksteady.comparison.enumeration import enumerate_rankings as enumerate_rankings
from rocksteady.comparison.folds import FiveByTwo as FiveByTwo
from rocksteady.comparison.folds import FoldDifference as FoldDifference
from rocksteady.comparison.folds import compare_folds as compare_folds
from rocksteady.comparison.folds import five_by_two as five_by_two
from rocksteady.comparison.two_indices import consistency as consistency
