use super::*;
use crate::ai_graph::AiGraph;
use crate::map_entities::map_entities;
use crate::mob::Area;
use crate::mob::draft::{MapRole, MobDraft};
use crate::mob::view::{ActionPoint, Lever, MapLight, MapParticle, MapSound, Unit};

/// Ground that rises with x, up to x = 100.
fn ground(x: f32, _: f32) -> Option<f32> {
    (x < 100.0).then_some(x / 10.0)
}

fn object(kind: ObjectKind) -> MapObject {
    MapObject {
        name: kind.name().to_owned(),
        position: [10.0, 20.0, 0.5],
        kind,
        ..MapObject::default()
    }
}

fn torch(flame: [f32; 3]) -> Torch {
    Torch {
        flame,
        strength: 1.0,
        sound: String::new(),
    }
}

fn trap() -> MagicTrap {
    MagicTrap {
        diplomacy: 0,
        spell: String::new(),
        cast_interval: 0,
        casts_once: false,
        areas: vec![Area {
            center: [50.0, 0.0],
            radius: 5.0,
        }],
        targets: vec![[60.0, 1.0], [f32::NAN, 1.0]],
    }
}

fn unit(is_cyclic: bool) -> Unit {
    let point = |x: f32| GuardPoint {
        position: [x, 0.0, 1.0],
        actions: vec![ActionPoint {
            look_at: [x, 5.0, 1.0],
            ..ActionPoint::default()
        }],
    };
    let broken = GuardPoint {
        position: [f32::NAN; 3],
        actions: Vec::new(),
    };
    let logic = UnitLogic {
        is_cyclic,
        model: 2,
        patrol: vec![point(1.0), broken, point(2.0), point(3.0)],
        ..UnitLogic::default()
    };
    Unit {
        logics: vec![logic],
        ..Unit::default()
    }
}

fn map(change: impl FnOnce(&mut MobDraft)) -> Mob {
    let mut draft = MobDraft::new(MapRole::Quest);
    change(&mut draft);
    draft.build().unwrap()
}

fn layer(mob: &Mob, name: &str) -> Overlay {
    let layers = map_overlays(mob, &ground);
    let layer = layers.into_iter().find(|layer| layer.name == name);
    layer.unwrap_or_else(|| panic!("there is no layer {name}"))
}

fn ends(layer: &Overlay) -> Vec<[[f32; 3]; 2]> {
    let (pairs, rest) = layer.lines.as_chunks::<2>();
    assert!(rest.is_empty());
    pairs
        .iter()
        .map(|pair| pair.map(|end| end.position))
        .collect()
}

/// A ground that is never queried at a place that is not finite.
#[test]
fn what_is_nowhere_is_neither_drawn_nor_requested() {
    let ground = |x: f32, y: f32| {
        assert!(x.is_finite() && y.is_finite());
        Some(0.0)
    };
    let mut trap = trap();
    trap.areas.push(Area {
        center: [0.0; 2],
        radius: f32::INFINITY,
    });
    trap.areas.push(Area {
        center: [f32::NAN; 2],
        radius: 1.0,
    });
    let mut nowhere = object(ObjectKind::Object);
    nowhere.position[0] = f32::NAN;
    let objects = vec![object(ObjectKind::MagicTrap(trap)), nowhere];
    let mob = map(|draft| draft.objects = objects);
    let layers = map_overlays(&mob, &ground);
    let mut vertices = layers
        .iter()
        .flat_map(|layer| layer.lines.iter().chain(&layer.triangles));
    assert!(vertices.all(|it| it.position.iter().all(|part| part.is_finite())));
    assert_eq!(map_entities(&mob, &ground)[1].position, None);
}

#[test]
fn an_empty_map_has_no_layers() {
    assert_eq!(map_overlays(&map(|_| {}), &ground), []);
    assert_eq!(map_overlays(&Mob::default(), &ground), []);
}

#[test]
fn lights_reach_as_far_as_their_range_in_their_color() {
    let light = MapLight {
        position: [1.0, 2.0, 3.0],
        color: [1.0, 0.5, 7.0],
        range: 4.0,
        ..MapLight::default()
    };
    let mut broken = light.clone();
    broken.position[0] = f32::INFINITY;
    let layer = layer(&map(|draft| draft.lights = vec![light, broken]), "lights");
    let furthest = layer
        .lines
        .iter()
        .map(|it| (it.position[0] - 1.0).abs())
        .fold(0.0, f32::max);
    assert_eq!(furthest, 4.0);
    assert!(
        layer
            .lines
            .iter()
            .all(|it| it.color == [255, 128, 255, 255])
    );
    // Three lines of the mark, and three circles.
    assert_eq!(ends(&layer).len(), 3 + 3 * 32);
}

#[test]
fn sounds_have_both_ranges() {
    let sound = MapSound {
        position: [0.0, 0.0, 9.0],
        range: 3,
        range2: 6,
        ..MapSound::default()
    };
    let layer = layer(&map(|draft| draft.sounds = vec![sound]), "sounds");
    let reach = |color: Color| {
        let points = layer.lines.iter().filter(|it| it.color == color);
        points.map(|it| it.position[0]).fold(0.0, f32::max)
    };
    assert_eq!((reach(SOUND), reach(SOUND_2)), (3.0, 6.0));
}

#[test]
fn areas_of_traps_lie_on_the_ground() {
    let kind = ObjectKind::MagicTrap(trap());
    let layer = layer(
        &map(|draft| draft.objects = vec![object(kind)]),
        "magic traps",
    );
    assert_eq!(layer.triangles.len(), 32 * 3);
    for corner in &layer.triangles {
        let [x, y, z] = corner.position;
        assert!((x - 50.0).hypot(y) < 5.0 + 1e-4);
        assert!((z - x / 10.0 - 0.1).abs() < 1e-4, "{z} over {x}");
    }
    // From the trap, half a meter over the ground of 1 meter, to its first target; the second is nowhere.
    let to_target = ends(&layer)
        .into_iter()
        .filter(|[from, _]| *from == [10.0, 20.0, 1.5]);
    assert_eq!(
        to_target.map(|[_, to]| to).collect::<Vec<_>>(),
        [[60.0, 1.0, 6.0]]
    );
}

#[test]
fn flames_are_found_in_either_axes() {
    let foot = [10.0, 20.0, 1.5];
    assert_eq!(flame(&torch([0.5, 0.0, 2.0]), foot), [10.5, 20.0, 3.5]);
    assert_eq!(flame(&torch([10.5, 20.0, 4.0]), foot), [10.5, 20.0, 4.0]);
    let kind = ObjectKind::Torch(torch([0.5, 0.0, 2.0]));
    let layer = layer(&map(|draft| draft.objects = vec![object(kind)]), "torches");
    assert_eq!(ends(&layer)[0], [foot, [10.5, 20.0, 3.5]]);
}

#[test]
fn patrols_lead_from_point_to_point_and_back_if_cyclic() {
    let walk = |is_cyclic| {
        let kind = ObjectKind::Unit(Box::new(unit(is_cyclic)));
        let layer = layer(&map(|draft| draft.objects = vec![object(kind)]), "patrols");
        let is_way = |[from, to]: &[[f32; 3]; 2]| (to[0] - from[0]).abs() >= 1.0 && to[1] == 0.0;
        let ways: Vec<_> = ends(&layer)
            .into_iter()
            .filter(|it| is_way(it) && it[0][2] == 1.0 || it[0][1] == 20.0)
            .collect();
        let n_looks = layer.lines.iter().filter(|it| it.color == LOOK).count() / 2;
        assert_eq!(n_looks, 3);
        ways.iter()
            .map(|[from, to]| [from[0], to[0]])
            .filter(|[from, to]| from.fract() == 0.0 && to.fract() == 0.0)
            .collect::<Vec<_>>()
    };
    assert_eq!(walk(false), [[10.0, 1.0], [1.0, 2.0], [2.0, 3.0]]);
    assert_eq!(
        walk(true),
        [[10.0, 1.0], [1.0, 2.0], [2.0, 3.0], [3.0, 1.0]]
    );
}

#[test]
fn guards_show_what_they_guard() {
    let logic = UnitLogic {
        model: GUARD_RADIUS_MODEL,
        guard_radius: 7.0,
        guard_point: [0.0, 0.0, 1.0],
        ..UnitLogic::default()
    };
    let unit = Unit {
        logics: vec![logic],
        ..Unit::default()
    };
    let kind = ObjectKind::Unit(Box::new(unit));
    let layer = layer(&map(|draft| draft.objects = vec![object(kind)]), "patrols");
    assert_eq!(ends(&layer).len(), 1 + 32);
    assert!(layer.lines.iter().any(|it| it.position == [7.0, 0.0, 1.0]));
}

#[test]
fn levers_doors_particles_and_posts_are_marked() {
    let door = Lever {
        is_door: true,
        ..Lever::default()
    };
    let objects = vec![
        object(ObjectKind::Lever(Lever::default())),
        object(ObjectKind::Lever(door)),
        object(ObjectKind::Object),
    ];
    let particle = MapParticle {
        position: [1.0, 2.0, 3.0],
        ..MapParticle::default()
    };
    let mob = map(|draft| {
        draft.objects = objects;
        draft.particles = vec![particle];
    });
    let levers = layer(&mob, "levers");
    assert_eq!(
        (levers.lines[0].color, levers.lines.last().unwrap().color),
        (LEVER, DOOR)
    );
    assert_eq!(ends(&layer(&mob, "particles")).len(), 12);
    let posts = layer(&mob, "objects");
    // A post and twelve edges each.
    assert_eq!(ends(&posts).len(), 3 * 13);
    assert_eq!(ends(&posts)[0], [[10.0, 20.0, 1.5], [10.0, 20.0, 3.5]]);
}

#[test]
fn cells_with_the_same_record_have_the_same_color() {
    let records = vec![[1; 152], [1; 152], [2; 152], [1; 152]];
    let graph = AiGraph::new(2, 2, records).unwrap();
    let layer = layer(&map(|draft| draft.ai_graph = Some(graph)), "movement graph");
    let (cells, rest) = layer.triangles.as_chunks::<6>();
    assert!(rest.is_empty());
    let color = |idx: usize| cells[idx][0].color;
    assert_eq!(color(0), color(1));
    assert_ne!(color(0), color(2));
    assert_eq!(color(0), color(3));
    // The second cell: from x 4 to 8, on the ground.
    assert_eq!(cells[1][0].position, [4.0, 0.0, 0.4 + shapes::LIFT]);
    assert_eq!(cells[1][2].position, [8.0, 4.0, 0.8 + shapes::LIFT]);
    // Edges of the graph and between cells that differ: 4 at the left and at the bottom, 1 upright, 1 level.
    assert_eq!(ends(&layer).len(), 4 + 2);
}

#[test]
fn only_edges_between_cells_that_differ_are_drawn() {
    let graph = AiGraph::new(3, 1, vec![[1; 152], [2; 152], [2; 152]]).unwrap();
    let layer = layer(&map(|draft| draft.ai_graph = Some(graph)), "movement graph");
    let upright = ends(&layer)
        .into_iter()
        .filter(|[from, to]| from[0] == to[0]);
    let at: Vec<f32> = upright.map(|[from, _]| from[0]).collect();
    assert_eq!(at, [0.0, 4.0]);
}

#[test]
fn entities_stand_in_file_order_on_the_ground() {
    let mob = map(|draft| {
        draft.objects = vec![
            object(ObjectKind::Object),
            object(ObjectKind::Unit(Box::new(unit(false)))),
        ];
        draft.objects[1].position = [200.0, 0.0, 0.5];
        draft.lights = vec![MapLight {
            name: "lamp".to_owned(),
            position: [1.0, 1.0, 9.0],
            ..MapLight::default()
        }];
        draft.sounds = vec![MapSound {
            position: [f32::NAN, 0.0, 0.0],
            ..MapSound::default()
        }];
        draft.particles = vec![MapParticle::default()];
    });
    let entities = map_entities(&mob, &ground);
    let reported: Vec<_> = entities
        .iter()
        .map(|it| (it.class, &*it.name, it.position))
        .collect();
    let expected = [
        ("object", "object", Some([10.0, 20.0, 1.5])),
        ("unit", "unit", Some([200.0, 0.0, 0.5])),
        ("light", "lamp", Some([1.0, 1.0, 9.0])),
        ("sound", "", None),
        ("particle", "", Some([0.0; 3])),
    ];
    assert_eq!(reported, expected);
    assert!(entities.iter().all(|it| !it.facts.is_empty()));
}
