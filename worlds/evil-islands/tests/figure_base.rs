//! A figure that comes back from a GLB, beside the figure that the GLB was made of.

#[path = "common/figure.rs"]
mod figure;

use ironlands_assets_evil_islands::adb::Adb;
use ironlands_assets_evil_islands::figure::Figure;
use ironlands_world_evil_islands::exchange::{
    FigureSource, ImportedFigure, read_figure_glb, write_figure_glb,
};

use figure::{figure, mesh, texture};

/// The figure with what a GLB does not hold bit for bit, or not at all.
fn base() -> Figure {
    let mut base = figure();
    for animation in &mut base.animations {
        for track in animation.parts.iter_mut().flatten() {
            track.tail = b"kept".to_vec();
            for [w, x, ..] in &mut track.rotations {
                // A little less than a unit quaternion, as files of the game have them.
                *w *= 0.999_999;
                *x *= 0.999_999;
            }
        }
    }
    base.adb = Some(Adb::default());
    base
}

fn imported(base: &Figure) -> ImportedFigure {
    let texture = texture();
    let source = FigureSource {
        figure: base,
        primary: Some(&texture),
        secondary: None,
        complection: [0.25, 0.5, 0.75],
    };
    let glb = write_figure_glb(&source).expect("a sound figure");
    read_figure_glb(&glb.bytes).expect("what was written is read")
}

#[test]
fn what_nobody_touched_is_that_of_the_base_bit_for_bit() {
    let base = base();
    let mut imported = imported(&base);
    assert_ne!(imported.figure.animations, base.animations, "GLB alone");
    assert_eq!(imported.figure.adb, None, "GLB alone");
    imported.take_over(&base).expect("a base that is exported");
    assert_eq!(imported.figure.animations, base.animations);
    assert_eq!(imported.figure.parts, base.parts);
    assert_eq!(imported.figure.adb, base.adb);
}

#[test]
fn numbers_that_another_program_rounded_are_untouched_and_a_turned_part_is_not() {
    let base = base();
    let mut imported = imported(&base);
    let tracks = &mut imported.figure.animations[0].parts;
    let [root, body, ..] = &mut tracks[..] else {
        panic!("a root and a body");
    };
    for value in root.as_mut().unwrap().translations.as_flattened_mut() {
        *value += 1e-6;
    }
    // The same turn by the opposite quaternion.
    for value in &mut root.as_mut().unwrap().rotations[1] {
        *value = -*value;
    }
    let turned = [0.6, 0.8, 0.0, 0.0];
    body.as_mut().unwrap().rotations[2] = turned;
    let changed = body.clone();
    imported.take_over(&base).expect("a base that is exported");
    let found = &imported.figure.animations[0].parts;
    assert_eq!(found[0], base.animations[0].parts[0]);
    assert_eq!(found[1], changed, "the whole track is that of the file");
    assert_eq!(found[2], base.animations[0].parts[2]);
}

#[test]
fn a_changed_mesh_stays_changed_beside_the_animations_of_the_base() {
    let base = base();
    let mut imported = imported(&base);
    imported.figure.animations.clear();
    imported.figure.parts[1].fig = Some(mesh(1, 0.5));
    imported.take_over(&base).expect("a base that is exported");
    assert_eq!(imported.figure.animations, base.animations);
    assert_eq!(imported.figure.parts[1].fig, Some(mesh(1, 0.5)));
    assert_eq!(imported.figure.parts[0], base.parts[0]);
}

#[test]
fn an_animation_that_the_file_lacks_beside_others_is_named() {
    let mut base = base();
    let mut second = base.animations[0].clone();
    second.name = "uattack01".to_owned();
    base.animations.push(second);
    let mut imported = imported(&base);
    imported.figure.animations.pop();
    imported.take_over(&base).expect("a base that is exported");
    assert_eq!(imported.figure.animations.len(), 1);
    let named = (imported.findings.iter()).any(|it| it.place == "animation uattack01");
    assert!(named, "{:?}", imported.findings);
}
