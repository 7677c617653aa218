//! Command lines that the help shows.

use ironlands_world_kind::Example;

pub(super) const EXAMPLES: &[Example] = &[
    Example::new(
        "ironlands --level Maps/zone1.mpr --hour 19:30 --play Cameras/intro.cam",
        "Open an Evil Islands zone in the evening and play a camera path; --record DIR renders it to numbered pictures.",
    ),
    Example::new(
        "ironlands --model DATA/EVIL_ISLANDS/Res/figures.res/unhuma.mod --animation cwalk01 --complection 0.2,0.8,1",
        "View a figure; the panel controls its build, animations and parts.",
    ),
    Example::new(
        "ironlands extract Res/figures.res unhufe.mod unhufe.anm --nested --to files",
        "Extract a model and its animations from an Evil Islands RES archive, down to each mesh and animation: nested\n          archives become folders, and files without an extension get one (.fig, .lnk, .bon, .anm).",
    ),
    Example::new(
        "ironlands pack files --to mine.res",
        "Create an Evil Islands RES archive; .mpr, .mq, .mod, .bon and .anm are RES archives too. Subfolders whose names\n          end in one of these become nested archives; their files lose the extensions that `extract` added.",
    ),
    Example::new(
        "ironlands pack files --archive figures.res --to figures_new.res",
        "Add the files of the folder to an archive; --replace-all keeps only those of the folder. Unchanged entries are\n          kept as they are; if nothing changes, the output is identical byte for byte.",
    ),
    Example::new(
        "ironlands export Res/textures.res/wood01.mmp --to wood01.png",
        "Export an Evil Islands texture from its archive; .dds keeps all mip levels and the stored blocks.",
    ),
    Example::new(
        "ironlands export Res/figures.res/unhufe.mod --to unhufe.glb",
        "Export an Evil Islands figure: parts, their eight states as morph targets, animations, textures.",
    ),
    Example::new(
        "ironlands export Maps/zone1.mob --to zone1.json",
        "Export the objects and the script of an Evil Islands zone as JSON.",
    ),
    Example::new(
        "ironlands export database.res/items.idb --to items.csv",
        "Export a database as one file per table, items.TABLE.csv; --to items.json writes a single file.",
    ),
    Example::new(
        "ironlands import wood01.png --to wood01.mmp --pixels dxt3",
        "Create an Evil Islands texture from a picture, with all mip levels.",
    ),
    Example::new(
        "ironlands import unhufe.glb --to unhufe.mod",
        "Create an Evil Islands figure, with unhufe.bon and unhufe.anm, from a GLB that `ironlands export` wrote.",
    ),
    Example::new(
        "ironlands import unhufe.glb --to unhufe.mod --base figures.res/unhufe.mod",
        "The same, with unhufe.adb; animation tracks that are unchanged in the GLB are copied from the base bit for bit.",
    ),
    Example::new(
        "ironlands import zone1.json --to Maps/zone1.mob --force",
        "Create the objects and the script of a zone from JSON that `ironlands export` wrote.",
    ),
    Example::new(
        "ironlands import items.csv --to new.idb --base items.idb",
        "Create a database from base tables and the tables beside items.csv: items.TABLE.csv.",
    ),
];
