//! What a figure alone can be made to show: its animations, its build, and what is known of them.

use ironlands_assets_evil_islands::figure::FigureAnimation;
use ironlands_assets_evil_islands::figure_file::FigureFile;
use ironlands_world_kind::{AnimationSheet, ModelSheet, Slider};

use crate::figure::Rig;

/// What the numbers of a complection change.
const COMPLECTION: [&str; 3] = ["dexterity", "strength", "height"];

/// Ends of their sliders; beyond 0 and 1 shapes are overdone.
const BUILDS: [f32; 2] = [-0.5, 1.5];

/// The rig of a figure alone.
pub fn rig_of(file: &FigureFile) -> Rig {
    Rig::from_figure(&file.figure, &file.targets())
}

/// The sheet of a figure alone.
pub fn sheet_of(file: &FigureFile) -> ModelSheet {
    let rig = rig_of(file);
    let animations = file.figure.animations.iter().enumerate();
    let animations = animations.map(|(index, animation)| AnimationSheet {
        name: animation.name.clone(),
        last_frame: rig.last_frame(index),
        length: format!(
            "{} frames, {}",
            animation.n_frames(),
            if rig.is_cycle(index) { "cycle" } else { "once" },
        ),
        facts: facts_of(file, animation),
    });
    ModelSheet {
        animations: animations.collect(),
        idle: rig.idle(),
        sliders: (COMPLECTION.into_iter().zip(file.complection))
            .map(|(label, value)| Slider {
                label: label.to_owned(),
                value,
                range: BUILDS,
            })
            .collect(),
        states: Vec::new(),
    }
}

fn facts_of(file: &FigureFile, animation: &FigureAnimation) -> String {
    let anms = || animation.parts.iter().flatten();
    let n_turning = anms().filter(|anm| anm.rotations.len() > 1).count();
    let n_morphing = anms().filter(|anm| !anm.morphs.is_empty()).count();
    let mut facts = vec![format!("{n_turning} parts turn")];
    let table = file.figure.adb.as_ref();
    if let Some(row) = table.and_then(|table| table.find(&animation.name)) {
        facts.push(format!("{:?}", row.action.action()));
        facts.push(format!("speed {}", row.movement_speed));
    }
    if n_morphing > 0 {
        facts.push(format!("vertices of {n_morphing} move"));
    }
    facts.join(", ")
}
