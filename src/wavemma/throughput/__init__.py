"""What instructions cost, and the peak rates that follow."""

from wavemma.throughput.cost import Cost, cost, cycles, ops_per_cu_per_cycle
from wavemma.throughput.roofline import Comparison, Peak, peak, peak_of_target, rates

__all__ = [
    "Comparison",
    "Cost",
    "Peak",
    "cost",
    "cycles",
    "ops_per_cu_per_cycle",
    "peak",
    "peak_of_target",
    "rates",
]
