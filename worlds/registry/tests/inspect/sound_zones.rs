//! What `check` calls sound opens, whatever the damage to the files of a zone.

use ironlands_assets_proof::mutant;

use super::*;
use ironlands_assets_evil_islands::level_scene::to_scene;
use ironlands_assets_evil_islands::mob::view::MapObject;
use ironlands_assets_evil_islands::test_zone::TestZone;
use ironlands_assets_evil_islands::zone::Zone;

#[test]
fn what_check_calls_sound_opens() {
    assert!(n_sound_mutants(12) > 8);
}

#[test]
#[ignore = "long: each sound mutant becomes a scene"]
fn what_check_calls_sound_opens_whatever_the_damage() {
    assert!(n_sound_mutants(400) > 200);
}

/// Damaged files of a zone, this many mutants of each: where `check` finds no error, the zone opens and makes a
/// sound scene; and whatever it finds, nothing panics. How many mutants had no error.
fn n_sound_mutants(n_seeds: u64) -> usize {
    let mut sound = TestZone::with_object(MapObject {
        template: "tower".to_owned(),
        ..MapObject::default()
    });
    // One sector, that with the liquid, is as good as four, and painted sooner.
    [sound.mp.x_sectors, sound.mp.y_sectors] = [1, 1];
    let wet = sound.sectors.remove(&[1, 0]).unwrap();
    sound.sectors = [([0, 0], wet)].into();
    let root = tempfile::tempdir().unwrap();
    let path = sound.write(root.path());
    let files = [
        "Maps/Zone9.mpr",
        "Maps/Zone9.MOB",
        "Res/figures.res",
        "Res/textures.res",
    ];
    let mut n_sound = 0;
    for (number, name) in files.into_iter().enumerate() {
        let file = root.path().join(name);
        let good = fs::read(&file).unwrap();
        for seed in 0..n_seeds {
            fs::write(&file, mutant(&good, 1000 * number as u64 + seed)).unwrap();
            let inspection = inspect(&path).unwrap();
            if inspection.count(Severity::Error) > 0 {
                continue;
            }
            n_sound += 1;
            let zone = Zone::open(&path, &[]);
            let zone = zone.unwrap_or_else(|error| panic!("{name}, seed {seed}: {error}"));
            let (scene, _) = to_scene(&zone);
            assert_eq!(scene.validate(), Ok(()), "{name}, seed {seed}");
        }
        fs::write(&file, good).unwrap();
    }
    n_sound
}
