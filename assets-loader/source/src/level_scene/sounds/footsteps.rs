//! What the steps of a walker sound like on the faces of a map.

use std::collections::{HashMap, HashSet};

use ironlands_scene::{Sound, SoundPlay, SoundSource};

use super::{KnownClip, MAX_SOUNDS, Maker};
use crate::bsp::Map;
use crate::materials::Materials;
use crate::sound_scripts::wave_path;
use crate::surface_properties::{StepNames, SurfaceProperties};

/// What a face is made of whose material does not say so.
const USUAL: &str = "default";
/// Volumes of soft and of loud steps: usual ones, on dirt, and in ducts.
const USUAL_VOLUMES: [f32; 2] = [0.2, 0.5];
const DIRT_VOLUMES: [f32; 2] = [0.25, 0.55];
const DUCT_VOLUMES: [f32; 2] = [0.4, 0.7];

/// What steps are heard on a map, by numbers of `surfaces`.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Footsteps {
    /// Surfaces that are stepped on, each once.
    pub surfaces: Vec<StepSurface>,
    /// Of each texinfo that a face has.
    pub of_texinfos: HashMap<i32, usize>,
    /// That of ladders.
    pub ladder: Option<usize>,
    /// That of water up to the feet.
    pub shallow: Option<usize>,
    /// That of water up to the waist.
    pub wade: Option<usize>,
}

/// What a step on a surface sounds like.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct StepSurface {
    /// The sounds of the left and the right foot in the scene.
    pub sounds: [usize; 2],
    /// Volumes of soft and of loud steps.
    pub volumes: [f32; 2],
}

/// The names of what the faces of a map are made of, by their texinfos, as far as their materials are known.
pub fn surface_names(map: &Map, materials: &Materials<'_>) -> HashMap<i32, String> {
    let texinfos: HashSet<i32> = map.faces.iter().map(|it| it.texinfo).collect();
    let names = texinfos.into_iter().filter_map(|texinfo| {
        let look = materials.known_look(&map.texture_name(texinfo)?)?;
        let name = look.surface_prop.clone();
        Some((texinfo, name.unwrap_or_else(|| USUAL.to_owned())))
    });
    names.collect()
}

impl Maker<'_> {
    /// Adds the sounds of all surfaces that have some.
    pub(super) fn add_footsteps(&mut self, names: &HashMap<i32, String>) {
        let table = SurfaceProperties::open(&self.level.game_files, self.findings);
        let mut known: HashMap<StepNames, Option<usize>> = HashMap::new();
        let mut surface = |name: &str| {
            let steps = table.steps(name)?;
            let number = known.get(&steps).copied();
            number.unwrap_or_else(|| {
                let number = self.add_step_surface(&steps);
                known.insert(steps, number);
                number
            })
        };
        // In the order of the map, so that scenes repeat.
        let mut texinfos: Vec<_> = names.iter().collect();
        texinfos.sort_unstable();
        let of_texinfos = texinfos
            .into_iter()
            .filter_map(|(texinfo, name)| Some((*texinfo, surface(name)?)));
        let of_texinfos = of_texinfos.collect();
        let [ladder, shallow, wade] = ["ladder", "water", "wade"].map(&mut surface);
        self.made.footsteps = Footsteps {
            of_texinfos,
            ladder,
            shallow,
            wade,
            surfaces: std::mem::take(&mut self.made.footsteps.surfaces),
        };
    }

    fn add_step_surface(&mut self, steps: &StepNames) -> Option<usize> {
        let StepNames { feet, material } = steps;
        if self.made.sounds.len().saturating_add(2) > MAX_SOUNDS {
            return None;
        }
        let [left, right] = feet.each_ref().map(|name| self.footstep(name));
        let first = self.made.sounds.len();
        self.made.sounds.extend([left?, right?]);
        let surfaces = &mut self.made.footsteps.surfaces;
        surfaces.push(StepSurface {
            sounds: [first, first.saturating_add(1)],
            volumes: match material {
                'D' => DIRT_VOLUMES,
                'V' => DUCT_VOLUMES,
                _ => USUAL_VOLUMES,
            },
        });
        surfaces.len().checked_sub(1)
    }

    /// Steps are heard where the listener is.
    fn footstep(&mut self, name: &str) -> Option<Sound> {
        let entry = self.scripts().get(name)?;
        let (wave, rate) = (wave_path(entry.waves.first()?), entry.rate);
        let KnownClip { index: clip, .. } = self.clip(&wave)?;
        Some(Sound {
            name: format!("step ({name})"),
            clip,
            source: SoundSource::Everywhere,
            play: SoundPlay::OnCall,
            // Each step says how loud it is.
            gain: 1.0,
            rate,
            hours: None,
        })
    }
}
