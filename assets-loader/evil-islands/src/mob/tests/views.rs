//! What records mean, and records as the newest editor writes them.

use super::sample::in_root;
use crate::ai_graph::AiGraph;
use crate::mob::draft::{MapRole, MobDraft};
use crate::mob::edit::{EditError, node_name};
use crate::mob::node_id::{AIGRAPH, OBJCOMPLECTION, OBJECT, OBJECTSECTION};
use crate::mob::view::{
    ActionPoint, Folder, GuardPoint, IdRange, Lever, MagicTrap, MapLight, MapObject, MapParticle,
    MapSound, ObjectKind, Torch, Unit, UnitLogic, View, WorldSettings, particle_type_name,
};
use crate::mob::{Area, LeverStats, Mob, Node, UnitStats, Value};

fn names(node: &Node) -> String {
    let names: Vec<String> = node
        .children()
        .iter()
        .map(|node| node_name(node.id))
        .collect();
    names.join(" ")
}

/// The fields that all objects have, in the order of section 11.7.
const BASE: &str = "OBJBODYPARTS OBJ_PLAYER NID OBJTYPE OBJNAME OBJTEMPLATE PARENTTEMPLATE OBJPRIMTXTR OBJSECTXTR \
                    OBJCOMMENTS OBJPOSITION OBJROTATION OBJ_USE_IN_SCRIPT OBJ_IS_SHADOW OBJ_PARENT_ID OBJ_QUEST_INFO \
                    OBJCOMPLECTION";

fn object(kind: ObjectKind) -> MapObject {
    MapObject {
        nid: 7,
        object_type: 50,
        name: "Зак".to_owned(),
        template: "unhuma".to_owned(),
        parent_template: "parent".to_owned(),
        primary_texture: "first".to_owned(),
        secondary_texture: "second".to_owned(),
        comments: "a comment".to_owned(),
        quest_info: "a quest".to_owned(),
        position: [1.0, 2.0, 3.0],
        rotation: [0.5, 0.5, -0.5, 0.5],
        complection: [0.1, 0.2, 0.3],
        body_parts: vec!["hd".to_owned(), "bd".to_owned()],
        player: 3,
        parent_id: Some(6),
        use_in_script: true,
        is_shadow: true,
        kind,
    }
}

fn unit() -> Unit {
    let action = ActionPoint {
        look_at: [4.0, 5.0, 6.0],
        wait_segments: -15,
        turn_speed: 2,
        flags: 3,
    };
    let point = GuardPoint {
        position: [7.0, 8.0, 9.0],
        actions: vec![action, ActionPoint::default()],
    };
    let logic = UnitLogic {
        alarm_condition: 1,
        help_radius: 11.0,
        is_cyclic: true,
        aggression_mode: 2,
        is_always_active: true,
        model: 2,
        guard_radius: 12.0,
        wait: 15.0,
        guard_point: [1.0, 1.0, 1.0],
        is_used: true,
        n_alarm: 4,
        patrol: vec![point, GuardPoint::default()],
    };
    let texts = |text: &str| vec![text.to_owned(), String::new()];
    Unit {
        needs_import: true,
        prototype: "Human".to_owned(),
        armors: texts("armor"),
        weapons: texts("weapon"),
        spells: texts("spell"),
        quick_items: texts("quick"),
        quest_items: texts("quest"),
        stats: Some(UnitStats {
            hp: 9,
            ..UnitStats::default()
        }),
        logics: vec![UnitLogic::default(), logic],
    }
}

fn lever() -> Lever {
    Lever {
        stats: LeverStats {
            open_type: 8,
            key_id: 5,
            sleight_of_hand: 6,
        },
        current_state: 1,
        total_states: 3,
        is_cycled: true,
        is_door: true,
        recalculates_graph: true,
    }
}

fn torch() -> Torch {
    Torch {
        flame: [0.0, 0.0, 1.5],
        strength: 2.5,
        sound: "fire".to_owned(),
    }
}

fn trap() -> MagicTrap {
    MagicTrap {
        diplomacy: 4,
        spell: "fireball".to_owned(),
        cast_interval: 30,
        casts_once: true,
        areas: vec![Area {
            center: [1.0, 2.0],
            radius: 3.0,
        }],
        targets: vec![[4.0, 5.0], [6.0, 7.0]],
    }
}

#[test]
fn records_stand_in_the_order_of_the_editor() {
    let before = |fields: &str| format!("{fields} {BASE}");
    let rows = [
        (ObjectKind::Object, BASE.to_owned()),
        (
            ObjectKind::Unit(Box::new(unit())),
            before(
                "UNIT_NEED_IMPORT UNIT_PROTOTYPE UNIT_ARMORS UNIT_WEAPONS UNIT_SPELLS UNIT_QUICK_ITEMS \
                 UNIT_QUEST_ITEMS UNIT_STATS",
            ) + " UNIT_LOGIC UNIT_LOGIC",
        ),
        (
            ObjectKind::Lever(lever()),
            before(
                "LEVER_SCIENCE_STATS_NEW LEVER_CUR_STATE LEVER_TOTAL_STATE LEVER_IS_CYCLED LEVER_IS_DOOR \
                 LEVER_RECALC_GRAPH",
            ),
        ),
        (
            ObjectKind::Torch(torch()),
            before("TORCH_PTLINK TORCH_STRENGHT TORCH_SOUND"),
        ),
        (
            ObjectKind::MagicTrap(trap()),
            before("MT_DIPLOMACY MT_SPELL MT_CAST_INTERVAL LEVER_CAST_ONCE MT_AREAS MT_TARGETS"),
        ),
    ];
    for (kind, expected) in rows {
        let object = object(kind);
        let node = object.to_node().unwrap();
        assert_eq!(names(&node), expected);
        assert_eq!(MapObject::from_node(&node), Some(object));
    }
    let unit = object(ObjectKind::Unit(Box::new(unit())))
        .to_node()
        .unwrap();
    let logic = unit.children().last().unwrap();
    let expected = "UNIT_LOGIC_ALARM_CONDITION UNIT_LOGIC_HELP UNIT_LOGIC_CYCLIC UNIT_LOGIC_AGRESSION_MODE \
                    UNIT_LOGIC_ALWAYS_ACTIVE UNIT_LOGIC_MODEL UNIT_LOGIC_GUARD_R UNIT_LOGIC_WAIT UNIT_LOGIC_GUARD_PT \
                    UNIT_LOGIC_USE UNIT_LOGIC_NALARM GUARD_PT GUARD_PT";
    assert_eq!(names(logic), expected);
    let point = &logic.children()[11];
    assert_eq!(names(point), "GUARD_PT_POSITION ACTION_PT ACTION_PT");
    let action = &point.children()[1];
    assert_eq!(
        names(action),
        "ACTION_PT_LOOK_PT ACTION_PT_WAIT_SEG ACTION_PT_TURN_SPEED ACTION_PT_FLAGS"
    );
    let bare = MagicTrap {
        areas: Vec::new(),
        targets: Vec::new(),
        ..trap()
    };
    let bare = object(ObjectKind::MagicTrap(bare)).to_node().unwrap();
    assert_eq!(
        names(&bare),
        before("MT_DIPLOMACY MT_SPELL MT_CAST_INTERVAL LEVER_CAST_ONCE")
    );
}

#[test]
fn lights_sounds_and_particles_stand_in_the_order_of_the_editor() {
    let light = MapLight {
        id: 1,
        casts_shadow: true,
        position: [1.0, 2.0, 3.0],
        color: [0.1, 0.2, 0.3],
        range: 4.0,
        name: "lamp".to_owned(),
        comments: "c".to_owned(),
    };
    let node = light.to_node().unwrap();
    assert_eq!(
        names(&node),
        "LIGHT_ID LIGHT_SHADOW LIGHT_POSITION LIGHT_COLOR LIGHT_RANGE LIGHT_NAME LIGHT_COMMENTS"
    );
    assert_eq!(MapLight::from_node(&node), Some(light));
    let sound = MapSound {
        id: 1,
        position: [1.0, 2.0, 3.0],
        range: 2,
        name: "wind".to_owned(),
        min: 3,
        max: 4,
        comments: "c".to_owned(),
        files: vec!["a".to_owned(), "b".to_owned()],
        range2: 5,
        is_ambient: true,
        is_music: true,
    };
    let node = sound.to_node().unwrap();
    let expected = "SOUND_ID SOUND_POSITION SOUND_RANGE SOUND_NAME SOUND_MIN SOUND_MAX SOUND_COMMENTS SOUND_RESNAME \
                    SOUND_RANGE2 SOUND_AMBIENT SOUND_IS_MUSIC";
    assert_eq!(names(&node), expected);
    assert_eq!(MapSound::from_node(&node), Some(sound));
    let particle = MapParticle {
        id: 1,
        position: [1.0, 2.0, 3.0],
        name: "fire".to_owned(),
        comments: "c".to_owned(),
        particle_type: 8195,
        scale: 0.5,
    };
    let node = particle.to_node().unwrap();
    let expected =
        "PARTICL_ID PARTICL_POSITION PARTICL_NAME PARTICL_COMMENTS PARTICL_TYPE PARTICL_SCALE";
    assert_eq!(names(&node), expected);
    assert_eq!(MapParticle::from_node(&node), Some(particle.clone()));
    assert_eq!(particle.type_name(), "fire");
    assert_eq!(MapLight::from_node(&node), None);
}

#[test]
fn particles_are_named_as_the_dossier_counts_them() {
    let rows = [
        (8192, "fireball"),
        (8200, "aggressionfog"),
        (8208, "firewall"),
        (8216, "clayring"),
        (8219, "modifier1"),
        (8230, "modifier12"),
        (8231, "castingfire"),
        (8239, "castingfailed"),
        (8244, "a4bloodred"),
        (8248, "zoneexit"),
        (8256, "cylinder2"),
        (8260, "visionstar1"),
        (8264, "silence"),
        (8270, "rickarrow"),
        (8274, "transform"),
    ];
    for (number, name) in rows {
        assert_eq!(particle_type_name(number), Some(name));
    }
    assert_eq!(particle_type_name(8191), None);
    assert_eq!(particle_type_name(8275), None);
}

#[test]
fn what_a_record_lacks_has_its_default() {
    let bare = MapObject::from_node(&Node::record(OBJECT)).unwrap();
    assert_eq!(bare.rotation, [1.0, 0.0, 0.0, 0.0]);
    assert_eq!((bare.nid, bare.object_type, bare.parent_id), (0, 0, None));
    // A value of another size than its type takes is as good as none.
    let raw = Node::new(
        OBJECT,
        Value::Record(vec![Node::new(OBJCOMPLECTION, Value::Raw(vec![1]))]),
    );
    assert_eq!(
        MapObject::from_node(&raw).unwrap().complection,
        MapObject::default().complection
    );
    assert_eq!(MapObject::from_node(&Node::record(OBJECTSECTION)), None);
}

#[test]
fn the_behavior_in_use_is_the_first_that_says_so() {
    let mut unit = unit();
    assert_eq!(unit.logic(), Some(&unit.logics[1]));
    unit.logics[1].is_used = false;
    assert_eq!(unit.logic(), Some(&unit.logics[0]));
    unit.logics.clear();
    assert_eq!(unit.logic(), None);
}

fn draft(role: MapRole) -> MobDraft {
    let mut unit = unit();
    unit.logics = vec![UnitLogic::default(); 5];
    let mut objects = vec![
        object(ObjectKind::Object),
        object(ObjectKind::Unit(Box::new(unit))),
        object(ObjectKind::Lever(lever())),
        object(ObjectKind::Torch(torch())),
        object(ObjectKind::MagicTrap(trap())),
    ];
    for (idx, object) in objects.iter_mut().enumerate() {
        object.nid = 1000 + idx as u32;
        object.parent_id = None;
    }
    MobDraft {
        script: "WorldScript\n(\n)".to_owned(),
        script_key: 99,
        ranges: vec![IdRange {
            min: 1000,
            max: 1999,
        }],
        folders: vec![Folder {
            name: "trees".to_owned(),
            n_instances: 2,
            parent: 1,
            folder_type: 3,
        }],
        objects,
        lights: vec![MapLight {
            range: 1.0,
            ..MapLight::default()
        }],
        sounds: vec![MapSound::default(); 2],
        particles: vec![MapParticle {
            particle_type: 8192,
            ..MapParticle::default()
        }],
        ai_graph: AiGraph::new(8, 8, vec![[1; 152]; 64]),
        ..MobDraft::new(role)
    }
}

#[test]
fn a_fresh_map_is_sound_and_in_the_order_of_the_editor() {
    let settings = WorldSettings {
        wind_direction: [1.0, 0.0, 0.0],
        wind_strength: 2.0,
        time: 13.5,
        ambient: 0.5,
        sun_light: 0.75,
    };
    let draft = draft(MapRole::Base(settings));
    let mob = Mob::read(&draft.build().unwrap().write().unwrap()).unwrap();
    assert_eq!(mob.check(), []);
    let root = mob.root().unwrap();
    let expected = "SC_OBJECTDBFILE SS_TEXT MAIN_RANGE DIPLOMATION WORLD_SET VSS_SECTION DIRICTORY DIRICTORY_ELEMENTS \
                    OBJECTSECTION";
    assert_eq!(names(root), expected);
    assert_eq!(mob.roots[1].id, AIGRAPH);
    assert_eq!(mob.objects(), draft.objects);
    assert_eq!(mob.lights(), draft.lights);
    assert_eq!(mob.sounds(), draft.sounds);
    assert_eq!(mob.particles(), draft.particles);
    assert_eq!(mob.world_settings(), Some(settings));
    assert_eq!(mob.diplomacy(), Some(&*draft.diplomacy));
    assert_eq!(mob.player_names()[31], "Player-31");
    assert_eq!(mob.id_ranges(), draft.ranges);
    assert_eq!(mob.folders(), draft.folders);
    assert_eq!(mob.ai_graph(), draft.ai_graph.as_ref());
    assert_eq!(mob.script().as_deref(), Some("WorldScript\r\n(\r\n)"));
    assert_eq!(mob.markers(), [true, false]);
}

#[test]
fn a_fresh_quest_has_its_own_marker_and_ranges() {
    let mob = draft(MapRole::Quest).build().unwrap();
    assert_eq!(mob.check(), []);
    let expected = "PR_OBJECTDBFILE SS_TEXT SEC_RANGE DIPLOMATION VSS_SECTION DIRICTORY DIRICTORY_ELEMENTS OBJECTSECTION";
    assert_eq!(names(mob.root().unwrap()), expected);
    assert_eq!(mob.markers(), [false, true]);
    assert_eq!(mob.world_settings(), None);
}

#[test]
fn what_cp1251_lacks_is_refused_by_name() {
    let mut bad = draft(MapRole::Quest);
    bad.objects[0].name = "地".to_owned();
    assert_eq!(
        bad.build(),
        Err(EditError::NoCode {
            text: "地".to_owned()
        })
    );
}

#[test]
fn the_graph_is_found_in_the_root_too() {
    let graph = AiGraph::new(1, 2, vec![[1; 152], [2; 152]]).unwrap();
    let node = Node::new(AIGRAPH, Value::AiGraph(Box::new(graph.clone())));
    assert_eq!(in_root(vec![node]).ai_graph(), Some(&graph));
    assert_eq!(graph.record(0, 1), Some(&[2; 152]));
    assert_eq!(graph.record(1, 0), None);
    assert_eq!(graph.record(0, 2), None);
    assert_eq!(AiGraph::new(2, 2, vec![[0; 152]; 3]), None);
    let mut changed = graph;
    changed.record_mut(0, 0).unwrap()[0] = 9;
    assert_eq!(changed.records()[0][0], 9);
}

#[test]
fn facts_show_what_a_thing_is() {
    let fact = |object: &MapObject, label: &str| {
        let facts = object.facts();
        let fact = facts.into_iter().find(|(name, _)| name == label);
        fact.map(|(_, value)| value)
    };
    let rows = [
        (ObjectKind::Unit(Box::new(unit())), "behavior", "path"),
        (ObjectKind::Unit(Box::new(unit())), "aggression", "fear"),
        (ObjectKind::Unit(Box::new(unit())), "hp", "9"),
        (ObjectKind::Lever(lever()), "opened", "by key"),
        (ObjectKind::Lever(lever()), "state", "1 of 3"),
        (ObjectKind::Torch(torch()), "strength", "2.5"),
        (ObjectKind::MagicTrap(trap()), "targets", "2"),
        (ObjectKind::Object, "type", "human"),
        (ObjectKind::Object, "body parts", "hd, bd"),
        (ObjectKind::Object, "parent", "6"),
    ];
    for (kind, label, value) in rows {
        assert_eq!(
            fact(&object(kind), label).as_deref(),
            Some(value),
            "{label}"
        );
    }
    assert_eq!(fact(&MapObject::default(), "comments"), None);
}
