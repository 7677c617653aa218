//! What a figure alone can be made to show: its animations, its build, and what is known of them.

use ironlands::assets_loader::evil_islands::figure::FigureAnimation;
use ironlands::assets_loader::evil_islands::figure_file::FigureFile;
use ironlands::worlds::evil_islands::figure::Rig;

use crate::error::AppError;

/// What the command line calls the figure without any animation.
pub const REST: &str = "none";

/// A figure, as the panel and the command line speak of it.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct FigureSheet {
    /// In file order.
    pub animations: Vec<AnimationSheet>,
    /// The one that plays if nothing else is asked for.
    pub idle: Option<usize>,
    /// Dexterity, strength, height at the beginning.
    pub complection: [f32; 3],
}

/// An animation.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct AnimationSheet {
    pub name: String,
    /// Of a cycle the one that is its first again.
    pub last_frame: f32,
    /// How long it is and whether it begins anew, in words.
    pub length: String,
    /// What else is known of it.
    pub facts: String,
}

/// The rig of a figure alone.
pub fn rig_of(file: &FigureFile) -> Rig {
    Rig::of(&file.figure, &file.targets())
}

impl FigureSheet {
    /// The sheet of a figure alone.
    pub fn of(file: &FigureFile) -> Self {
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
        Self {
            animations: animations.collect(),
            idle: rig.idle(),
            complection: file.complection,
        }
    }

    /// The last frame of an animation; 0 at rest.
    pub fn last_frame(&self, animation: Option<usize>) -> f32 {
        let sheet = animation.and_then(|animation| self.animations.get(animation));
        sheet.map_or(0.0, |sheet| sheet.last_frame)
    }

    /// The animation of that name, in any case; the idle one if nothing is asked for.
    ///
    /// # Errors
    /// [`AppError::NoAnimation`].
    pub fn animation(&self, wanted: Option<&str>) -> Result<Option<usize>, AppError> {
        let Some(wanted) = wanted else {
            return Ok(self.idle);
        };
        let is_wanted = |it: &AnimationSheet| it.name.eq_ignore_ascii_case(wanted);
        match self.animations.iter().position(is_wanted) {
            Some(animation) => Ok(Some(animation)),
            None if wanted.eq_ignore_ascii_case(REST) => Ok(None),
            None => {
                let names = self.animations.iter().map(|it| &*it.name);
                let names: Vec<_> = names.chain([REST]).collect();
                Err(AppError::NoAnimation {
                    wanted: wanted.to_owned(),
                    known: names.join(", "),
                })
            }
        }
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

#[cfg(test)]
mod tests {
    use super::*;

    fn sheet() -> FigureSheet {
        let animation = |name: &str, last_frame| AnimationSheet {
            name: name.to_owned(),
            last_frame,
            ..AnimationSheet::default()
        };
        FigureSheet {
            animations: vec![animation("uattack01", 9.0), animation("cidle", 24.0)],
            idle: Some(1),
            ..FigureSheet::default()
        }
    }

    #[test]
    fn animations_go_by_name_and_without_one_it_idles() {
        let sheet = sheet();
        let found = |wanted| sheet.animation(wanted).unwrap();
        assert_eq!(found(None), Some(1));
        assert_eq!(found(Some("UAttack01")), Some(0));
        assert_eq!(found(Some("none")), None);
        assert_eq!(sheet.last_frame(found(Some("cidle"))), 24.0);
        assert_eq!(sheet.last_frame(None), 0.0);
        let error = sheet.animation(Some("walk")).unwrap_err().to_string();
        assert!(error.contains("uattack01, cidle, none"), "{error}");
    }
}
