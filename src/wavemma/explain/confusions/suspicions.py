"""Every fault that an output is held against, in the order in which equal ones are named."""

from collections.abc import Callable, Iterator

import numpy as np

from wavemma.explain.confusions import (
    accumulator,
    activations,
    beyond_tiles,
    block_scales,
    carried_sums,
    constant_factors,
    displaced_output,
    exchanged_scales,
    finished_results,
    halves_of_k,
    k_orders,
    k_steps,
    line_numbers,
    loaded_rows,
    loads,
    missing_offsets,
    nan_sources,
    paired_k_steps,
    rounded_factors,
    rounded_results,
    rows_and_columns,
    seen_store,
    signs_and_formats,
    sparse_index,
    staged_rows,
    stale_steps,
    stores,
    swapped_bytes,
    unwritten_results,
)
from wavemma.explain.fault_output import Part, part_of
from wavemma.explain.suspect import Suspect
from wavemma.explain.tile_sample import Sample

# The order breaks ties: what is named first is the commoner mistake.
SUSPICIONS: tuple[Callable[[Sample], Iterator[Suspect]], ...] = (
    stores.halves,
    stores.store_maps,
    stores.shared_maps,
    beyond_tiles.whole_orders,
    accumulator.starts,
    k_steps.steps,
    halves_of_k.halves_of_k,
    paired_k_steps.paired_steps,
    signs_and_formats.signs,
    signs_and_formats.formats,
    loads.load_maps,
    k_orders.k_orders,
    k_orders.scaled_orders,
    beyond_tiles.whole_transposes,
    loads.replication,
    block_scales.scales,
    block_scales.scale_memory,
    exchanged_scales.exchanges,
    sparse_index.indices,
    signs_and_formats.subnormals,
    nan_sources.nan_lines,
    unwritten_results.unwritten,
    stores.short_maps,
    rows_and_columns.moved_factors,
    rows_and_columns.moved_results,
    seen_store.seen_maps,
    rows_and_columns.seen_orders,
    seen_store.seen_places,
    rows_and_columns.exchanged_factors,
    rows_and_columns.zero_factors,
    nan_sources.nan_parts,
    missing_offsets.missing_offsets,
    displaced_output.exchanged_tiles,
    carried_sums.carried_sums,
    displaced_output.shifted,
    displaced_output.pitches,
    beyond_tiles.flat_threads,
    block_scales.power_rows,
    beyond_tiles.first_batches,
    constant_factors.ratios,
    constant_factors.result_factors,
    accumulator.seen_factors,
    rounded_results.rounded_results,
    rounded_results.rounded_sums,
    rounded_results.rounded_starts,
    rounded_factors.rounded_factors,
    rounded_factors.rounded_terms,
    finished_results.offsets,
    finished_results.clipped,
    finished_results.whole_results,
    activations.activations,
    activations.missing_activations,
    loaded_rows.halved_lines,
    loaded_rows.load_pitches,
    loaded_rows.load_shifts,
    swapped_bytes.swapped_bytes,
    staged_rows.staged_rows,
    stale_steps.stale_steps,
    line_numbers.line_offsets,
    line_numbers.line_factors,
)


def suspected(sample: Sample) -> tuple[Part, ...]:
    """Make every suspect of a sample; those that change nothing are left out.

    Faults that make the same of the sample become one part.
    """
    found: dict[tuple[str, bytes], list[Part]] = {}
    whole = np.arange(sample.want.shape[1])
    for suspicion in SUSPICIONS:
        for suspect in suspicion(sample):
            part = part_of(sample, suspect)
            content = suspect.source if part.value is None else part.value
            if content is None or (part.value is None and (content == whole).all()):
                continue
            key = (suspect.stage, np.ascontiguousarray(content).tobytes())
            found.setdefault(key, []).append(part)
    return tuple(same[0]._replace(also=_others(same)) for same in found.values())


def _others(same: list[Part]) -> tuple[Suspect, ...]:
    """Name the other faults of a part; loops that are one loop by other names are no others."""
    first = same[0].suspect
    return tuple(
        each.suspect
        for each in same[1:]
        if not each.suspect.seen
        and (each.suspect.fault.kind != first.fault.kind or first.stage in ("product", "whole"))
    )
