//! A Source level: brushes, displacements, static props as boxes, and its entities.

mod body;
mod describe;
mod faces;
mod first_view;
mod footsteps;
mod living;
mod soundscapes;
mod walk;

use std::sync::RwLock;

use crate::brush_map::{MapWorldError, content_bits, living_brush_world};
use crate::game::{Game, WalkRules};
use crate::kind::EntityInput;
use crate::life::{Drawn, LevelEntities, Life, Sounds};
use crate::solid_entities::is_solid;
use body::Body;
pub(crate) use body::MASK as WALKER_MASK;
use describe::surface;
use faces::Faces;
use footsteps::Steps;
use glam::Vec3;
use ironlands_assets_source::bsp::{Contents, Map, SurfaceFlags};
use ironlands_assets_source::entities::{Entities, Entity};
use ironlands_assets_source::level_scene::{Figure, Owners};
use ironlands_scene::{
    CullingState, EmitterState, GradingState, LightStyle, Scene, SoundState, Spawn, TileShape,
};
use ironlands_sim_brush::{
    BrushWorld, CastHit, CastResult, CastScratch, ContentBits, Obstacles, PropHull, ShapeCast,
};
use ironlands_sim_core::Ray;
use ironlands_sim_world::{
    Clock, Fact, Gait, LivingEntities, Poses, WalkInput, Walker, World, WorldEntity, WorldHit,
};
use soundscapes::Soundscapes;

/// What is pointed at: what is seen, and water.
const SEEN: ContentBits = content_bits(
    Contents::MASK_SHOT
        .union(Contents::GRATE)
        .union(Contents::OPAQUE)
        .union(Contents::WATER)
        .union(Contents::SLIME),
);
/// What hides things: neither glass nor water.
const HIDING: ContentBits = content_bits(Contents::MASK_OPAQUE.union(Contents::BLOCK_LOS));
/// Beyond any map.
const REACH: f32 = (1 << 21) as f32;
/// How far below everything solid a walker falls.
const FALL: f32 = 64.0;
/// Ladders without brushes.
const LADDER_CLASS: &str = "func_useableladder";
/// Floors that are looked through above who is inside of something.
const MAX_FLOORS: usize = 64;

/// A level of a Source game as camera, picking and HUD see it. An element is that of a
/// [`CastHit`].
///
/// Its entities live: they are where they were when the level was last [posed](World::pose), for all queries.
#[derive(Debug)]
pub struct SourceWorld {
    brushes: BrushWorld,
    life: RwLock<Life>,
    rules: &'static WalkRules,
    /// Lower and upper end of each ladder that has no brushes.
    ladders: Vec<[Vec3; 2]>,
    drawn: Drawn,
    sounds: Sounds,
    steps: Steps,
    soundscapes: Soundscapes,
    faces: Faces,
    entities: Vec<WorldEntity>,
    bounds: (Vec3, Vec3),
    /// Lowest and highest point of the world's own model.
    heights: [f32; 2],
    /// Where something may be seen from, the largest rooms first.
    rooms: Vec<Vec3>,
    /// How many places are looked at to find where something is seen.
    n_places: usize,
    surfaces: Vec<Surface>,
    texture_names: Vec<u8>,
}

/// A texinfo as text is made of it.
#[derive(Debug, Clone, Copy)]
struct Surface {
    flags: SurfaceFlags,
    /// Where its name begins in the names; `None` = it has none.
    name_offset: Option<u32>,
}

impl SourceWorld {
    /// A world of a map, its entities, and the boxes of its static props. Copies what it needs.
    ///
    /// # Errors
    /// As of [`brush_world`](crate::brush_world).
    pub fn new(map: &Map, entities: &Entities, props: &[PropHull]) -> Result<Self, MapWorldError> {
        Self::for_game(map, entities, props, Game::default())
    }

    /// [`new`](Self::new), by the rules of a game.
    ///
    /// # Errors
    /// As of [`brush_world`](crate::brush_world).
    pub fn for_game(
        map: &Map,
        entities: &Entities,
        props: &[PropHull],
        game: Game,
    ) -> Result<Self, MapWorldError> {
        Self::with_figures(map, entities, props, game, &[])
    }

    /// [`for_game`](Self::for_game), with the scene that shows it, whose instances and emitters belong to entities.
    ///
    /// # Errors
    /// As of [`brush_world`](crate::brush_world).
    pub fn for_scene(
        map: &Map,
        entities: &Entities,
        props: &[PropHull],
        game: Game,
        (scene, owners): (&Scene, &Owners),
    ) -> Result<Self, MapWorldError> {
        let mut world = Self::with_figures(map, entities, props, game, &owners.figures)?;
        for (entity, dsp) in &owners.echoes {
            if let Some(entity) = world.entities.get_mut(*entity) {
                entity.facts.push(Fact::new("DSP preset", dsp.to_string()));
            }
        }
        let drawn = Drawn::new(scene, owners, world.life().now());
        let sounds = Sounds::new(owners, world.life().now());
        Ok(Self {
            drawn,
            sounds,
            steps: Steps::new(owners.footsteps.clone()),
            ..world
        })
    }

    fn with_figures(
        map: &Map,
        entities: &Entities,
        props: &[PropHull],
        game: Game,
        figures: &[Figure],
    ) -> Result<Self, MapWorldError> {
        let model = map.models.first();
        let of_model = model.map_or((Vec3::ZERO, Vec3::ZERO), |world| {
            (world.mins.into(), world.maxs.into())
        });
        let bounds = playable_bounds(entities).unwrap_or(of_model);
        let brushes = living_brush_world(map, entities, props)?;
        let is_solid = |index: usize| {
            let entity = entities.entities.get(index);
            let model = entity.and_then(|it| Some((it, it.brush_model()?)));
            model.is_some_and(|(entity, model)| is_solid(map, entity, model))
        };
        let level = LevelEntities {
            map,
            entities,
            figures,
        };
        let life = Life::new(&level, &brushes, game.tick_secs(), is_solid);
        Ok(Self {
            brushes,
            life: RwLock::new(life),
            rules: game.walk_rules(),
            ladders: entities.of_class(LADDER_CLASS).filter_map(ladder).collect(),
            drawn: Drawn::default(),
            sounds: Sounds::default(),
            steps: Steps::default(),
            soundscapes: Soundscapes::new(entities),
            faces: Faces::new(map),
            entities: entities.entities.iter().map(world_entity).collect(),
            bounds,
            heights: [of_model.0.z, of_model.1.z],
            rooms: first_view::rooms(map, entities, bounds),
            n_places: first_view::n_places(map),
            surfaces: map.texinfos.iter().map(|it| surface(map, it)).collect(),
            texture_names: map.texture_names.clone(),
        })
    }

    /// With inputs that are sent when the level begins.
    #[must_use]
    pub fn with_inputs(self, inputs: &[EntityInput]) -> Self {
        self.send_at_start(inputs);
        self
    }

    /// Its brushes without those of entities that may move, for queries that only this world has.
    pub fn brushes(&self) -> &BrushWorld {
        &self.brushes
    }

    fn cast_shape(&self, sweep: &ShapeCast) -> CastResult {
        let life = self.life();
        let obstacles = self.obstacles(&life);
        CastScratch::with_thread_scratch(|scratch| obstacles.cast_shape(sweep, scratch))
    }

    fn obstacles<'a>(&'a self, life: &'a Life) -> Obstacles<'a> {
        Obstacles {
            level: &self.brushes,
            moving: life.models(),
        }
    }

    /// The floor straight below, and whether the start is inside of something.
    fn floor_below(&self, from: Vec3) -> (Option<f32>, bool) {
        let bottom = self.heights[0].min(from.z) - 1.0;
        let down = self.cast_shape(&ShapeCast::from_ray(from, from.with_z(bottom), body::MASK));
        let height = |hit: CastHit| {
            let Vec3 { x, y, z } = hit.normal;
            ((hit.dist - x * from.x - y * from.y) / z).min(from.z)
        };
        (down.hit.map(height), down.start_solid)
    }

    /// The lowest floor above a point that is inside of something, or below everything.
    fn floor_above(&self, Vec3 { x, y, z }: Vec3) -> Option<f32> {
        let mut above = None;
        let mut from = self.heights[1].max(z) + 1.0;
        for _ in 0..MAX_FLOORS {
            let (Some(floor), _) = self.floor_below(Vec3::new(x, y, from)) else {
                break;
            };
            if floor < z {
                break;
            }
            // Inside of another brush there is no standing.
            let over = Vec3::new(x, y, floor + 1.0);
            let contents = self.obstacles(&self.life()).contents_at(over);
            if !contents.intersects(body::MASK) {
                above = Some(floor);
            }
            from = floor - 1.0;
        }
        above
    }
}

impl World for SourceWorld {
    fn bounds(&self) -> (Vec3, Vec3) {
        self.bounds
    }

    fn cast_ray(&self, ray: &Ray, t_max: f32, _poses: &Poses) -> Option<WorldHit> {
        let length = ray.direction.length();
        let t_end = t_max.min(REACH / length);
        if t_max.is_nan() || t_end < 0.0 || length == 0.0 {
            return None;
        }
        let trace = self.cast_shape(&ShapeCast::from_ray(ray.origin, ray.at(t_end), SEEN));
        let hit = trace.hit?;
        // The plane itself, not the gap before it.
        let speed = hit.normal.dot(ray.direction);
        let to_plane = (hit.dist - hit.normal.dot(ray.origin)) / speed;
        let stopped = trace.fraction * t_end;
        let t = if to_plane >= stopped && to_plane <= t_end {
            to_plane
        } else {
            stopped
        };
        Some(WorldHit {
            element: hit.element,
            t,
            position: ray.at(t),
            normal: hit.normal,
        })
    }

    fn line_of_sight(&self, a: Vec3, b: Vec3, _poses: &Poses) -> bool {
        let is_finite = a.is_finite() && b.is_finite();
        is_finite
            && self
                .cast_shape(&ShapeCast::from_ray(a, b, HIDING))
                .hit
                .is_none()
    }

    fn ground_below(&self, x: f32, y: f32, z: f32) -> Option<f32> {
        let from = Vec3::new(x, y, z);
        if !from.is_finite() {
            return None;
        }
        match self.floor_below(from) {
            (Some(floor), false) => Some(floor),
            (floor, _) => self.floor_above(from).or(floor),
        }
    }

    fn slide(&self, a: Vec3, b: Vec3, radius: f32, motion: Vec3) -> Vec3 {
        let numbers = [a, b, motion];
        if !numbers.into_iter().all(Vec3::is_finite) || !radius.is_finite() || radius < 0.0 {
            return motion;
        }
        let reach = Vec3::splat(radius);
        let bounds = [a.min(b) - reach - a, a.max(b) + reach - a];
        let life = self.life();
        CastScratch::with_thread_scratch(|scratch| {
            let mut body = Body {
                brushes: self.obstacles(&life),
                scratch,
                feet: a,
                velocity: motion,
                bounds,
            };
            body.come_free();
            if body.feet == a && body.trace(a, a + motion, body::MASK).fraction == 1.0 {
                return motion;
            }
            body.slide(1.0);
            body.feet - a
        })
    }

    fn walk(&self, walker: &mut Walker, wish: &WalkInput, step_secs: f32) -> bool {
        self.walk_among_entities(walker, wish, step_secs);
        true
    }

    fn gait(&self) -> Option<Gait> {
        Some(walk::gait_of(self.rules))
    }

    fn describe(&self, hit: &WorldHit) -> Vec<Fact> {
        self.facts_of(hit)
    }

    fn outline(&self, hit: &WorldHit, _poses: &Poses, _: TileShape) -> Vec<[Vec3; 3]> {
        self.triangles_of(hit)
    }

    fn pose(&self, clock: &Clock, poses: &mut Poses) {
        let life = self.advance_to(clock);
        poses.clear();
        if self.drawn.changes() {
            let (world_from_nodes, instances) = poses.rigid();
            *instances = None;
            self.drawn.pose(life.now(), world_from_nodes);
        }
    }

    fn emit(&self, _clock: &Clock, moments: &mut [EmitterState]) {
        self.drawn.emit(self.life().now(), moments);
    }

    fn sound(&self, clock: &Clock, listener: Vec3, states: &mut [SoundState]) {
        self.sound_states(clock, listener, states);
    }

    fn grade(&self, _clock: &Clock, grading: &mut GradingState) {
        self.drawn.grade(self.life().now(), grading);
    }

    fn cull(&self, _clock: &Clock, culling: &mut CullingState) {
        self.drawn.cull(self.life().now(), culling);
    }

    fn light_styles(&self, _clock: &Clock, styles: &mut Vec<LightStyle>) {
        self.drawn.light_styles(self.life().now(), styles);
    }

    fn living_entities(&self) -> Option<&dyn LivingEntities> {
        Some(self)
    }

    fn last_frame(&self) -> f32 {
        0.0
    }

    fn entities(&self) -> &[WorldEntity] {
        &self.entities
    }

    fn first_view(&self, chosen: &[Spawn]) -> Option<Spawn> {
        self.choose_view(chosen)
    }
}

/// Where the level is played, without the sky's own room (section 8.2).
fn playable_bounds(entities: &Entities) -> Option<(Vec3, Vec3)> {
    let world = entities.world()?;
    let corner = |key| world.vec3(key).map(Vec3::from).filter(|it| it.is_finite());
    let (min, max) = (corner("world_mins")?, corner("world_maxs")?);
    min.cmple(max).all().then_some((min, max))
}

/// The ends of a ladder that has no brushes: where feet are when it is climbed.
fn ladder(entity: &Entity) -> Option<[Vec3; 2]> {
    let end = |key| entity.vec3(key).map(Vec3::from).filter(|it| it.is_finite());
    let (a, b) = (end("point0")?, end("point1")?);
    Some(if a.z <= b.z { [a, b] } else { [b, a] })
}

fn world_entity(entity: &Entity) -> WorldEntity {
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    let facts = entity.pairs.iter().map(|(key, value)| Fact {
        label: text(key),
        value: text(value),
    });
    let position = entity.origin().map(Vec3::from);
    WorldEntity {
        class: entity.class().into_owned(),
        name: entity.name().unwrap_or_default().into_owned(),
        position: position.filter(|it| it.is_finite()),
        facts: facts.collect(),
    }
}
