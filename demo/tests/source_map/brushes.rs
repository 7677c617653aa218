//! The tree against the brushes.

use ironlands_assets_source::bsp::{Contents, Map};
use ironlands_demo::source_map::brushes::{Brush, SurfaceMaterial, flags};
use ironlands_demo::source_map::entities::EntityPlan;
use ironlands_demo::source_map::{MapPlan, compile};

use crate::{Random, Vec3, demo_map};

/// Whether a point lies in a brush of the map, and how far it is from all of its sides at least.
fn depth(map: &Map, brush: usize, point: Vec3) -> (bool, f64) {
    let brush = &map.brushes[brush];
    let sides = &map.brush_sides[brush.first_side as usize..][..brush.n_sides as usize];
    let distances = sides.iter().filter(|side| side.bevel == 0).map(|side| {
        let plane = &map.planes[side.plane as usize];
        let normal = plane.normal.map(f64::from);
        normal[0] * point[0] + normal[1] * point[1] + normal[2] * point[2] - f64::from(plane.dist)
    });
    let furthest = distances.clone().fold(f64::MIN, f64::max);
    let nearest = distances.fold(f64::MAX, |least, d| least.min(d.abs()));
    (furthest <= 0.0, nearest)
}

/// Contents of all brushes of the world around a point; `None` where it nearly touches a side.
fn brute_force(map: &Map, point: Vec3) -> Option<i32> {
    let mut contents = 0;
    for brush in map.world_brushes(0) {
        let (is_inside, nearest) = depth(map, brush as usize, point);
        if nearest < 0.1 {
            return None;
        }
        if is_inside {
            contents |= map.brushes[brush as usize].contents;
        }
    }
    Some(contents)
}

#[test]
fn contents_of_the_tree_are_those_of_the_brushes() {
    let map = demo_map();
    let mut random = Random(7);
    let (mut n_solid, mut n_water, mut n_detail) = (0, 0, 0);
    for _ in 0..20_000 {
        let point = random.point([-700.0, -540.0, -120.0], [1050.0, 860.0, 330.0]);
        let Some(expected) = brute_force(map, point) else {
            continue;
        };
        let leaf = &map.leaves[map.leaf_at(0, point.map(|c| c as f32))];
        // Space that nothing can reach is solid in the tree.
        if expected == 0 && leaf.contents & Contents::SOLID.bits() != 0 {
            assert_eq!(leaf.cluster, -1, "{point:?}");
            continue;
        }
        let first = leaf.first_leaf_brush as usize;
        let brushes = &map.leaf_brushes[first..first + leaf.n_leaf_brushes as usize];
        let found = brushes
            .iter()
            .filter(|brush| depth(map, **brush as usize, point).0)
            .fold(0, |contents, brush| {
                contents | map.brushes[*brush as usize].contents
            });
        assert_eq!(found, expected, "{point:?}");
        let divides = |contents: i32| contents & (Contents::SOLID | Contents::WATER).bits();
        if expected & Contents::DETAIL.bits() == 0 {
            assert_eq!(divides(leaf.contents), divides(expected), "{point:?}");
        }
        n_solid += usize::from(leaf.contents & Contents::SOLID.bits() != 0);
        n_water += usize::from(leaf.contents & Contents::WATER.bits() != 0);
        n_detail += usize::from(expected & Contents::DETAIL.bits() != 0);
    }
    assert!(
        n_solid > 500 && n_water > 100 && n_detail > 100,
        "{n_solid} {n_water} {n_detail}"
    );
}

/// A sealed room of blocks; `leave_out` is one of its six walls.
pub fn room(leave_out: Option<usize>) -> MapPlan {
    let (low, high) = ([-128.0, -128.0, 0.0], [128.0, 128.0, 128.0]);
    let mut plan = MapPlan {
        materials: vec![SurfaceMaterial {
            name: "test/wall".to_owned(),
            flags: 0,
            size: [64; 2],
            units_per_texel: 0.5,
            units_per_luxel: 16.0,
            reflectivity: [0.0; 3],
            beneath: None,
        }],
        entities: vec![
            EntityPlan::new("worldspawn"),
            EntityPlan::new("info_player_start").at([0.0, 0.0, 16.0]),
        ],
        ..MapPlan::default()
    };
    for side in 0..6 {
        if Some(side) == leave_out {
            continue;
        }
        let (axis, is_high) = (side / 2, side % 2 == 1);
        let mut wall = [low.map(|c: f64| c - 16.0), high.map(|c: f64| c + 16.0)];
        if is_high {
            wall[0][axis] = high[axis];
        } else {
            wall[1][axis] = low[axis];
        }
        plan.brushes.push(Brush::block(wall[0], wall[1], 0));
    }
    plan
}

#[test]
fn a_room_without_a_wall_leaks_and_names_the_entity() {
    assert!(compile(&room(None)).is_ok());
    for side in 0..6 {
        let leak = compile(&room(Some(side))).unwrap_err();
        assert_eq!(leak.entity, "info_player_start", "wall {side}");
        assert_eq!(leak.origin, [0.0, 0.0, 16.0], "wall {side}");
        let text = leak.to_string();
        assert!(
            text.starts_with("info_player_start at (0 0 16) leaks into the void at"),
            "{text}"
        );
    }
}

#[test]
fn faces_outside_of_the_level_are_gone() {
    let map = compile(&room(None)).unwrap();
    assert_eq!(map.faces.len(), 6, "each wall shows one side");
    let area: f32 = map.faces.iter().map(|face| face.area).sum();
    assert_eq!(area, 2.0 * 256.0 * 256.0 + 4.0 * 256.0 * 128.0);
}

#[test]
fn a_detail_neither_cuts_walls_nor_divides_leaves() {
    let mut plan = room(None);
    plan.brushes
        .push(Brush::block([-16.0, -16.0, 0.0], [16.0, 16.0, 64.0], 0).detail());
    let map = compile(&plan).unwrap();
    let open = map
        .leaves
        .iter()
        .skip(1)
        .filter(|leaf| leaf.cluster >= 0)
        .count();
    assert_eq!(open, 1);
    assert_eq!(map.faces.len(), 6 + 5, "its foot stands on the floor");
    assert_eq!(map.faces.iter().filter(|face| face.on_node == 0).count(), 5);
}

#[test]
fn water_shows_its_surface_from_above_and_below() {
    let mut plan = room(None);
    let material = |flags: i32, beneath: Option<usize>| SurfaceMaterial {
        flags,
        beneath,
        ..plan.materials[0].clone()
    };
    let special = [
        material(flags::WARP | flags::NOLIGHT, Some(2)),
        material(flags::WARP | flags::NOLIGHT, None),
        material(flags::NODRAW | flags::NOLIGHT, None),
    ];
    plan.materials.extend(special);
    let water = Brush::block([-128.0, -128.0, 0.0], [128.0, 128.0, 32.0], 3)
        .facing([0.0, 0.0, 1.0], 1)
        .with_contents(flags::WATER);
    plan.brushes.push(water);
    let map = compile(&plan).unwrap();
    let surfaces: Vec<f32> = map
        .faces
        .iter()
        .filter(|face| map.texinfos[face.texinfo as usize].flags & flags::WARP != 0)
        .map(|face| map.planes[face.plane as usize].normal[2])
        .collect();
    assert_eq!(surfaces.len(), 2);
    assert!(
        surfaces.contains(&1.0) && surfaces.contains(&-1.0),
        "{surfaces:?}"
    );
    let leaf = &map.leaves[map.leaf_at(0, [0.0, 0.0, 16.0])];
    assert_eq!(leaf.contents, Contents::WATER.bits());
    assert_eq!(map.leaf_water[leaf.water as usize].surface_z, 32.0);
}
