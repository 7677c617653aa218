//! Which order fits a model is decided by its box, is reported, and can be overruled.

use crate::msh::{DraftBatch, DraftKey, DraftNode, DraftPiece, DraftVertex, ModelDraft};
use crate::msh::{Msh, stored_rotation};
use crate::msh_animation::{AnimKey, QuaternionOrder};
use ironlands_assets_core::bytes::Severity;
use ironlands_assets_core::format::Format;
use ironlands_assets_core::report::{Report, Scope};

/// A boom 8 long on a node that is turned by a quarter about +Z, so that it points along +Y.
fn crane() -> Msh {
    let half = 0.5f32.sqrt();
    let corner = |position| DraftVertex {
        position,
        normal: [0.0, 0.0, 1.0],
        ..DraftVertex::default()
    };
    let boom = [[0.0, -1.0, 0.0], [8.0, 0.0, 0.0], [0.0, 1.0, 0.0]].map(corner);
    let draft = ModelDraft {
        name: b"CRANE".to_vec(),
        nodes: vec![DraftNode {
            keys: vec![DraftKey {
                time: 0.0,
                position: [0.0; 3],
                rotation: stored_rotation([half, 0.0, 0.0, half]),
            }],
            pieces: vec![DraftPiece {
                batches: vec![DraftBatch {
                    triangles: vec![boom],
                    lightmap: crate::msh::NO_LIGHTMAP,
                    ..DraftBatch::default()
                }],
                ..DraftPiece::default()
            }],
            ..DraftNode::default()
        }],
    };
    draft.build().unwrap()
}

/// The same model as a writer of the older reading would have stored it.
fn older(mut model: Msh) -> Msh {
    for key in &mut model.animation.keys {
        key.rotation.rotate_left(1);
    }
    model
}

fn reported(model: &Msh) -> Vec<(Severity, String)> {
    let findings = model.check().into_iter();
    findings.map(|it| (it.severity, it.message)).collect()
}

#[test]
fn the_order_that_fits_the_box_is_taken() {
    let model = crane();
    assert_eq!(model.quaternion_fit().wxyz, 0.0);
    assert_eq!(model.quaternion_order(), QuaternionOrder::Wxyz);
    let older = older(crane());
    assert_eq!(older.quaternion_fit().xyzw, 0.0);
    assert_eq!(older.quaternion_order(), QuaternionOrder::Xyzw);
    let rest = |model: &Msh| model.animation.keys[0].parent_from_node(model.quaternion_order());
    assert_eq!(rest(&older), rest(&model));
}

#[test]
fn an_order_can_be_forced() {
    let mut model = crane();
    model.quaternions = Some(QuaternionOrder::Xyzw);
    assert_eq!(model.quaternion_order(), QuaternionOrder::Xyzw);
    assert_eq!(Msh::read(&model.write().unwrap()).unwrap(), crane());
}

#[test]
fn the_order_is_told() {
    let described = |model: &Msh| {
        let mut report = Report::new("crane.msh".as_ref(), Scope::File, Msh::NAME);
        model.describe(&mut report);
        let fact = report.facts.into_iter().find(|it| it.0 == "quaternions");
        fact.unwrap().1
    };
    // Along +Y the boom is 8 long; read otherwise it lies along +X and -X, 7 beyond a box with a diagonal of 8.25.
    let sentence = "w, x, y, z; the posed model leaves its box by 0.00 % as w, x, y, z and ";
    assert!(
        described(&crane()).starts_with(sentence),
        "{}",
        described(&crane())
    );
    assert_eq!(reported(&crane()), []);
    let findings = reported(&older(crane()));
    assert_eq!(findings.len(), 1);
    let (severity, message) = &findings[0];
    assert_eq!(*severity, Severity::Note);
    assert!(
        message.starts_with("quaternions are read as x, y, z, w;"),
        "{message}"
    );
}

#[test]
fn models_that_fit_are_counted() {
    let fits = |model: &Msh| {
        let mut report = Report::new("crane.msh".as_ref(), Scope::File, Msh::NAME);
        model.describe(&mut report);
        let fit = report
            .fits
            .into_iter()
            .find(|fit| fit.rule.contains("quaternions"));
        fit.map(|fit| (fit.n_fitting, fit.n_all))
    };
    assert_eq!(fits(&crane()), Some((1, 1)));
    assert_eq!(fits(&older(crane())), Some((0, 1)));
}

#[test]
fn a_box_that_neither_order_fits_is_told() {
    let mut model = crane();
    for corner in &mut model.header.corners {
        *corner = corner.map(|c| c * 0.5);
    }
    assert_eq!(model.quaternion_order(), QuaternionOrder::Wxyz);
    assert_eq!(reported(&model).len(), 1);
}

#[test]
fn equal_fits_are_those_of_the_game() {
    let mut model = older(crane());
    model.header.corners = [[f32::NAN; 3]; 8];
    assert_eq!(model.quaternion_order(), QuaternionOrder::Wxyz);
    model = older(crane());
    model.slots[0].batch_count = 0;
    assert_eq!(model.quaternion_order(), QuaternionOrder::Wxyz);
}

#[test]
fn a_round_model_is_read_so_that_its_nodes_stand_unturned() {
    let mut round = crane();
    round.animation.keys[0] = AnimKey::in_place(QuaternionOrder::Wxyz);
    round.header.corners = std::array::from_fn(|k| match k {
        0 => [-9.0; 3],
        _ => [9.0; 3],
    });
    assert_eq!(round.quaternion_order(), QuaternionOrder::Wxyz);
    assert_eq!(older(round).quaternion_order(), QuaternionOrder::Xyzw);
}
