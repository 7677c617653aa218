//! Land after edits is the same as land that is built again.

use super::*;
use ironlands_sim_regions::{Block, Flat};

/// The corner block of a region at its south-east, and one in its middle.
const CORNER: u16 = 0xFFFF;
const MIDDLE: u16 = 5 * 256 + 7;

#[test]
fn changed_land_is_as_if_it_were_built_again() {
    let grounds = [
        random_at(1, 20, 18),
        random_at(2, 21, 18),
        random_at(3, 20, 19),
        random_at(4, 21, 19),
    ];
    let geodata = geodata_with(&grounds);
    let land = Land::new(geodata.clone(), Profile::ACIS);
    let id = grounds[0].region.id;
    for index in [MIDDLE, CORNER] {
        let high = Block::Flat(Flat::new(4000, 4000));
        let edited = geodata.with_blocks([(id, index, high)]);
        let changed = land.with_changes(edited.clone(), [(id, index)]);
        let again = Land::new(edited, Profile::ACIS);
        assert_eq!(changed.z_range(), again.z_range());
        assert_eq!(changed.z_range(), Some([0, 4000]));
        let corner = GeoCell::in_region(id, index, 0);
        let finest = [u32::from(corner.x), 65535 - u32::from(corner.y)].map(|at| at / 128);
        for level in 0..N_LEVELS {
            let key = |dx: u32, dy: u32| TileKey {
                level,
                x: (finest[0] >> level) + dx,
                y: (finest[1] >> level).saturating_sub(dy),
            };
            for key in [key(0, 0), key(1, 0), key(0, 1), key(1, 1)] {
                let tiles = [&changed, &again].map(|land| land.tile(key, TileShape::Slopes));
                assert_eq!(tiles[0], tiles[1], "{index} {key:?}");
            }
            let differs = land.tile(key(0, 0), TileShape::Slopes)
                != changed.tile(key(0, 0), TileShape::Slopes);
            assert!(differs, "{index} {level}");
        }
        // Rays from the region to the south-east, which look at what bounds say of both.
        let (x, y) = corner.center();
        for height in [100.0, 3900.0, 4100.0] {
            let ray = Ray {
                origin: Vec3::new(x as f32 + 900.0, -(y as f32) - 900.0, height),
                direction: Vec3::new(-1.0, 1.0, 0.0),
            };
            let ray = LandRay::new(&ray).unwrap();
            for shape in SHAPES {
                let [a, b] = [&changed, &again].map(|land| land.cast_ray(&ray, 1.0e5, shape));
                assert_eq!(
                    a.map(|hit| (hit.cell, hit.t)),
                    b.map(|hit| (hit.cell, hit.t))
                );
                assert_eq!(
                    a.is_some_and(|hit| hit.position.z > 250.0),
                    height == 3900.0
                );
            }
        }
    }
}

#[test]
fn a_region_that_is_read_again_is_shown_as_it_is_then() {
    let grounds = [random_at(1, 20, 18), random_at(2, 21, 18)];
    let land = Land::new(geodata_with(&grounds), Profile::ACIS);
    let id = grounds[0].region.id;
    let all = || (0..=u16::MAX).map(|index| (id, index));
    let other = random_at(9, 20, 18);
    let pack = std::sync::Arc::new(crate::RegionPack::new(&other.region));
    let geodata = land.geodata().with_region(id, pack);
    let changed = land.with_changes(geodata.clone(), all());
    let again = Land::new(geodata, Profile::ACIS);
    for level in [0, 4, 7] {
        let key = KEY.at_level(level);
        assert_eq!(
            changed.tile(key, TileShape::Slopes),
            again.tile(key, TileShape::Slopes)
        );
        assert_ne!(
            changed.tile(key, TileShape::Slopes),
            land.tile(key, TileShape::Slopes)
        );
    }
    let gone = land.with_changes(land.geodata().without_region(id), all());
    assert!(gone.tile(KEY, TileShape::Slopes).facets.is_empty());
    assert!(
        gone.tile(KEY.at_level(7), TileShape::Slopes)
            != again.tile(KEY.at_level(7), TileShape::Slopes)
    );
}
