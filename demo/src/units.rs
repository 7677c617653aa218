//! What objects are called: prototypes, and the unit files that the missions and the list of buildings name.

use ironlands_assets_parkan::nres::{Entry, NRes};
use ironlands_assets_parkan::registry::{ObjectRef, Prototype};
use ironlands_assets_parkan::unit_dat::{ComponentType, UnitDat, UnitRecord};

use crate::models::{CANNON_SOCKET, TURRET_SOCKET};
use crate::{DemoError, libraries};

/// The registry, in whose place references to prototypes lead.
const REGISTRY: &str = "objects.rlb";
/// Prototypes: name, archive, resource. Those that lead to the registry inherit a mesh from another one.
const PROTOTYPES: [(&str, &str, &str); 18] = [
    ("walker", "bases.rlb", "WALKER.msh"),
    ("walker_scout", REGISTRY, "walker"),
    ("fr_post", "fortif.rlb", "FR_POST.msh"),
    ("fr_post_01", REGISTRY, "fr_post"),
    ("fr_gun", "fortif.rlb", "FR_GUN.msh"),
    ("tr_head", "turrets.rlb", "TR_HEAD.msh"),
    ("gn_twin", "guns.rlb", "GN_TWIN.msh"),
    ("tree_pine", "static.rlb", "PINE.msh"),
    ("tree_pine_01", REGISTRY, "tree_pine"),
    ("tree_oak", "static.rlb", "OAK.msh"),
    ("stone_01", "static.rlb", "ROCK_1.msh"),
    ("stone_02", REGISTRY, "stone_01"),
    ("crate", "static.rlb", "CRATE.msh"),
    ("beacon", "static.rlb", "BEACON.msh"),
    ("brazier", "static.rlb", "BRAZIER.msh"),
    ("fountain", "static.rlb", "FOUNTAIN.msh"),
    ("portal", "static.rlb", "PORTAL.msh"),
    ("scrap", "static.rlb", "SCRAP.msh"),
];

/// Scheme types of buildings and of fighting machines.
const CLASS_BUILDING: u32 = 0x8000_0000;
const BATTLE_UNIT: u32 = 0x0100_8000;

/// Unit files that stand for machines: path below `UNITS/UNITS`, archive and resource.
const MACHINES: [(&str, &str, &str); 2] = [
    ("WALKER.dat", "bases.rlb", "WALKER.msh"),
    ("SCOUT.dat", REGISTRY, "walker_scout"),
];

/// `objects.rlb`.
pub fn registry() -> Result<Vec<u8>, DemoError> {
    let entry = |(name, archive, resource): (&str, &str, &str)| -> Result<Entry, DemoError> {
        let it = ObjectRef::new(archive, resource).expect("names are short");
        let prototype = Prototype { refs: vec![it] };
        Ok(Entry::new(0, 0, 0, 0, name, prototype.write()?)?)
    };
    let entries = PROTOTYPES
        .into_iter()
        .map(entry)
        .collect::<Result<_, _>>()?;
    Ok(NRes::from_entries(entries).write()?)
}

/// All unit files, by path below the root: the machines, and each building of `BuildDat.lst`.
pub fn unit_files() -> Result<Vec<(String, Vec<u8>)>, DemoError> {
    let mut files = Vec::new();
    for (path, archive, resource) in MACHINES {
        let chassis = record(archive, resource, ComponentType::Chassis, 0);
        let unit = unit(BATTLE_UNIT, vec![chassis]);
        files.push((format!("UNITS/UNITS/{path}"), unit.write()?));
    }
    for (mask, path) in libraries::buildings() {
        let records = match is_armed(&path) {
            true => emplacement(),
            false => vec![record(REGISTRY, "fr_post_01", ComponentType::Chassis, 0)],
        };
        let bytes = unit(CLASS_BUILDING | mask, records).write()?;
        files.push((path.replace('\\', "/"), bytes));
    }
    Ok(files)
}

/// Bunkers and towers carry guns.
fn is_armed(path: &str) -> bool {
    path.contains("BUNKERS") || path.contains("TOWERS")
}

/// A base with a turret on it, and a cannon on that.
fn emplacement() -> Vec<UnitRecord> {
    let carrying = |record: UnitRecord| UnitRecord {
        n_children: 1,
        ..record
    };
    let sockets = [TURRET_SOCKET, CANNON_SOCKET];
    let turret = record(
        "turrets.rlb",
        "TR_HEAD.msh",
        ComponentType::Turret,
        sockets[0],
    );
    let cannon = record("guns.rlb", "GN_TWIN.msh", ComponentType::Cannon, sockets[1]);
    vec![
        carrying(record(
            "fortif.rlb",
            "FR_GUN.msh",
            ComponentType::Chassis,
            0,
        )),
        carrying(turret),
        cannon,
    ]
}

fn record(archive: &str, resource: &str, sort: ComponentType, piece: usize) -> UnitRecord {
    let record = UnitRecord::new(archive, resource, sort).expect("names are short");
    UnitRecord {
        attach_idx: piece as i32,
        ..record
    }
}

fn unit(scheme: u32, records: Vec<UnitRecord>) -> UnitDat {
    UnitDat {
        unknown_02: [0; 2],
        scheme,
        records,
    }
}
