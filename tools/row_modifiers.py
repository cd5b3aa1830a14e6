"""The modifiers of one opcode: those whose bits change the text as their rows say."""

from collections.abc import Sequence

from probe import Line
from row_form import Form

from wavemma.tables.instruction_words import SettingRow

ORDER = (
    *(
        "bitop3",
        "bitop3_y",
        "op_sel_1d",
        "op_sel_zd",
        "op_sel_2",
        "op_sel_2z",
        "op_sel_2zd",
        "op_sel_zz2d",
        "op_sel_2d",
    ),
    *("op_sel_3", "op_sel_3d", "op_sel_hi_2", "op_sel_hi_3", "mix_hi"),
    *("byte_sel", "byte_sel_d"),
    *("neg_lo_2", "neg_lo_3", "neg_lo_zz1", "neg_hi_2", "neg_hi_3", "neg_hi_zz1", "clamp", "omod"),
    *("idxen", "offen", "offset", "signed", "signed_hex", "lds_offset", "offset0", "offset1"),
    "scale_offset",
    *("policy_load", "policy_store", "policy_atomic", "policy_scalar", "policy_scope"),
    *("nv", "scale_sel_4", "scale_sel_3"),
    *("swap_bound", "swap_fi"),
    *(
        "gds",
        "glc",
        "slc",
        "dlc",
        "scc",
        "sc0",
        "nt",
        "sc1",
        "tfe",
        "lds",
        "sdwa_clamp",
        "sdwa_omod",
    ),
    *("dst_sel", "dst_unused", "src0_sel", "src1_sel"),
)
"""The order in which a line names modifiers."""


class Modifiers:
    """Finds the modifiers of one form."""

    def __init__(self, form: Form) -> None:
        self.form = form
        self.encoding, self.values, self.line = form.encoding, form.values, form.line

    def names(self) -> list[str]:
        """Name the modifiers: of those with one word, the one of which most bits were seen."""
        best: dict[str, tuple[tuple[bool, int], str]] = {}
        for setting in self.form.prober.settings:
            names = [each.partition("[")[0] for each in setting.fields]
            if not any(names) or not all(map(self.has, setting.fields)):
                continue
            seen = self.seen(setting)
            if seen[1] and (setting.word not in best or seen > best[setting.word][0]):
                best[setting.word] = (seen, setting.name)
        return sorted((name for _, name in best.values()), key=ORDER.index)

    def has(self, reference: str) -> bool:
        """Whether the encoding has the field, or the bit of it, that a modifier names."""
        if not reference:
            return True
        name, _, bit = reference.rstrip("]").partition("[")
        known = self.encoding.by_name.get(name)
        if known is None or known.value == 0:
            return False
        return int(bit or 0) < known.width_bits

    def seen(self, setting: SettingRow) -> tuple[bool, int]:
        """Count the bits that change the text as the modifier says, and tell if all do."""
        if setting.kind == "mask":
            return self._mask(setting)
        takes = {"flag": self._flag, "choice": self._choice}.get(setting.kind, self._value)
        return True, int(takes(setting))

    def _flag(self, setting: SettingRow) -> bool:
        on = self.line(**{setting.fields[0]: 1})
        off = self.line(**{setting.fields[0]: 0})
        is_fixed = self.encoding.by_name[setting.fields[0]].value is not None
        return setting.word in on.modifiers and (is_fixed or setting.word not in off.modifiers)

    def _choice(self, setting: SettingRow) -> bool:
        """Whether the first and the last of its codes change the text as they should."""
        codes = [each for each in self.form.prober.choices if each.modifier == setting.name]
        for choice in (codes[0], codes[-1]):
            changed, code = dict(self.values), choice.code
            for name in setting.fields:
                width = self.encoding.by_name[name].width_bits
                changed[name] = code & (1 << width) - 1
                code >>= width
            parts = choice.text.replace(" scope", "\nscope").split("\n")
            if code or not set(parts) <= set(self.form.ask(changed).modifiers):
                return False
        return True

    def _mask(self, setting: SettingRow) -> tuple[bool, int]:
        defaults = setting.default or (0,) * len(setting.fields)
        if self._has_word(setting, self.with_bits(setting, defaults).modifiers):
            return False, 0
        count = 0
        for place, reference in enumerate(setting.fields):
            bits = [1 - bit if at == place else bit for at, bit in enumerate(defaults)]
            shown = self.with_bits(setting, bits).modifiers
            if f"{setting.word}:[{','.join(map(str, bits))}]" in shown:
                count += 1
            elif reference and self._has_word(setting, shown):
                return False, 0
        return count == len([each for each in setting.fields if each]), count

    def with_bits(self, setting: SettingRow, bits: Sequence[int]) -> Line:
        """Give the line in which a mask has some bits."""
        changed = dict(self.values)
        for reference, bit in zip(setting.fields, bits, strict=True):
            name, _, place = reference.rstrip("]").partition("[")
            if name:
                old = changed.get(name, 0) & ~(1 << int(place or 0))
                changed[name] = old | bit << int(place or 0)
        return self.form.ask(changed)

    def _has_word(self, setting: SettingRow, shown: tuple[str, ...]) -> bool:
        return any(each.startswith(f"{setting.word}:") for each in shown)

    def _value(self, setting: SettingRow) -> bool:
        """Whether the highest value stands behind the word."""
        changed, total = dict(self.values), 0
        for reference in setting.fields:
            name, _, bit = reference.rstrip("]").partition("[")
            width = self.encoding.by_name[name].width_bits
            mask = 1 << int(bit) if bit else (1 << width) - 1
            changed[name] = changed.get(name, 0) | mask
            total += mask.bit_count()
        texts = {"int": str((1 << total) - 1), "signed": "-1", "signed_hex": "0x1"}
        texts["table"] = f"0x{(1 << total) - 1:x}"
        if setting.kind == "signed_hex":
            changed = self.values | {setting.fields[0]: 1}
        shown = self.form.ask(changed).modifiers
        # Swizzles have words of their own; the number stands for them too.
        return f"{setting.word}:{texts.get(setting.kind)}" in shown or any(
            each.startswith(f"{setting.word}:swizzle(") for each in shown
        )
