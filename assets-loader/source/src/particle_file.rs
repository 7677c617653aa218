//! One particle system by itself: a system of a `*.pcf`, with the materials of its game.
//!
//! In: the path of the file, on disk or in a VPK, and folders of the game. Out: a scene that the system alone is in.

use std::collections::{BTreeSet, HashSet};
use std::path::{Path, PathBuf};

use ironlands_scene::{Aabb, Scene, Spawn};

use crate::level_scene::of_system_alone;
use crate::materials::Materials;
use crate::pcf::{ParticleSystem, Pcf, first_of};
use crate::place::Place;
use crate::vmt::LightRange;
use ironlands_assets_core::bytes::{Finding, Reader, Severity};
use ironlands_assets_core::format::Format;
use ironlands_assets_core::vfs::VfsError;

/// The folder that paths of particle systems begin with.
const PARTICLES: &str = "particles";
/// Where it is looked at from: the front, the left and a little above.
const VIEW_FROM: [f32; 3] = [0.86, 0.45, 0.2];
/// Moments at which particles are looked at for the box around them all.
const N_MOMENTS: u16 = 24;
/// What lasts longer is shown for this long, and begins again.
const LONGEST_SECS: f32 = 20.0;

/// A particle system, and what it is drawn with.
#[derive(Debug)]
pub struct ParticleFile {
    scene: Scene,
    /// What it had to do without.
    pub findings: Vec<Finding>,
}

impl ParticleFile {
    /// Opens a file, and of its systems the one of a name, or the first that no other begins. Materials are looked for in the
    /// folder above its `particles` and in `assets`.
    ///
    /// # Errors
    /// A file that cannot be read or breaks the rules of its format, or that has no such system. Materials that are missing or
    /// broken are findings.
    pub fn open(path: &Path, assets: &[PathBuf], name: Option<&str>) -> Result<Self, VfsError> {
        let invalid = |error| VfsError::Invalid {
            file: path.to_owned(),
            error: Box::new(error),
        };
        let place = Place::from_path(path, PARTICLES);
        let files = place.game_files(assets)?;
        let pcf = Pcf::read(&place.read(&files)?).map_err(invalid)?;
        let system = match name {
            Some(name) => pcf.system(name),
            None => first(&pcf),
        };
        let missing = || {
            let known: BTreeSet<_> = pcf.systems().map(|it| it.name()).collect();
            let expected = format!("one of {}", first_of(&known));
            let r = Reader::new(Pcf::NAME, &[]);
            invalid(r.unexpected("particle system", expected, name.unwrap_or("none")))
        };
        let system = system.ok_or_else(missing)?;
        let mut materials = Materials::new(&files, LightRange::Ldr);
        let (emitters, mut findings) = of_system_alone(&system, &mut materials);
        let made = materials.finish();
        findings.extend(made.findings);
        findings.extend(made.missing.findings());
        if emitters.is_empty() {
            let message = "nothing of it is drawn";
            findings.push(Finding::new(Severity::Warning, Pcf::NAME, message));
        }
        let scene = Scene {
            name: system.name(),
            textures: made.textures,
            materials: made.materials,
            emitters,
            ..Scene::default()
        };
        Ok(Self { scene, findings })
    }

    /// The system alone, at the origin, with nothing but the sky around it. The scene passes [`Scene::validate`].
    pub fn to_scene(&self) -> Scene {
        let bounds = self.bounds();
        let sides = bounds.max.iter().zip(&bounds.min);
        let half: f32 = sides
            .map(|(max, min)| 0.25 * (max - min) * (max - min))
            .sum();
        let view = Spawn::model_view(bounds.center(), half.sqrt(), VIEW_FROM);
        Scene {
            spawns: vec![view],
            ..self.scene.clone()
        }
    }

    /// Seconds until all that happens in it has happened; at most twenty.
    pub fn length_secs(&self) -> f32 {
        let ends = self.scene.emitters.iter().map(|it| {
            let end = it.window.map_or(0.0, |it| it.start_secs + it.duration_secs);
            end + it.life_secs[1]
        });
        ends.fold(1.0, f32::max).min(LONGEST_SECS)
    }

    /// Around all particles at all times, as seen from afar.
    pub fn bounds(&self) -> Aabb {
        let mut around_each = Vec::new();
        // Corners of one moment at a time: there may be a million particles.
        let mut corners = Vec::new();
        for moment in 0..=N_MOMENTS {
            let share = f32::from(moment) / f32::from(N_MOMENTS);
            for emitter in &self.scene.emitters {
                corners.clear();
                emitter.add_corners(self.length_secs() * share, &mut corners);
                let finite = corners.iter().filter(|it| it.iter().all(|v| v.is_finite()));
                around_each.extend(Aabb::around(finite).map(|it| [it.min, it.max]));
            }
        }
        Aabb::around(around_each.as_flattened()).unwrap_or(Aabb {
            min: [-1.0; 3],
            max: [1.0; 3],
        })
    }
}

/// The first system that no other begins; of a circle the first.
fn first(pcf: &Pcf) -> Option<ParticleSystem<'_>> {
    let begun = pcf
        .systems()
        .flat_map(|it| it.children().collect::<Vec<_>>());
    let begun: HashSet<_> = begun.map(|it| it.system.index()).collect();
    let alone = pcf.systems().find(|it| !begun.contains(&it.index()));
    alone.or_else(|| pcf.systems().next())
}

/// Whether a path is that of a file of particle systems, by its extension.
pub fn is_particle_file(path: &Path) -> bool {
    let extension = path.extension().unwrap_or_default();
    Pcf::EXTENSIONS
        .iter()
        .any(|it| extension.eq_ignore_ascii_case(it))
}
