//! Command lines that the help shows.

use ironlands_world_kind::Example;

pub(super) const EXAMPLES: &[Example] = &[
    Example::new(
        "ironlands --level DATA/SOURCE/demo.bsp --mode walk",
        "Walk through a Source engine map; --assets names the folder of its game.",
    ),
    Example::new(
        "ironlands extract de_map.bsp --to files",
        "Extract the pakfile of a Source map.",
    ),
    Example::new(
        "ironlands extract de_map.bsp materials/maps --to files",
        "Extract one folder of the pakfile.",
    ),
    Example::new(
        "ironlands extract hl2_textures_dir.vpk --to files",
        "Extract all files of a VPK; pass its _dir file.",
    ),
    Example::new(
        "ironlands pack files --archive de_map.bsp --to de_map_packed.bsp",
        "Add the files of the folder to the pakfile of the map. If both have a file of the same name, the one in the\n          folder is used. The rest of the map stays identical byte for byte.",
    ),
    Example::new(
        "ironlands pack files --archive de_map.bsp --replace-all --to de_map_packed.bsp",
        "Replace the pakfile of the map with the files of the folder. Lists every file that is removed.",
    ),
    Example::new(
        "ironlands export de_map.bsp --to de_map.vmf",
        "Decompile a Source map for its editor: brushes, displacements, entities with their outputs, props.",
    ),
];
