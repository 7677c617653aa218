//! Paths: which regions they load, goals that cannot be reached, and zones that are kept beside regions.

use super::*;

/// Three flat regions in a row, each 196,608 bytes, with a closed yard in the first.
fn row_with_a_yard() -> World {
    let world = World::new();
    for x in 20..23 {
        let id = RegionId::new(x, 18).unwrap();
        let mut region = Region::flat(id, GROUND);
        if x == 20 {
            for block in [100, 101, 102].map(|bx| bx * 256 + 100) {
                for block in block..block + 3 {
                    let is_middle = block == 101 * 256 + 101;
                    let height = if is_middle { GROUND } else { GROUND + 800 };
                    region.blocks_mut()[block] = Block::Flat(Flat::new(height, height));
                }
            }
        }
        let file = L2j::from_region(&region, FlatRule::Max).write().unwrap();
        world.put(&format!("geodata/{x}_18.l2j"), &file);
    }
    world
}

/// The middle of the yard's block (101, 101).
const YARD: &str = "12992,12992,-3000";

#[test]
fn a_path_loads_the_regions_that_it_needs() {
    let world = row_with_a_yard();
    for (to, n_regions) in [("568,8,-3000", 1), ("33000,8,-3000", 2)] {
        let (code, path) = world.query("path", &[MIDDLE, to]);
        assert_eq!((code, &path["end"]), (0, &json!("reached")), "{to}");
        assert_eq!(path["n_regions"], n_regions, "{to}");
        assert_eq!(path["is_shortest"], true);
    }
    // One that is not needed may be broken.
    world.put("geodata/22_18.l2j", b"cut");
    assert_eq!(world.query("path", &[MIDDLE, "568,8,-3000"]).0, 0);
}

#[test]
fn a_closed_yard_is_reported_without_a_flood() {
    let world = row_with_a_yard();
    let counts = || {
        let (code, path) = world.query("path", &[MIDDLE, YARD]);
        assert_eq!((code, &path["end"]), (1, &json!("unreachable")));
        (
            path["n_expanded"].as_u64().unwrap(),
            path["n_regions"].clone(),
        )
    };
    // The first search, and then the basin of the goal.
    let (n_made, n_regions) = counts();
    assert!(
        n_made < 70_000,
        "{n_made} of 4 million in reach of one region"
    );
    assert_eq!(n_regions, 1);
    // Zones that are kept: the first search alone.
    let geodata = world.path("geodata");
    let (code, stdout, stderr) = run(&["geodata", "zones", &geodata]);
    assert_eq!(code, 0, "{stderr}");
    assert!(stdout.contains("acis.zones: 3 regions, "), "{stdout}");
    let (n_kept, _) = counts();
    assert_eq!(n_kept, 1 << 15);
    // Nothing of the user's is replaced without a request.
    let (code, _, stderr) = run(&["geodata", "zones", &geodata]);
    assert_eq!(code, 2);
    assert!(stderr.contains("--force"), "{stderr}");
    assert_eq!(run(&["geodata", "zones", &geodata, "--force"]).0, 0);
    let (code, _, _) = run(&["geodata", "zones", &world.path("geodata/20_18.l2j")]);
    assert_eq!(code, 2, "a file is no folder");
}

#[test]
fn zones_that_do_not_fit_are_reported_and_not_used() {
    let world = row_with_a_yard();
    let geodata = world.path("geodata");
    assert_eq!(run(&["geodata", "zones", &geodata]).0, 0);
    let sound = world.bytes("geodata/acis.zones");
    let query = || run(&["geodata", "path", &geodata, MIDDLE, YARD]);
    let mut damaged = sound.clone();
    damaged[30] ^= 1;
    for bytes in [&damaged[..], &sound[..100], b""] {
        world.put("geodata/acis.zones", bytes);
        let (code, stdout, stderr) = query();
        assert_eq!(code, 1, "{stderr}");
        assert!(stdout.contains("there is no path"), "{stdout}");
        assert!(stderr.contains("are not used"), "{stderr}");
    }
    // The yard is opened after zones were made of it closed.
    world.put("geodata/acis.zones", &sound);
    let id = RegionId::new(20, 18).unwrap();
    let open = L2j::from_region(&Region::flat(id, GROUND), FlatRule::Max);
    world.put("geodata/20_18.l2j", &open.write().unwrap());
    let (code, stdout, stderr) = query();
    assert_eq!(code, 0, "{stdout}{stderr}");
}
