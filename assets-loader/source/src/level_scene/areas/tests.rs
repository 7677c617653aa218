use super::*;
use crate::bsp::test_map::sample_map;
use crate::bsp::{Area, OccluderPoly, Occlusion};
use crate::entities::EntitySyntax;

/// The sample map with its two rooms in areas of their own, and portals of these keys from 1 to 2, on both sides.
fn two_areas(keys: &[u32]) -> Map {
    let mut map = sample_map(20);
    for leaf in map.leaves.iter_mut().filter(|leaf| leaf.cluster >= 0) {
        leaf.area = leaf.cluster as u32 + 1;
    }
    map.clip_portal_vertices = vec![
        [0.0, -64.0, 0.0],
        [0.0, 64.0, 0.0],
        [0.0, 64.0, 64.0],
        [0.0, -64.0, 64.0],
    ];
    let portal = |portal_key, other_area| bsp::AreaPortal {
        portal_key,
        other_area,
        first_clip_portal_vertex: 0,
        n_clip_portal_vertices: 4,
        plane: 0,
    };
    map.area_portals = vec![bsp::AreaPortal::default()];
    map.area_portals
        .extend(keys.iter().map(|key| portal(*key, 2)));
    map.area_portals
        .extend(keys.iter().map(|key| portal(*key, 1)));
    let n = keys.len() as i32;
    let area = |first_area_portal| Area {
        n_area_portals: n,
        first_area_portal,
    };
    map.areas = vec![Area::default(), area(1), area(1 + n)];
    map
}

fn entities(text: &str) -> Entities {
    let text = format!("{{ \"classname\" \"worldspawn\" }}\n{text}");
    Entities::read(text.as_bytes(), EntitySyntax::Plain).unwrap()
}

#[test]
fn portals_are_those_of_their_entities() {
    let map = two_areas(&[1, 2, 3, 4]);
    let entities = entities(
        r#"
        { "classname" "func_areaportal" "portalnumber" "2" "StartOpen" "0" "target" "DOOR" }
        { "classname" "func_door" "targetname" "door" "portalnumber" "1" }
        { "classname" "func_areaportalwindow" "portalnumber" "3" "FadeStartDist" "300" "FadeDist" "512" "target" "pane" }
        { "classname" "func_areaportal" "portalnumber" "4" "StartOpen" "1" }
        { "classname" "func_brush" "targetname" "Pane" }
        "#,
    );
    let cells = Cells::new(&map);
    let (areas, owners) = areas(&map, &entities, &cells);
    let found: Vec<_> = areas
        .portals
        .iter()
        .map(|it| (it.areas, it.is_open))
        .collect();
    let both = [1, 2];
    assert_eq!(
        found,
        [(both, true), (both, false), (both, true), (both, true)]
    );
    let far: Vec<_> = areas.portals.iter().map(|it| it.max_distance).collect();
    let ever = f32::INFINITY;
    assert_eq!(far, [ever, ever, 512.0, ever]);
    let owner = |entity, door: Option<usize>| PortalOwner {
        entity,
        doors: door.into_iter().collect(),
    };
    let expected = [
        owner(None, None),
        owner(Some(1), Some(2)),
        owner(Some(3), None),
        owner(Some(4), None),
    ];
    assert_eq!(owners, expected);
    assert_eq!(areas.of_cells, [Some(1), Some(2)]);
    let fades = window_fades(&entities);
    assert_eq!(fades.get("pane"), Some(&[300.0, 512.0]));
}

#[test]
fn what_leads_nowhere_is_no_portal() {
    let entities = entities("");
    let made = |change: fn(&mut Map)| {
        let mut map = two_areas(&[7]);
        change(&mut map);
        let (areas, owners) = areas(&map, &entities, &Cells::new(&map));
        assert_eq!(areas.portals.len(), owners.len());
        (areas.portals.len(), areas.of_cells.len())
    };
    assert_eq!(made(|_| {}), (1, 2));
    assert_eq!(
        made(|map| map.areas[1].n_area_portals = 0),
        (1, 2),
        "the other side has it"
    );
    for (name, change) in [
        (
            "beyond all areas",
            (|map| map.areas.truncate(2)) as fn(&mut Map),
        ),
        ("two corners", |map| {
            for portal in &mut map.area_portals {
                portal.n_clip_portal_vertices = 2;
            }
        }),
        ("beyond all corners", |map| {
            for portal in &mut map.area_portals {
                portal.first_clip_portal_vertex = u32::MAX;
            }
        }),
        ("no place", |map| map.clip_portal_vertices[2][0] = f32::NAN),
        ("to itself", |map| {
            map.area_portals[1].other_area = 1;
            map.area_portals[2].other_area = 2;
        }),
        ("too many corners", |map| {
            map.clip_portal_vertices.resize(65, [0.0; 3]);
            for portal in &mut map.area_portals {
                portal.n_clip_portal_vertices = 65;
            }
        }),
        ("no range", |map| {
            for area in &mut map.areas {
                area.first_area_portal = -1;
            }
        }),
    ] {
        assert_eq!(made(change), (0, 0), "{name}");
    }
}

#[test]
fn one_portal_that_leads_nowhere_lets_all_others_hide_nothing() {
    let mut map = two_areas(&[7, 8]);
    let (areas_of_sound, _) = areas(&map, &entities(""), &Cells::new(&map));
    assert_eq!(areas_of_sound.portals.len(), 2);
    // Of one of them both sides.
    for index in [2, 4] {
        map.area_portals[index].n_clip_portal_vertices = 0;
    }
    let (found, owners) = areas(&map, &entities(""), &Cells::new(&map));
    assert_eq!((found, owners), (Areas::default(), Vec::new()));
}

#[test]
fn cells_of_several_areas_are_in_none() {
    let mut map = two_areas(&[1]);
    let of_cells = |map: &Map| Cells::new(map).areas();
    assert_eq!(of_cells(&map), [Some(1), Some(2)]);
    let first = map
        .leaves
        .iter()
        .position(|it| it.cluster == 0 && it.area == 1);
    let copy = map.leaves[first.expect("the first room")];
    map.leaves.push(bsp::Leaf { area: 2, ..copy });
    map.leaves.push(copy);
    assert_eq!(of_cells(&map), [None, Some(2)]);
    let second = map.leaves.iter_mut().find(|it| it.cluster == 1);
    second.expect("the second room").area = 3;
    assert_eq!(of_cells(&map), [None; 2], "the map has no area 3");
}

#[test]
fn occluders_have_the_corners_of_their_polygons() {
    let mut map = sample_map(20);
    let occluder = |first_poly, n_polys| bsp::Occluder {
        flags: 1,
        first_poly,
        n_polys,
        ..bsp::Occluder::default()
    };
    let poly = |first_vertex_index, n_vertices| OccluderPoly {
        first_vertex_index,
        n_vertices,
        plane: 0,
    };
    map.occlusion = Occlusion {
        occluders: vec![occluder(0, 2), occluder(1, 1), occluder(0, 9)],
        polys: vec![poly(0, 3), poly(2, 4)],
        vertex_indices: vec![0, 1, 2, 3, 4, -1],
    };
    let entities = entities(
        r#"
        { "classname" "func_occluder" "occludernumber" "1" "StartActive" "1" }
        { "classname" "func_occluder" "occludernumber" "2" "StartActive" "0" }
        "#,
    );
    let (made, owners) = occluders(&map, &entities);
    assert_eq!(owners, [None, Some(1), Some(2)]);
    let is_active: Vec<_> = made.iter().map(|it| it.is_active).collect();
    assert_eq!(is_active, [false, true, false]);
    let triangle = [0, 1, 2].map(|index| map.vertices[index]).to_vec();
    assert_eq!(
        made[0].polygons,
        [triangle],
        "the second has a corner that is none"
    );
    assert!(made[1].polygons.is_empty() && made[2].polygons.is_empty());
}
