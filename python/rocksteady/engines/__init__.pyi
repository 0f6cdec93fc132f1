from rocksteady.engines.aggregator import Aggregator as Aggregator
from rocksteady.engines.aggregator import State as State
from rocksteady.engines.aggregator import sketch_sql as sketch_sql
