//! The table of dependencies between our crates.

/// Which of our crates each crate may depend on, by their folders.
pub const ARROWS: [(&str, &[&str]); 35] = [
    ("scene", &[]),
    ("tests/real-data", &[]),
    // The code that it makes names the traits that it implements.
    ("assets-loader/record-derive", &["assets-loader/core"]),
    ("assets-loader/core", &["assets-loader/record-derive"]),
    ("assets-loader/proof", &["assets-loader/core"]),
    ("assets-loader/parkan", FORMATS_NEED),
    ("assets-loader/evil-islands", FORMATS_NEED),
    ("assets-loader/source", FORMATS_NEED),
    (
        "assets-loader/lineage2",
        &[
            "scene",
            "assets-loader/core",
            "assets-loader/proof",
            "sim/regions",
        ],
    ),
    // No file, no world: what queries triangles alone is built with nothing else.
    ("sim/core", &[]),
    ("sim/world", &["scene", "sim/core"]),
    // Plain data that the readers of regions fill and the queries take.
    ("sim/regions", &[]),
    ("sim/animation", &["sim/core"]),
    ("sim/areal", &["sim/core"]),
    ("sim/brush", &["sim/core"]),
    // Collision comes in through a trait.
    ("sim/entities", &[]),
    ("sim/geodata", &["scene", "sim/core", "sim/regions"]),
    (
        "sim",
        &[
            "sim/core",
            "sim/world",
            "sim/animation",
            "sim/areal",
            "sim/brush",
            "sim/entities",
            "sim/geodata",
        ],
    ),
    // Public formats of any model; what is one world's own lies in that world.
    ("exchange", &["assets-loader/core", "scene"]),
    // What a world gives the engine, without any world.
    (
        "worlds/kind",
        &[
            "assets-loader/core",
            "scene",
            "sim/core",
            "sim/world",
            "exchange",
        ],
    ),
    (
        "worlds/parkan",
        &[
            "assets-loader/core",
            "assets-loader/parkan",
            "assets-loader/proof",
            "scene",
            "sim/core",
            "sim/world",
            "sim/animation",
            "sim/areal",
            "exchange",
            "worlds/kind",
        ],
    ),
    (
        "worlds/evil-islands",
        &[
            "assets-loader/core",
            "assets-loader/evil-islands",
            "scene",
            "sim/core",
            "sim/world",
            "exchange",
            "worlds/kind",
            "tests/real-data",
        ],
    ),
    (
        "worlds/source",
        &[
            "assets-loader/core",
            "assets-loader/source",
            "scene",
            "sim/core",
            "sim/world",
            "sim/brush",
            "sim/entities",
            "exchange",
            "worlds/kind",
            "tests/real-data",
        ],
    ),
    (
        "worlds/lineage2",
        &[
            "assets-loader/core",
            "assets-loader/lineage2",
            "scene",
            "exchange",
            "sim/core",
            "sim/world",
            "sim/geodata",
            "worlds/kind",
            // Tests inspect with the formats of all worlds.
            "worlds/registry",
            "tests/real-data",
        ],
    ),
    // The one list of worlds. Its tests see the files of all of them.
    (
        "worlds/registry",
        &[
            "worlds/kind",
            "worlds/parkan",
            "worlds/evil-islands",
            "worlds/source",
            "worlds/lineage2",
            "assets-loader/core",
            "assets-loader/proof",
            "assets-loader/parkan",
            "assets-loader/evil-islands",
            "assets-loader/source",
            "assets-loader/lineage2",
            "tests/real-data",
        ],
    ),
    ("renderer", &["scene"]),
    ("sound", &["scene"]),
    (
        "demo",
        &[
            "assets-loader/core",
            "assets-loader/parkan",
            "assets-loader/evil-islands",
            "assets-loader/source",
            "assets-loader/lineage2",
        ],
    ),
    (
        "demo/program",
        &["assets-loader/core", "worlds/kind", "demo"],
    ),
    (
        "query-bench",
        &[
            "assets-loader/core",
            "assets-loader/parkan",
            "assets-loader/lineage2",
            "sim/core",
            "tests/real-data",
        ],
    ),
    // Geodata for servers: what the bindings share, and the bindings, which know nothing else.
    (
        "bindings/set",
        &["assets-loader/lineage2", "sim/geodata", "worlds/lineage2"],
    ),
    ("bindings/c", BINDINGS_NEED),
    ("bindings/java", BINDINGS_NEED),
    ("bindings/python", BINDINGS_NEED),
    (
        ".",
        &[
            "scene",
            "assets-loader/core",
            "sim",
            "worlds/kind",
            "worlds/registry",
            "renderer",
            "sound",
            "demo",
            "exchange",
            "query-bench",
            "tests/real-data",
        ],
    ),
];

/// What the bindings for a language may depend on.
const BINDINGS_NEED: &[&str] = &["bindings/set", "tests/real-data"];

/// What the formats of each world may depend on: never on those of another.
const FORMATS_NEED: &[&str] = &[
    "scene",
    "assets-loader/core",
    "assets-loader/proof",
    "tests/real-data",
];
