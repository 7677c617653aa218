//! Each rule of the check: a valid map with one thing changed.

use crate::ai_graph::AiGraph;
use crate::mob::draft::{MapRole, MobDraft};
use crate::mob::node_id::{
    AIGRAPH, DIPLOMATION_PL_NAMES, NID, OBJCOMMENTS, OBJECTDBFILE, OBJTEMPLATE, PR_OBJECTDBFILE,
    SS_TEXT, WORLD_SET,
};
use crate::mob::view::{
    IdRange, Lever, MagicTrap, MapLight, MapObject, MapParticle, ObjectKind, Unit, UnitLogic,
    WorldSettings,
};
use crate::mob::{Area, Mob, Node, StringItem, Value};
use ironlands_assets_core::bytes::Severity;

/// A lone object, which the rows change.
const OBJECT: &str = "OBJECTDBFILE/OBJECTSECTION/OBJECT";

fn sound_draft() -> MobDraft {
    MobDraft {
        ranges: vec![IdRange { min: 10, max: 19 }, IdRange { min: 30, max: 39 }],
        objects: vec![MapObject {
            nid: 15,
            template: "tree".to_owned(),
            ..MapObject::default()
        }],
        ..MobDraft::new(MapRole::Base(WorldSettings::default()))
    }
}

fn draft(change: impl Fn(&mut MobDraft)) -> Mob {
    let mut draft = sound_draft();
    change(&mut draft);
    draft.build().unwrap()
}

fn object(change: impl Fn(&mut MapObject)) -> Mob {
    draft(|draft| change(&mut draft.objects[0]))
}

fn edited(change: impl Fn(&mut Mob)) -> Mob {
    let mut mob = sound_draft().build().unwrap();
    change(&mut mob);
    mob
}

fn child(path: &str, id: u32, value: Value) -> Mob {
    edited(|mob| {
        mob.node_mut(path)
            .unwrap()
            .set_child(id, value.clone())
            .unwrap()
    })
}

fn rows() -> Vec<(Mob, Severity, &'static str)> {
    use Severity::{Error, Note, Warning};
    let unit = |change: fn(&mut Unit)| {
        object(|object| {
            let mut unit = Unit {
                logics: vec![UnitLogic::default(); 5],
                ..Unit::default()
            };
            change(&mut unit);
            object.kind = ObjectKind::Unit(Box::new(unit));
        })
    };
    let again = |draft: &mut MobDraft| draft.objects.push(draft.objects[0].clone());
    let root = "OBJECTDBFILE";
    vec![
        (Mob::default(), Error, "there is no OBJECTDBFILE"),
        (Mob::default(), Warning, "there is no OBJECTSECTION"),
        (
            edited(|mob| mob.roots.push(Node::record(OBJECTDBFILE))),
            Warning,
            "more than one OBJECTDBFILE",
        ),
        (
            edited(|mob| drop(mob.remove("OBJECTDBFILE/SC_OBJECTDBFILE"))),
            Warning,
            "nothing marks the map",
        ),
        (
            child(root, PR_OBJECTDBFILE, Value::Null),
            Warning,
            "as a base map and as a quest map",
        ),
        (
            edited(|mob| drop(mob.remove("OBJECTDBFILE/WORLD_SET"))),
            Note,
            "without settings of the world",
        ),
        (
            edited(|mob| {
                mob.remove("OBJECTDBFILE/SC_OBJECTDBFILE").unwrap();
                let root = mob.root_mut().unwrap();
                root.push(Node::new(PR_OBJECTDBFILE, Value::Null)).unwrap();
                assert!(root.child(WORLD_SET).is_some());
            }),
            Note,
            "a quest map with settings",
        ),
        (
            edited(|mob| {
                mob.roots.extend([
                    Node::new(AIGRAPH, Value::Raw(vec![])),
                    Node::new(AIGRAPH, Value::Raw(vec![])),
                ])
            }),
            Warning,
            "more than one movement graph",
        ),
        (
            child(OBJECT, 0x77, Value::Raw(vec![1])),
            Note,
            "0x00000077 is not known",
        ),
        (
            child(OBJECT, NID, Value::Raw(vec![1])),
            Error,
            "NID is not of the size",
        ),
        (
            object(|object| object.position[2] = f32::NAN),
            Error,
            "OBJPOSITION holds what is no finite number",
        ),
        (
            object(|object| object.rotation = [f32::INFINITY; 4]),
            Error,
            "OBJROTATION holds what is no finite number",
        ),
        (
            object(|object| object.rotation = [1.0, 0.1, 0.0, 0.0]),
            Warning,
            "OBJROTATION is of length 1.00",
        ),
        (
            unit(|unit| unit.logics[1].model = 6),
            Warning,
            "UNIT_LOGIC_MODEL is 6, beyond 5",
        ),
        (
            unit(|unit| unit.logics[1].aggression_mode = 4),
            Warning,
            "UNIT_LOGIC_AGRESSION_MODE is 4, beyond 3",
        ),
        (
            unit(|unit| unit.logics[1].help_radius = f32::NAN),
            Error,
            "UNIT_LOGIC_HELP holds",
        ),
        (
            unit(|unit| drop(unit.logics.pop())),
            Note,
            "UNIT has 4 behaviors, not 5",
        ),
        (
            unit(|unit| {
                unit.stats = Some(crate::mob::UnitStats {
                    smell: f32::NAN,
                    ..Default::default()
                })
            }),
            Error,
            "UNIT_STATS holds",
        ),
        (
            object(|object| object.player = 32),
            Warning,
            "OBJ_PLAYER is 32, beyond 31",
        ),
        (
            object(|object| object.object_type = 53),
            Note,
            "OBJTYPE 53 is not known",
        ),
        (
            object(|object| object.parent_id = Some(16)),
            Note,
            "OBJ_PARENT_ID 16 is the number of no object",
        ),
        (draft(again), Error, "NID 15 is given more than once"),
        (
            object(|object| object.nid = 25),
            Warning,
            "NID 25 lies in no range",
        ),
        (
            object(|object| object.nid = 9),
            Warning,
            "NID 9 lies in no range",
        ),
        (
            object(|object| object.nid = 40),
            Warning,
            "NID 40 lies in no range",
        ),
        (
            draft(|draft| draft.ranges.clear()),
            Warning,
            "there is no range",
        ),
        (
            draft(|draft| draft.ranges.push(IdRange { min: 5, max: 4 })),
            Warning,
            "a range from 5 to 4",
        ),
        (
            edited(|mob| drop(mob.remove(&format!("{OBJECT}/OBJTEMPLATE")))),
            Warning,
            "OBJECT has no OBJTEMPLATE",
        ),
        (
            object(|object| {
                object.kind = ObjectKind::Lever(Lever {
                    current_state: 2,
                    ..Lever::default()
                });
            }),
            Warning,
            "LEVER is in state 2 of 2",
        ),
        (
            object(|object| {
                let area = Area {
                    center: [0.0; 2],
                    radius: 0.0,
                };
                object.kind = ObjectKind::MagicTrap(MagicTrap {
                    diplomacy: 0,
                    spell: String::new(),
                    cast_interval: 0,
                    casts_once: false,
                    areas: vec![area],
                    targets: Vec::new(),
                });
            }),
            Warning,
            "MAGIC_TRAP has an area without a radius",
        ),
        (
            draft(|draft| {
                draft.lights.push(MapLight {
                    color: [0.0, 2.0, 0.0],
                    ..MapLight::default()
                })
            }),
            Note,
            "LIGHT_COLOR is not within",
        ),
        (
            draft(|draft| draft.particles.push(MapParticle::default())),
            Note,
            "PARTICL_TYPE 0 has no name",
        ),
        (
            draft(|draft| drop(draft.player_names.pop())),
            Warning,
            "DIPLOMATION_PL_NAMES names 31 players, not 32",
        ),
        (
            child(
                "OBJECTDBFILE/DIPLOMATION",
                DIPLOMATION_PL_NAMES,
                Value::StringArray(vec![
                    StringItem {
                        id: NID,
                        text: vec![]
                    };
                    32
                ]),
            ),
            Note,
            "has strings of other ids",
        ),
        (
            draft(|draft| draft.ai_graph = AiGraph::new(4, 8, vec![[0; 152]; 32])),
            Warning,
            "no whole sectors",
        ),
        (
            draft(|draft| draft.script = "WorldScript (".to_owned()),
            Error,
            "is not closed",
        ),
        (
            edited(|mob| mob.roots.push(Node::new(OBJTEMPLATE, Value::Dword(1)))),
            Error,
            "cannot be written",
        ),
    ]
}

#[test]
fn a_sound_map_breaks_no_rule() {
    assert_eq!(sound_draft().build().unwrap().check(), []);
    // The ends of ranges are in them.
    for nid in [10, 19, 30, 39] {
        assert_eq!(object(|object| object.nid = nid).check(), []);
    }
}

#[test]
fn each_rule_finds_what_breaks_it() {
    for (mob, severity, message) in rows() {
        let findings = mob.check();
        let found = findings
            .iter()
            .find(|finding| finding.message.contains(message));
        assert_eq!(
            found.map(|it| it.severity),
            Some(severity),
            "{message}: {findings:?}"
        );
    }
}

#[test]
fn errors_of_a_script_stand_at_its_section() {
    let mob = draft(|draft| draft.script = "WorldScript (".to_owned());
    let bytes = mob.write().unwrap();
    let id = SS_TEXT.to_le_bytes();
    let section = bytes.windows(4).position(|window| window == id).unwrap();
    let findings = mob.check();
    let error = findings
        .iter()
        .find(|it| it.severity == Severity::Error)
        .unwrap();
    assert_eq!(error.offset, Some(section as u64), "{error:?}");
}

#[test]
fn findings_stand_at_their_nodes() {
    let mob = object(|object| object.comments = "x".repeat(20));
    let mut mob = mob;
    mob.node_mut(&format!("{OBJECT}/OBJCOMMENTS"))
        .unwrap()
        .set(Value::Raw(Vec::new()))
        .unwrap();
    mob.node_mut(&format!("{OBJECT}/OBJ_PLAYER"))
        .unwrap()
        .set(Value::Byte(99))
        .unwrap();
    let bytes = mob.write().unwrap();
    let findings = mob.check();
    let found = findings
        .iter()
        .find(|it| it.message.starts_with("OBJ_PLAYER"))
        .unwrap();
    let at = found.offset.unwrap() as usize;
    assert_eq!(bytes[at..at + 9], [0x11, 0xB0, 0, 0, 9, 0, 0, 0, 99]);
    let found = findings
        .iter()
        .find(|it| it.message.starts_with("OBJCOMMENTS"))
        .unwrap();
    let at = found.offset.unwrap() as usize;
    assert_eq!(bytes[at..at + 4], OBJCOMMENTS.to_le_bytes());
}
