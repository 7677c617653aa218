//! What changes from frame to frame: one small value in, one out.

use glam::Vec3;
use ironlands_scene::{
    Affine, CullingState, EmitterState, GradingState, LightStyle, Morphs, OverlayVertex, SoundState,
};

use crate::{Camera, ResolutionScale};

/// Everything about a frame that the scene does not say.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct FrameState {
    /// Where the picture is taken from.
    pub camera: Camera,
    /// What decides visibility and level of detail in place of `camera`: set it to the camera of one moment
    /// and fly on, to see from outside what was drawn at that moment. What is seen through is still drawn in its
    /// order from `camera`.
    pub culling_camera: Option<Camera>,
    /// The point that decides which cells are seen in place of the camera that culls: set it to that of one moment
    /// and fly on, to see from outside what was seen from there.
    pub visible_from: Option<Vec3>,
    /// How much brighter linear light is shown, in powers of two: light of [`ironlands_scene::Lighting::Lightmap`] and
    /// [`ironlands_scene::Lighting::Ambient`], and pictures of the sky whose pixels are linear light.
    pub exposure_stops: f32,
    /// Time since the frame before, for scenes whose exposure follows the picture ([`ironlands_scene::AutoExposure`]):
    /// exposure continues from that frame. Without it, and in the first frame of a scene, exposure has settled, which draws the
    /// frame several times.
    pub exposure_secs: Option<f32>,
    /// Time of light styles, scrolling textures, material animations, waves and clouds. Animations count whole
    /// milliseconds in 32 bits, so they wrap around after 49.7 days; before 0 they stay at their beginning.
    pub time_secs: f32,
    /// Which of [`ironlands_scene::Scene::days`] is shown; an index beyond them is the first.
    pub day: usize,
    /// Hour of the day, for scenes that have one ([`ironlands_scene::Scene::atmosphere`]): any number, 25.5 is 1.5.
    /// Without it, a scene's day stands at its start.
    pub hour: Option<f32>,
    /// Whether something is between the camera and the light that a painted sky shows: then its lens flare does not shine.
    pub light_is_hidden: bool,
    /// World from node for every node of every instance, in the order of [`ironlands_scene::Scene::rest_poses`]
    /// and as many, else [`crate::RenderError::Poses`]; empty: all at rest. A piece whose matrix is not finite
    /// is not drawn.
    pub poses: Vec<Affine>,
    /// Morph weights of every instance in place of those at rest, in the order of `Scene::instances` and as many, else
    /// [`crate::RenderError::Morphs`]; empty: all as at rest. Weights of missing targets count as none; a piece that
    /// a weight moves which is not finite is not drawn.
    pub morphs: Morphs,
    /// The emitters of the scene at this moment, in the order of `Scene::emitters` and as many, else
    /// [`crate::RenderError::Emitters`]; empty: all as the scene has them, at the time of this frame.
    pub emitters: Vec<EmitterState>,
    /// How the level has the picture shown at this moment, where it is not as the scene says.
    pub grading: GradingState,
    /// Which portals are open and which occluders hide something.
    pub culling: CullingState,
    /// The sounds of the scene at this moment, in the order of `Scene::sounds` and as many; empty: all as they are by
    /// themselves. They are not drawn: who plays them takes them from here.
    pub sounds: Vec<SoundState>,
    /// How stored lights change with time, in place of `Scene::light_styles` and as many; empty: as the scene has it.
    pub light_styles: Vec<LightStyle>,
    /// Pieces that are not shown, beside those that instances hide themselves: index of the instance, then that of
    /// the piece of its model.
    pub hidden_pieces: Vec<[u32; 2]>,
    /// The state that instances show in place of their own; those whose model has no piece in it keep their own.
    pub model_state: Option<u8>,
    /// The level of detail that all instances show in place of the one for their size on the screen, even if
    /// [`Switches::lod`] is off.
    pub model_lod: Option<u8>,
    /// Whether what the level's game did not have is drawn.
    pub style: Style,
    /// What is drawn.
    pub switches: Switches,
    /// What of the surfaces of meshes, models and tiles of land is shown.
    pub view: SurfaceView,
    /// At which part of the target's size, in the enhanced style alone.
    pub resolution: ResolutionScale,
    /// Indices into `Scene::overlays`, drawn in this order; an index beyond the scene's overlays is ignored.
    pub overlays: Vec<usize>,
    /// Corners of triangles to point out, in world space.
    pub highlight: Vec<[Vec3; 3]>,
    /// Lines of this frame's own, drawn like those of an overlay: pairs of end points.
    pub lines: Vec<OverlayVertex>,
    /// How tiles of land are shown, for scenes that have some.
    pub tiles: TileView,
}

/// What of surfaces is shown. Water, skies and particles look as always.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub enum SurfaceView {
    /// How they look.
    #[default]
    Shaded,
    /// The edges of their triangles, on devices that draw such.
    Wireframe,
    /// Their normals in the world: red is +X, green +Y, blue +Z.
    Normals,
    /// Their texture coordinates, and squares of which eight go along a texture; of tiles of land their steps, a square
    /// each.
    TextureCoordinates,
    /// How many lie over each other, hidden ones too.
    Overdraw,
}

impl SurfaceView {
    /// In the order in which they are offered.
    pub const ALL: [Self; 5] = [
        Self::Shaded,
        Self::Wireframe,
        Self::Normals,
        Self::TextureCoordinates,
        Self::Overdraw,
    ];

    /// Its place in [`Self::ALL`], and its number in `shaders/shared/surface_view.wgsl`.
    pub(crate) const fn index(self) -> usize {
        self as usize
    }

    /// What it is called.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Shaded => "shaded",
            Self::Wireframe => "wireframe",
            Self::Normals => "normals",
            Self::TextureCoordinates => "texture coordinates",
            Self::Overdraw => "overdraw",
        }
    }
}

/// How a level is shown. It may change from frame to frame.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub enum Style {
    /// As its game showed it, as far as that is known.
    #[default]
    Faithful,
    /// With what this renderer adds, as far as [`Switches`] do not leave it out.
    Enhanced,
}

impl Style {
    /// All of them.
    pub const ALL: [Self; 2] = [Self::Faithful, Self::Enhanced];

    /// What it is called.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Faithful => "faithful",
            Self::Enhanced => "enhanced",
        }
    }

    /// The style that is called so.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|style| style.name() == name)
    }

    /// The one that is not this.
    #[must_use]
    pub const fn other(self) -> Self {
        match self {
            Self::Faithful => Self::Enhanced,
            Self::Enhanced => Self::Faithful,
        }
    }
}

/// How tiles of land are shown.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TileView {
    /// Largest step on the screen, in pixels: the smaller, the finer the land. Above 0.
    pub max_step_px: f32,
    /// Index into [`ironlands_scene::TileTree::color_by`]; `None` or an index beyond them shows the land's own colors.
    pub color_by: Option<usize>,
    /// Bars along the closed sides of steps.
    pub sides: bool,
    /// Lines between steps.
    pub grid: bool,
    /// The only layer that is shown; `None` for all.
    pub layer: Option<u8>,
    /// What is higher than this is not shown, world units.
    pub hidden_above: Option<f32>,
}

impl Default for TileView {
    /// All layers in their own colors, steps of up to four pixels.
    fn default() -> Self {
        Self {
            max_step_px: 4.0,
            color_by: None,
            sides: false,
            grid: false,
            layer: None,
            hidden_above: None,
        }
    }
}

impl FrameState {
    /// Whether something that this renderer adds is shown: only in the enhanced style, unless its switch is off.
    pub(crate) fn adds(&self, is_on: fn(&Switches) -> bool) -> bool {
        self.style == Style::Enhanced && is_on(&self.switches)
    }

    /// Whether liquids are mirrors in the style of their world ([`ironlands_scene::MirrorSheet`]).
    pub(crate) fn shows_mirror_sheets(&self) -> bool {
        let Switches {
            water,
            water_reflection,
            mirrors,
            ..
        } = self.switches;
        self.style == Style::Faithful && water && water_reflection && mirrors
    }

    /// The time of material animations.
    pub(crate) fn time_ms(&self) -> u32 {
        // From 64 bits to 32, so that the count wraps.
        (f64::from(self.time_secs) * 1000.0).round() as u64 as u32
    }
}

/// What is drawn. `deep_water`, `mirrors`, `clouds`, `rich_sky`, `haze`, `ambient_occlusion` and `bloom` are drawn in the enhanced style only. `decal`, `lightmap`, `detail` and `water` turn off all passes of that kind.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Switches {
    /// Second layers over the same surface.
    pub decal: bool,
    /// Lightmaps; without them, passes that are lit by nothing else are fully lit.
    pub lightmap: bool,
    /// Detail textures: passes of their own, and those of passes ([`ironlands_scene::Pass::detail`]).
    pub detail: bool,
    /// Models.
    pub models: bool,
    /// Particles.
    pub particles: bool,
    /// Particles fade out before surfaces in the enhanced style; else they are cut off there.
    pub soft_particles: bool,
    /// Holes of leaves and fences have smooth edges in the enhanced style, where there is multisampling.
    pub smooth_cutouts: bool,
    /// Grass and other small pictures on the ground ([`ironlands_scene::Foliage`]).
    pub foliage: bool,
    /// Water surfaces, and the sea.
    pub water: bool,
    /// Water mirrors sky and sun and has small waves; without it, it is drawn as its material says.
    pub water_reflection: bool,
    /// Liquids that say how they look ([`ironlands_scene::Liquid`]) are clear: what is below is seen through them, and an
    /// eye inside of one has a limited range of sight.
    pub deep_water: bool,
    /// Such liquids mirror what is above them, and not only the sky: the level is drawn again for each height of theirs in
    /// view.
    pub mirrors: bool,
    /// Mirrors in the style of their world ([`ironlands_scene::MirrorSheet`]) ripple and take the color of the liquid;
    /// without it they are plain. Without `mirrors` or `water_reflection` such liquids are drawn as their material says.
    pub ripples: bool,
    /// Water continues beyond the level's edge to the horizon.
    pub sea_beyond_edge: bool,
    /// Distance fog.
    pub fog: bool,
    /// Sky dome or sky box, and the backdrop before it; without it the background has the horizon's color.
    pub sky: bool,
    /// The layers of clouds of the scene in its sky dome.
    pub clouds: bool,
    /// The dome of the day in place of its one color, with stars, and light from where sun or moon stand
    /// ([`ironlands_scene::SkyDome`]).
    pub rich_sky: bool,
    /// Haze in place of fog ([`ironlands_scene::Scene::haze`]): what it hides melts into the sky behind. Only below a
    /// dome; before a sky box there is fog.
    pub haze: bool,
    /// Coarse levels far away; without it all is drawn at its finest.
    pub lod: bool,
    /// What the camera's cell does not see, what no portal leads to, and what occluders hide is left out.
    pub visibility: bool,
    /// The sun throws shadows; in the enhanced style alone.
    pub sun_shadows: bool,
    /// The sun's shadows are round spots below models, which cost less; without `sun_shadows` nothing.
    pub blob_shadows: bool,
    /// Lamps light what is around them; in the enhanced style alone.
    pub local_lights: bool,
    /// The nearest lamps throw shadows; in the enhanced style alone, and without `local_lights` nothing.
    pub lamp_shadows: bool,
    /// Corners and the ground below things are darker than what is open ([`ironlands_scene::Scene::occlusion_radius`]).
    pub ambient_occlusion: bool,
    /// A soft light around what glows: [`ironlands_scene::Pass::glows`], particles that add light, the sun. Where exposure
    /// follows the picture it is around all that is bright, in any style.
    pub bloom: bool,
    /// Exposure follows the picture ([`ironlands_scene::Scene::auto_exposure`]).
    pub auto_exposure: bool,
    /// Tables change the colors of the picture ([`ironlands_scene::Scene::color_corrections`]).
    pub color_correction: bool,
}

impl Default for Switches {
    /// Everything.
    fn default() -> Self {
        Self {
            decal: true,
            lightmap: true,
            detail: true,
            models: true,
            particles: true,
            soft_particles: true,
            smooth_cutouts: true,
            foliage: true,
            water: true,
            water_reflection: true,
            deep_water: true,
            mirrors: true,
            ripples: true,
            sea_beyond_edge: true,
            fog: true,
            sky: true,
            clouds: true,
            rich_sky: true,
            haze: true,
            lod: true,
            visibility: true,
            sun_shadows: true,
            blob_shadows: false,
            local_lights: true,
            lamp_shadows: true,
            ambient_occlusion: true,
            bloom: true,
            auto_exposure: true,
            color_correction: true,
        }
    }
}

/// What a frame took.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct FrameStats {
    /// Clusters of all meshes.
    pub clusters_total: usize,
    /// Clusters that the camera may see.
    pub clusters_drawn: usize,
    /// Those, and clusters that only their cells hide.
    pub clusters_without_visibility: usize,
    /// Instances of models.
    pub instances_total: usize,
    /// Instances of which the camera may see a piece.
    pub instances_drawn: usize,
    /// Those, and instances that only their cells hide.
    pub instances_without_visibility: usize,
    /// Pieces of models that the camera may see.
    pub pieces_drawn: usize,
    /// Rectangles of particles.
    pub particles_drawn: usize,
    /// Triangles of material passes and of tiles, of mirrors and of maps of shadows; one that is drawn twice counts twice.
    pub triangles: u64,
    /// Those, and triangles that only their cells hide.
    pub triangles_without_visibility: u64,
    /// Draw calls of material passes, of tiles and of particles, of mirrors and of maps of shadows.
    pub draw_calls: usize,
    /// Copies of the picture, for deep water and for what bends what is behind it.
    pub picture_copies: usize,
    /// Tiles of land with something to draw.
    pub tiles_drawn: usize,
    /// Their facets, two triangles each.
    pub tile_facets: u64,
    /// Bytes that were written to buffers of the device since the frame before; not for the user interface, nor for textures.
    pub written_bytes: u64,
}

impl FrameStats {
    /// Adds what was drawn of the same scene from another place.
    pub(crate) fn add(&mut self, other: Self) {
        self.clusters_drawn += other.clusters_drawn;
        self.clusters_without_visibility += other.clusters_without_visibility;
        self.instances_drawn += other.instances_drawn;
        self.instances_without_visibility += other.instances_without_visibility;
        self.pieces_drawn += other.pieces_drawn;
        self.add_mirror(other);
    }

    /// Adds what it took to draw a mirror, which shows nothing more of the scene.
    pub(crate) fn add_mirror(&mut self, mirror: Self) {
        self.triangles += mirror.triangles;
        self.triangles_without_visibility += mirror.triangles_without_visibility;
        self.draw_calls += mirror.draw_calls;
    }
}

/// A user interface that `egui` laid out, to be painted over the frame.
pub struct HudFrame {
    /// From `egui::Context::tessellate`.
    pub paint_jobs: Vec<egui::ClippedPrimitive>,
    /// From `egui::FullOutput`. Every change must reach the renderer, in order: those of a frame that is not
    /// drawn are kept and put before the next (`egui::TexturesDelta::append`).
    pub textures_delta: egui::TexturesDelta,
    /// Physical pixels of a logical point.
    pub pixels_per_point: f32,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn animations_count_milliseconds_and_begin_anew_after_49_days() {
        for (time_secs, time_ms) in [
            (0.0, 0),
            (0.7, 700),
            (1.0004, 1000),
            (-5.0, 0),
            (f32::NAN, 0),
            (4_294_968.0, 704),
        ] {
            let state = FrameState {
                time_secs,
                ..FrameState::default()
            };
            assert_eq!(state.time_ms(), time_ms, "{time_secs}");
        }
    }
}
