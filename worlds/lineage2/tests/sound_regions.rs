//! Damaged regions of geodata: where `check` finds no error, the region is loaded, queried, and converted to every format.

use std::fs;
use std::path::Path;
use std::sync::atomic::AtomicBool;

use ironlands_assets_core::bytes::Severity;
use ironlands_assets_core::inspect::inspect;
use ironlands_assets_lineage2::convert::{ConvertOptions, convert};
use ironlands_assets_lineage2::{GeodataFormat, RegionPath, Tolerance};
use ironlands_sim_geodata::{GeoPoint, Profile};
use ironlands_world_lineage2::load_regions;
use proptest::prelude::*;
use proptest::sample::Index;

/// The demo's regions, in both formats that servers read.
const FILES: [&str; 2] = ["21_18.l2j", "20_18_conv.dat"];

/// Damage: bytes that are set, and where the file is cut, if it is.
type Damage = (Vec<(Index, u8)>, Option<Index>);

fn damage() -> impl Strategy<Value = Damage> {
    let edits = prop::collection::vec((any::<Index>(), any::<u8>()), 1..4);
    (edits, prop::option::weighted(0.1, any::<Index>()))
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 16, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn what_check_calls_sound_is_loaded_and_converted(
        name in prop::sample::select(&FILES[..]),
        (edits, cut) in damage(),
    ) {
        let demo = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../DATA/LINEAGE2");
        let mut bytes = fs::read(demo.join(name)).expect("the demo's region");
        let n_bytes = bytes.len();
        for (at, value) in edits {
            bytes[at.index(n_bytes)] = value;
        }
        if let Some(cut) = cut {
            bytes.truncate(cut.index(n_bytes));
        }
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join(name);
        fs::write(&path, bytes).expect("a file");
        let inspection = inspect(&path, ironlands_worlds::registry().formats()).expect("a file that is there");
        if inspection.count(Severity::Error) == 0 {
            open_and_convert(&path);
        }
    }
}

fn open_and_convert(path: &Path) {
    let file = RegionPath::new(path).expect("a name of a region");
    let region = file.open(Tolerance::STRICT).expect("check found no error");
    let (x, y) = region.region().id.corner();
    let geodata = load_regions(&[file], Tolerance::STRICT, &|_| {}, &AtomicBool::new(false));
    let geodata = geodata.expect("check found no error");
    let [from, to] = [[700, 900], [30_000, 2_000]].map(|[dx, dy]| GeoPoint::new(x + dx, y + dy, 0));
    geodata
        .straight_walk(from, to, &Profile::default())
        .expect("points of the region");
    for format in GeodataFormat::ALL {
        // Only its owner writes the one; texts of a whole region take seconds, and have tests of their own.
        if matches!(format, GeodataFormat::L2s | GeodataFormat::PathTxt) {
            continue;
        }
        let converted = convert(&region, format, &ConvertOptions::default());
        let converted = converted.expect("what is read is converted");
        converted
            .file
            .write()
            .expect("what is converted is written");
    }
}
