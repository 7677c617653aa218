//! Command lines that the help shows.

use ironlands_world_kind::Example;

pub(super) const EXAMPLES: &[Example] = &[
    Example::new(
        "ironlands --mission DATA/MISSIONS/single.01",
        "Open the level of a mission, with the objects of that mission.",
    ),
    Example::new(
        "ironlands --model DATA/bases.rlb/WALKER.MSH",
        "View a model: drag to turn it; the panel plays its animation.",
    ),
    Example::new(
        "ironlands --model DATA/bases.rlb/WALKER.MSH --frame 12 --turn 90 --render walker.png",
        "Render one frame of it from another side, without a window.",
    ),
    Example::new(
        "ironlands --model DATA/effects.rlb/FIRE --frame 20 --render fire.png",
        "Render a moment of an effect; in a window the panel plays it. A second has 15 frames.",
    ),
    Example::new(
        "ironlands check DATA/MAPS/Map01/Land.msh Textures.lib",
        "Validate two files.",
    ),
    Example::new(
        "ironlands check DATA/bases.rlb/WALKER.MSH",
        "Validate one entry of an archive.",
    ),
    Example::new(
        "ironlands info DATA/MAPS/Map01/Land.msh",
        "Describe a terrain: counts, bounds and chunks.",
    ),
    Example::new(
        "ironlands info Textures.lib",
        "List the entries of an archive with type, size and offset.",
    ),
    Example::new(
        "ironlands extract DATA/Textures.lib SAND.0 --to files",
        "Extract one entry of a Parkan archive.",
    ),
    Example::new(
        "ironlands export bases.rlb/WALKER.MSH --to walker.glb",
        "Export a model as one file: nodes, meshes, materials, textures, and all frames as one animation.",
    ),
    Example::new(
        "ironlands export tank.msh --to tank.obj --state 1",
        "Export the destroyed state of a tank; tank.mtl and its textures are written beside it.",
    ),
    Example::new(
        "ironlands import walker.glb --to walker.msh",
        "Create a model, and walker.wea with the names of its materials, which the game looks up in its Material.lib.",
    ),
    Example::new(
        "ironlands import house.obj --to house.msh --force",
        "Create a model from an OBJ; each group becomes a node. Overwrites house.msh and house.wea.",
    ),
    Example::new(
        "ironlands import land.json --to Land.msh",
        "Create land from a list that names a height picture and masks of surfaces; --to Land.map creates its areals.",
    ),
    Example::new(
        "ironlands import land.glb --to Land.msh --base DATA/MAPS/Map01/Land.msh",
        "Create land from glTF that was exported from Land.msh and edited; the old file gives what glTF has no place for.",
    ),
];
