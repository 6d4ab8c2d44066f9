"""The files that stand beside a KiCad board: the project with its design rules, library tables.

Without the project file KiCad checks against its own rules, without the tables against whatever
the home folder has. So both are written with every board.
"""

import json

from draw import CLEARANCE, DRILL, VIA
from parts import KINDS

RULES = {
    "min_clearance": CLEARANCE, "min_track_width": 0.2, "min_via_diameter": VIA,
    "min_through_hole_diameter": DRILL, "min_via_annular_width": 0.13,
    "min_hole_clearance": 0.25, "min_hole_to_hole": 0.25, "min_copper_edge_clearance": 0.4,
    "min_silk_clearance": 0.0, "min_text_height": 0.8, "min_text_thickness": 0.08,
    "min_resolved_spokes": 1, "solder_mask_to_copper_clearance": 0.0,
}
NET_CLASS = {
    "name": "Default", "clearance": CLEARANCE, "track_width": 0.25, "via_diameter": VIA,
    "via_drill": DRILL, "microvia_diameter": 0.3, "microvia_drill": 0.1, "diff_pair_gap": 0.25,
    "diff_pair_via_gap": 0.25, "diff_pair_width": 0.2, "bus_width": 12, "wire_width": 6,
    "line_style": 0, "pcb_color": "rgba(0, 0, 0, 0.000)",
    "schematic_color": "rgba(0, 0, 0, 0.000)", "priority": 2147483647,
}


def write_project(circuit, folder):
    """Writes `<name>.kicad_pro` and both library tables."""
    project = {
        "board": {"design_settings": {"rules": RULES, "rule_severities": {}}},
        "meta": {"filename": f"{circuit.name}.kicad_pro", "version": 3},
        "net_settings": {"classes": [NET_CLASS], "meta": {"version": 4}},
        "schematic": {"meta": {"version": 1}},
        "sheets": [], "text_variables": {},
    }
    (folder / f"{circuit.name}.kicad_pro").write_text(json.dumps(project, indent=2) + "\n")
    kinds = [KINDS[part.kind] for part in circuit.parts.values()]
    write_table(folder / "fp-lib-table", "fp_lib_table", {kind.footprint for kind in kinds},
                "${KICAD9_FOOTPRINT_DIR}/%s.pretty")
    write_table(folder / "sym-lib-table", "sym_lib_table",
                {kind.symbol for kind in kinds} | {"power:PWR_FLAG"},
                "${KICAD9_SYMBOL_DIR}/%s.kicad_sym")


def write_table(path, head, names, place):
    """A library table that names just the libraries in use."""
    lines = [f"({head}", "  (version 7)"]
    for library in sorted({name.split(":")[0] for name in names}):
        lines.append(f'  (lib (name "{library}")(type "KiCad")(uri "{place % library}")'
                     '(options "")(descr ""))')
    path.write_text("\n".join(lines + [")"]) + "\n")
