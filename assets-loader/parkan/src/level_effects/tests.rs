use std::fs;

use ironlands_assets_proof::put_file;
use ironlands_scene::Scene;

use super::*;
use crate::ctld::{Action, Ctld, ON_LOAD};
use crate::ctpt::{ControlPoint, Ctpt};
use crate::fxid::tests::smoking;
use crate::fxid::{self, Header};
use crate::level::{MissionChoice, ParkanLevel};
use crate::level_scene;
use crate::nres::{Entry as NResEntry, NRes};
use crate::test_mission::game;
use crate::texm::PixelOptions;
use crate::{ctld, ctpt};

fn action(action: u32, values: [i32; 4], effect: &str) -> Action {
    Action {
        flags: 0,
        condition_mask: 0,
        condition_inversion: 0,
        action,
        values,
        unknown_20: 0,
        resource: ObjectRef::new("effects.rlb", effect).unwrap(),
    }
}

fn with_entries(archive: &NRes, entries: &[(&str, u32, Vec<u8>)]) -> Vec<u8> {
    let more = entries.iter().map(|(name, type_id, data)| {
        NResEntry::new(*type_id, 0, 0, 0, name, data.clone()).unwrap()
    });
    let all = archive.entries.iter().cloned().chain(more);
    NRes::from_entries(all.collect()).write().unwrap()
}

/// The test level, whose hulls smoke as the actions say, with these effects.
fn open(actions: Vec<Action>, effects: &[(&str, u32, Vec<u8>)]) -> (ParkanLevel, Scene) {
    let root = tempfile::tempdir().unwrap();
    let (folder, _) = game(root.path());
    let mut control = Ctld {
        groups: vec![actions],
        ..Ctld::default()
    };
    control.hooks[ON_LOAD] = 0;
    let point = ControlPoint::new("Fx", 1, [0.0, 0.0, 2.0], [0.0, 0.0, 3.0]).unwrap();
    let points = Ctpt {
        points: vec![point],
    };
    let bases = NRes::read(&fs::read(root.path().join("bases.rlb")).unwrap()).unwrap();
    let added = [
        ("hull.ctl", ctld::TYPE_ID, control.write().unwrap()),
        ("hull.cpt", ctpt::TYPE_ID, points.write().unwrap()),
    ];
    put_file(root.path(), "bases.rlb", with_entries(&bases, &added));
    let nothing = NRes::from_entries(Vec::new());
    put_file(root.path(), "effects.rlb", with_entries(&nothing, effects));
    let level = ParkanLevel::open(&folder, "Land", 1.0, &MissionChoice::First, None).unwrap();
    let (scene, _) = level_scene::to_scene(&level, PixelOptions::default());
    assert_eq!(scene.validate(), Ok(()));
    (level, scene)
}

fn smoke(header: Header) -> Vec<u8> {
    smoking(header).write().unwrap()
}

fn header(flags: EffectFlags) -> Header {
    Header {
        mode: 2,
        duration_secs: 1.0,
        scale: [1.0; 3],
        flag_bits: flags.bits(),
        ..Header::default()
    }
}

#[test]
fn effects_are_where_control_data_put_them() {
    let actions = vec![
        action(Action::EFFECT_ON_NODE, [2, 0, 0, 0], "smoke"),
        action(Action::EFFECT_ON_POINTS, [0, 0, 0, 1], "SMOKE"),
        action(Action::EFFECT_ON_NODE, [0, 0, 0, 2], "stays"),
    ];
    let effects = [
        ("smoke", fxid::TYPE_ID, smoke(header(EffectFlags::empty()))),
        ("stays", fxid::TYPE_ID, smoke(header(EffectFlags::STAYS))),
    ];
    let (level, scene) = open(actions, &effects);
    assert_eq!(level.level_effects.effects.len(), 2, "each is read once");
    let hulls = level.level_objects.components().enumerate();
    let hulls =
        hulls.filter(|(_, (_, it))| level.level_objects.models[it.model].name.contains("HULL"));
    let hulls: Vec<usize> = hulls.map(|(idx, _)| idx).collect();
    assert!(hulls.len() >= 2, "{hulls:?}");
    assert_eq!(scene.emitters.len(), 3 * hulls.len());
    let poses = scene.rest_poses();
    for (hull, emitters) in hulls.iter().zip(scene.emitters.chunks(3)) {
        let [on_node, on_point, stays] = emitters else {
            panic!("three");
        };
        let expected = Anchor::Node {
            instance: *hull as u32,
            node: 2,
            node_from_emitter: Affine::IDENTITY,
        };
        assert_eq!(on_node.anchor, expected);
        let Anchor::Node {
            node,
            node_from_emitter,
            ..
        } = &on_point.anchor
        else {
            panic!("on a node");
        };
        let ahead = node_from_emitter.transform_vector([1.0, 0.0, 0.0]);
        assert_eq!(
            (*node, ahead),
            (1, [0.0, 0.0, 1.0]),
            "a stream does not stretch"
        );
        let models = scene.instances.iter().take(*hull);
        let first: usize = models
            .map(|it| scene.models[it.model.0 as usize].nodes.len())
            .sum();
        let Anchor::Place(place) = &stays.anchor else {
            panic!("a place");
        };
        let origin = |it: &Affine| it.transform_point([0.0; 3]);
        assert_eq!(origin(place), origin(&poses[first]));
    }
}

#[test]
fn what_leads_nowhere_is_said_once_and_the_level_opens() {
    let actions = vec![
        action(Action::EFFECT_ON_NODE, [0, 0, 0, 0], "absent"),
        action(Action::EFFECT_ON_NODE, [0, 0, 0, 0], "broken"),
        action(Action::EFFECT_ON_NODE, [99, 0, 0, 0], "smoke"),
        action(Action::EFFECT_ON_POINTS, [5, 5, 5, 0], "smoke"),
        action(Action::EFFECT_ON_NODE, [0, 0, 0, 7], "off"),
    ];
    let effects = [
        ("broken", fxid::TYPE_ID, vec![1]),
        ("smoke", fxid::TYPE_ID, smoke(header(EffectFlags::empty()))),
        ("off", fxid::TYPE_ID, smoke(header(EffectFlags::STARTS_OFF))),
    ];
    let (level, scene) = open(actions, &effects);
    assert_eq!(scene.emitters, []);
    for said in ["absent", "effect broken", "on node 99", "on nothing"] {
        let about = level.findings.iter().filter(|it| it.message.contains(said));
        assert_eq!(about.count(), 1, "{said}: {:#?}", level.findings);
    }
}

#[test]
fn what_is_started_is_on_in_that_mode() {
    let actions = vec![
        action(Action::EFFECT_ON_NODE, [0, 0, 0, 7], "off"),
        action(Action::START_EFFECT, [7, 1, 0, 0], ""),
    ];
    let off = Header {
        mode: 0,
        ..header(EffectFlags::STARTS_OFF)
    };
    let (level, _) = open(actions, &[("off", fxid::TYPE_ID, smoke(off))]);
    let placed = &level.level_effects.placed[0].placed;
    assert_eq!(
        (placed.clock.time(0.25), placed.clock.time(9.0)),
        (0.25, 1.0)
    );
}
