//! The waist of the hourglass: plain arrays that any world becomes.
//!
//! In: what a loader of `assets-loader` converts a level to. Out: what `renderer` draws. Engine axes are
//! right-handed with +Z up; lengths are the world's own unit; angles are radians; colors are display-space
//! (gamma-encoded) values in `0.0..=1.0` unless a field says otherwise.
//!
//! Deliberately absent: bytes, files, GPU handles, game names, closures, reference counting.

mod affine;
mod areas;
mod camera_path;
mod color_correction;
mod day;
pub mod effects;
mod emitter;
mod environment;
mod exposure;
mod foliage;
mod ground;
mod light;
mod liquid;
mod material;
mod model;
mod morph;
mod overlay;
mod painted_sky;
mod pass_animation;
mod pass_effects;
mod piece_moves;
mod pixels;
mod skin;
mod sky_dome;
mod sound;
mod texture;
mod tiles;
mod validate;
mod visibility;

pub use affine::Affine;
pub use areas::{AreaPortal, Areas, CullingState, MAX_AREAS, Occluder};
pub use camera_path::{CameraKey, CameraPath};
pub use color_correction::{
    ColorCorrection, ColorTable, CorrectionPlace, GradingState, MAX_TABLE_SIDE, correction_weights,
};
pub use day::{Atmosphere, DayCycle, FogColor, HOURS_PER_DAY, HourColors, on_clock};
pub use emitter::{
    Anchor, Attribute, Beam, BirthPath, Birthplace, Burst, Constraint, Curve, CurveKey, Emission,
    Emitter, EmitterAt, EmitterState, EmitterWindow, Force, FramePlay, HourWindow,
    MAX_LIVE_PARTICLES, MAX_STEP_COST, Modulation, ModulationMode, ModulationSource, Motion,
    Particle, ParticleBlend, ParticleForm, Rope, Shell, SpriteFrame, Stepped, Throw, ViewRange,
};
pub use environment::{
    Backdrop, Fog, FogFalloff, FogLayer, LightStyle, MAX_LIGHT_STYLES, SeaBed, Sky, SkyBox,
    SkyFace, Spawn, Sun, Water,
};
pub use exposure::{AutoExposure, DARKEST};
pub use foliage::{
    Foliage, FoliagePatch, FoliageSprite, MAX_FOLIAGE_SPRITES, SpriteFacing, StandingSprite,
    StyledLight,
};
pub use ground::{Aabb, Batch, Cluster, LodGrid, Mesh};
pub use light::{Flicker, Light, LightCone};
pub use liquid::{Liquid, MirrorSheet};
pub use material::{
    Blend, BlendFactor, BlendTexture, Cull, LayerEdge, LayerFade, Lighting, Lightmap, Material,
    MaterialIdx, NormalMap, Pass, PassKind, Refraction,
};
pub use model::{
    AmbientCube, DirectLight, Instance, MAX_DIRECT_LIGHTS, Model, ModelIdx, ModelNode, ModelPiece,
    PieceLod, Sphere,
};
pub use morph::{MorphTarget, MorphWeight, Morphs};
pub use overlay::{LegendEntry, Overlay, OverlayVertex};
pub use painted_sky::{
    FlareSpot, LensFlare, MAX_FLARE_SPOTS, MAX_SHOWN_BODIES, N_COMPASS, N_SKY_RINGS, PaintedColors,
    PaintedKey, PaintedSky, SkyBody, SkyPicture, SkyRing,
};
pub use pass_animation::{Glides, PassAnimation, PassPhase, PhaseKey, PhaseMode};
pub use pass_effects::{
    DetailLayer, DetailMode, EnvironmentMap, EnvironmentMask, Highlight, HighlightMask,
    PassEffects, Rim, SelfIllumination, UvTransform,
};
pub use piece_moves::PieceMoves;
pub use skin::{Joint, PieceSkin, SkinVertex};
pub use sky_dome::{CloudLayer, MAX_CLOUD_LAYERS, SkyDome, SkyKey, SunPath};
pub use sound::{
    ClipIdx, Sound, SoundClip, SoundPlay, SoundReach, SoundSource, SoundStart, SoundState,
};
pub use texture::{Addressing, PixelFormat, Texture, TextureCell, TextureIdx};
pub use tiles::{
    ColorBy, Facet, FacetProperty, Facing, MAX_PROPERTY_COLORS, MAX_RAMP_COLORS, RampColor, Tile,
    TileKey, TileOptions, TileShape, TileTree,
};
pub use validate::SceneError;
pub use visibility::{VisNode, Visibility};

/// A level as plain data: everything that can be drawn, and nothing of where it came from.
///
/// Indices refer into the arrays of the same scene; [`Scene::validate`] proves that they all do.
///
/// ```
/// use ironlands_scene::{Batch, Material, MaterialIdx, Mesh, Scene};
///
/// let mut scene = Scene {
///     materials: vec![Material::default()],
///     meshes: vec![Mesh {
///         positions: vec![[0.0, 0.0, 0.0], [4.0, 0.0, 0.0], [0.0, 4.0, 1.0]],
///         normals: vec![[0.0, 0.0, 1.0]; 3],
///         uv_sets: [vec![[0.0; 2]; 3], vec![[0.0; 2]; 3]],
///         indices: vec![0, 1, 2],
///         batches: vec![Batch {
///             first_index: 0,
///             n_indices: 3,
///             material: MaterialIdx(0),
///         }],
///         ..Mesh::default()
///     }],
///     ..Scene::default()
/// };
/// scene.validate()?;
/// assert_eq!(scene.bounds().map(|bounds| bounds.max), Some([4.0, 4.0, 1.0]));
///
/// // An index that leads nowhere is named.
/// scene.meshes[0].indices[2] = 3;
/// let error = scene.validate().unwrap_err();
/// assert_eq!((&*error.array, error.index), ("meshes[0].indices", 2));
/// # Ok::<(), ironlands_scene::SceneError>(())
/// ```
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Scene {
    /// Name for window titles and reports.
    pub name: String,
    /// Textures, in no particular order.
    pub textures: Vec<Texture>,
    /// Materials; batches name them by index.
    pub materials: Vec<Material>,
    /// Static meshes in world space.
    pub meshes: Vec<Mesh>,
    /// Land that is made tile by tile when it is seen, if the level has such.
    pub tiles: Option<TileTree>,
    /// Models; instances name them by index.
    pub models: Vec<Model>,
    /// The objects of the level.
    pub instances: Vec<Instance>,
    /// Sources of particles.
    pub emitters: Vec<Emitter>,
    /// Grass and other small pictures on the ground, if the level has some.
    pub foliage: Option<Foliage>,
    /// Recordings; sounds name them by index.
    pub clips: Vec<SoundClip>,
    /// What is heard.
    pub sounds: Vec<Sound>,
    /// World units per second, by which what moves sounds higher as it comes and lower as it goes; with 0 it does not.
    pub speed_of_sound: f32,
    /// Directional and ambient light.
    pub sun: Sun,
    /// Lamps, torches and fires.
    pub lights: Vec<Light>,
    /// How far around a surface things keep the light from around from it, where ambient occlusion is requested: about
    /// half the height of a person, world units. At least 0; with 0 there is none.
    pub occlusion_radius: f32,
    /// Sky dome.
    pub sky: Sky,
    /// Pictures of the sky, drawn in place of the dome.
    pub sky_box: Option<SkyBox>,
    /// Distant scenery behind the level.
    pub backdrop: Option<Backdrop>,
    /// How stored lights change with time; passes name them by index. Empty: all of them are constant. At most
    /// [`MAX_LIGHT_STYLES`].
    pub light_styles: Vec<LightStyle>,
    /// What can be seen from where, if that is known; else there are no cells, and nothing may name one.
    pub visibility: Option<Visibility>,
    /// Areas of these cells, and the portals between them.
    pub areas: Areas,
    /// Polygons that hide models behind them.
    pub occluders: Vec<Occluder>,
    /// Layers of clouds in the sky dome, the highest first; at most [`MAX_CLOUD_LAYERS`].
    pub clouds: Vec<CloudLayer>,
    /// Distance fog, if the level has any.
    pub fog: Option<Fog>,
    /// What takes the place of `fog` where haze is requested: it begins softly, and what it hides has the color of the
    /// sky behind it, not its own.
    pub haze: Option<Fog>,
    /// How light, sky and fog change with the hour: days to choose from, the first of which is the default. Without any
    /// they are the same at all hours. See [`Scene::atmosphere`].
    pub days: Vec<DayCycle>,
    /// How the picture's brightness follows what is in it; without it, linear light is shown as it is.
    pub auto_exposure: Option<AutoExposure>,
    /// Tables of colors; corrections name them by index.
    pub color_tables: Vec<ColorTable>,
    /// Where such tables change the colors of the picture.
    pub color_corrections: Vec<ColorCorrection>,
    /// Body of still water, if the level has one.
    pub water: Option<Water>,
    /// Named debug layers, drawn only on request.
    pub overlays: Vec<Overlay>,
    /// Places to start from; the first is the default.
    pub spawns: Vec<Spawn>,
}

impl Scene {
    /// World from node for every node of every instance, one instance after the other, all at rest.
    pub fn rest_poses(&self) -> Vec<Affine> {
        let mut world_from_nodes = Vec::new();
        for instance in &self.instances {
            let model = &self.models[instance.model.0 as usize];
            instance.rest_pose(model, &mut world_from_nodes);
        }
        world_from_nodes
    }

    /// Box around all meshes; `None` if there is no vertex.
    pub fn bounds(&self) -> Option<Aabb> {
        Aabb::around(self.meshes.iter().flat_map(|mesh| &mesh.positions))
    }

    /// Looks up an overlay by its name.
    pub fn overlay_index(&self, name: &str) -> Option<usize> {
        self.overlays
            .iter()
            .position(|overlay| overlay.name == name)
    }
}
