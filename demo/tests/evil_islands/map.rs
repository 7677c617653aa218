//! The objects and characters of the island.

use std::collections::BTreeSet;

use ironlands_assets_evil_islands::mob::view::ObjectKind;

use super::zone;

#[test]
fn map_has_what_a_newcomer_should_see() {
    let objects = &zone().objects;
    let count = |template: &str| objects.iter().filter(|it| it.template == template).count();
    for (template, at_least) in [
        ("stbuho01", 6),
        ("stwali01", 15),
        ("nafltr01", 25),
        ("nafltr02", 20),
        ("nast01", 12),
        ("stto01", 4),
        ("stst01", 2),
        ("stbr01", 1),
        ("stwe01", 1),
        ("unhuma", 5),
    ] {
        let n = count(template);
        assert!(n >= at_least, "{n} of {template}");
    }
    let n = |is: fn(&ObjectKind) -> bool| objects.iter().filter(|it| is(&it.kind)).count();
    assert!(n(|kind| matches!(kind, ObjectKind::Lever(_))) >= 2);
    assert!(n(|kind| matches!(kind, ObjectKind::Torch(_))) >= 4);
    assert_eq!(n(|kind| matches!(kind, ObjectKind::MagicTrap(_))), 1);
    let patrols = objects.iter().filter(|it| match &it.kind {
        ObjectKind::Unit(unit) => unit.logic().is_some_and(|logic| logic.patrol.len() >= 2),
        _ => false,
    });
    assert!(patrols.count() >= 2);
    let shapes: BTreeSet<[u32; 3]> = objects
        .iter()
        .filter(|it| it.template == "nafltr01")
        .map(|it| it.complection.map(f32::to_bits))
        .collect();
    assert_eq!(shapes.len(), count("nafltr01"), "no two trees are alike");
}

#[test]
fn numbers_are_unique_and_in_their_range() {
    let mob = zone().mob.as_ref().unwrap();
    let objects = mob.objects().into_iter().map(|it| it.nid);
    let lights = mob.lights().into_iter().map(|it| it.id);
    let sounds = mob.sounds().into_iter().map(|it| it.id);
    let particles = mob.particles().into_iter().map(|it| it.id);
    let numbers: Vec<u32> = objects
        .chain(lights)
        .chain(sounds)
        .chain(particles)
        .collect();
    let unique: BTreeSet<u32> = numbers.iter().copied().collect();
    assert_eq!(unique.len(), numbers.len());
    let ranges = mob.id_ranges();
    assert!(
        numbers
            .iter()
            .all(|id| ranges.iter().any(|range| range.contains(*id)))
    );
    assert!(mob.lights().len() >= 4 && mob.sounds().len() >= 3);
}

#[test]
fn script_is_encrypted_and_reads_as_it_was_written() {
    let mob = zone().mob.as_ref().unwrap();
    let script = mob.script().unwrap();
    assert!(script.contains("WorldScript\r\n(") && script.matches("DeclareScript").count() == 4);
    let bytes = super::read("Maps/zone1.mob");
    let plain = b"WorldScript";
    assert!(!bytes.windows(plain.len()).any(|window| window == plain));
    assert_eq!(mob.write().unwrap(), bytes);
    let graph = mob.ai_graph().unwrap();
    assert_eq!(
        [graph.width(), graph.height()],
        [32, 32],
        "eight cells a sector"
    );
}

#[test]
fn things_stand_where_there_is_room() {
    let zone = zone();
    let land = zone.land();
    for object in &zone.objects {
        let [x, y, lift] = object.position;
        let ground = land.height_at([x, y]).unwrap();
        let is_in_water = ground < 5.2;
        let may_be = matches!(object.template.as_str(), "stbr01" | "nast01");
        assert!(
            !is_in_water || may_be,
            "{} at {x} {y}: {ground}",
            object.template
        );
        assert!(
            lift.abs() < 0.5 || object.template == "stbr01",
            "{}",
            object.template
        );
    }
}
