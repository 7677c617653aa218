//! Command lines that the help shows.

use ironlands_world_kind::Example;

pub(super) const EXAMPLES: &[Example] = &[
    Example::new(
        "ironlands --level DATA/LINEAGE2 --water-level -3780",
        "Open Lineage II geodata, one region or a folder of them; a second click finds the path from the first.",
    ),
    Example::new(
        "ironlands convert geodata --format l2j --to l2j",
        "Convert Lineage II geodata to another format.",
    ),
    Example::new(
        "ironlands geodata map geodata --to world.png",
        "Render it from above; `ironlands geodata --help` lists queries and comparisons.",
    ),
    Example::new(
        "ironlands check geodata",
        "Validate all geodata regions, and how they match at their borders.",
    ),
    Example::new(
        "ironlands info geodata",
        "List geodata regions in a table, with totals and memory use.",
    ),
    Example::new(
        "ironlands export geodata/22_22.l2j --to giran.glb",
        "Export a geodata region: flat cells of all layers with walls between them, colored by height.",
    ),
];
