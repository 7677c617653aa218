//! Brush models that move: each apart from the level, where it is now.

use super::convex::ConvexBodies;
use super::map::ContentBits;
use super::motion::{Best, Motion, Stop};
use super::polygon::{HalfSpace, bevels};
use super::query::{CastHit, CastResult, CastTargets, Obstacle, ShapeCast};
use super::scratch::CastScratch;
use super::side::{Brush, Side};
use super::{BrushWorld, BrushWorldError};
use glam::{DMat3, DVec3, Vec3};

/// The element of a plane that was added for boxes around a turned brush.
const NO_ELEMENT: u32 = u32::MAX;

/// A brush model where it is now. Casts hit it as [`BrushWorld`] is hit.
#[derive(Debug, Clone)]
pub struct MovingModel {
    /// Whether [`Obstacles`] have it.
    pub is_solid: bool,
    /// Brushes in the model's own axes, with their numbers in the file.
    brushes: Vec<ModelBrush>,
    world_from_model: DMat3,
    origin: DVec3,
    /// Of the brushes, turned as the model is, around its origin.
    turned: Turned,
}

#[derive(Debug, Clone)]
struct ModelBrush {
    sides: Vec<Side>,
    contents: i32,
    obstacle: Obstacle,
    /// Element and texinfo of each side.
    elements: Vec<(u32, i32)>,
}

#[derive(Debug, Clone, Default)]
struct Turned {
    sides: Vec<Side>,
    brushes: Vec<Brush>,
    /// Element and texinfo of each side.
    elements: Vec<(u32, i32)>,
    bodies: ConvexBodies,
}

impl BrushWorld {
    /// The brush model that begins at a node, for an entity, at its own origin. Hits name the elements of the entity if it is
    /// one of [`BrushMap::entities`](super::BrushMap::entities).
    ///
    /// # Errors
    /// If the node leads nowhere.
    pub fn moving_model(
        &self,
        entity: u32,
        model: u32,
        head_node: i32,
    ) -> Result<MovingModel, BrushWorldError> {
        let numbers = self.tree.brushes_below(head_node)?;
        let brushes = numbers.into_iter().filter_map(|number| {
            let brush = self.brushes.get(number as usize)?;
            let obstacle = Obstacle::Entity {
                entity,
                model,
                brush: number,
            };
            let first_element = self.first_element_of(&obstacle);
            let texinfos = self.side_texinfos.get(brush.side_range())?;
            let elements = texinfos.iter().zip(0_u32..).map(|(&texinfo, place)| {
                let element = first_element.map(|first| first.saturating_add(place));
                (element.unwrap_or(NO_ELEMENT), texinfo)
            });
            Some(ModelBrush {
                sides: self.sides_of(brush).to_vec(),
                contents: brush.contents,
                obstacle,
                elements: elements.collect(),
            })
        });
        let mut model = MovingModel {
            is_solid: true,
            brushes: brushes.collect(),
            world_from_model: DMat3::IDENTITY,
            origin: DVec3::ZERO,
            turned: Turned::default(),
        };
        model.turn();
        Ok(model)
    }

    fn first_element_of(&self, obstacle: &Obstacle) -> Option<u32> {
        let place = self.owners.iter().position(|it| it == obstacle)?;
        let brush = self
            .brushes
            .get(self.n_file_brushes.saturating_add(place))?;
        Some(brush.first_side)
    }
}

impl MovingModel {
    /// Moves it: where its origin is, and how its axes are turned. Costs little unless it turns.
    pub fn move_to(&mut self, origin: DVec3, world_from_model: DMat3) {
        self.origin = origin;
        if self.world_from_model != world_from_model {
            self.world_from_model = world_from_model;
            self.turn();
        }
    }

    fn turn(&mut self) {
        let turn = self.world_from_model;
        let is_turned = turn != DMat3::IDENTITY;
        let mut turned = Turned::default();
        for brush in &self.brushes {
            let first_side = turned.sides.len();
            let sides = brush.sides.iter().map(|side| {
                let half_space = HalfSpace {
                    normal: turn * side.normal(),
                    dist: side.dist.into(),
                };
                Side::new(&half_space, side.is_bevel)
            });
            turned.sides.extend(sides);
            turned.elements.extend(&brush.elements);
            if is_turned {
                let own = turned.sides.get(first_side..).unwrap_or_default();
                let real = own.iter().filter(|side| !side.is_bevel);
                let real: Vec<_> = real.map(Side::half_space).collect();
                let added = bevels(&real);
                turned
                    .elements
                    .extend(added.iter().map(|_| (NO_ELEMENT, -1)));
                turned
                    .sides
                    .extend(added.iter().map(|it| Side::new(it, true)));
            }
            turned.brushes.push(Brush {
                first_side: first_side as u32,
                n_sides: turned.sides.len().saturating_sub(first_side) as u32,
                contents: brush.contents,
            });
        }
        let all = 0..turned.brushes.len() as u32;
        turned.bodies = ConvexBodies::new(&turned.brushes, &turned.sides, &[], all);
        self.turned = turned;
    }

    /// Whether a box of two corners is in one of its brushes, touching not counted.
    pub fn overlaps(&self, [low, high]: [Vec3; 2]) -> bool {
        let cast = ShapeCast::from_box(Vec3::ZERO, Vec3::ZERO, [low, high], ContentBits::all());
        self.cast_shape(&cast).start_solid
    }

    /// How far a box or ray gets.
    pub fn cast_shape(&self, cast: &ShapeCast) -> CastResult {
        let in_world = Motion::new(cast);
        let Some(motion) = in_world.filter(|_| cast.targets == CastTargets::Everything) else {
            return CastResult::unobstructed(cast.end);
        };
        let motion = Motion {
            start: motion.start - self.origin,
            end: motion.end - self.origin,
            ..motion
        };
        let mut best = Best::NOTHING;
        let ray = motion.box_ray();
        let first_of = |_, brushes: [u32; 2]| brushes.into_iter().min().unwrap_or_default();
        let bodies = &self.turned.bodies;
        if motion.is_ray() {
            bodies.cast::<true>(&motion, &ray, cast.targets, &mut best, first_of);
        } else {
            bodies.cast::<false>(&motion, &ray, cast.targets, &mut best, first_of);
        }
        self.result_from(cast, &motion, &best)
    }

    fn result_from(&self, cast: &ShapeCast, motion: &Motion, best: &Best) -> CastResult {
        let is_free = matches!(best.stop, Stop::Nothing) && !best.all_solid;
        let end = cast.start.as_dvec3() + best.fraction * motion.delta;
        CastResult {
            fraction: best.fraction as f32,
            end: if is_free { cast.end } else { end.as_vec3() },
            start_solid: best.start_solid,
            all_solid: best.all_solid,
            hit: match best.stop {
                Stop::Side { brush, side } => self.hit_of(brush as usize, side as usize),
                _ => None,
            },
        }
    }

    fn hit_of(&self, brush: usize, side: usize) -> Option<CastHit> {
        let plane = self.turned.sides.get(side)?;
        let (element, texinfo) = *self.turned.elements.get(side)?;
        let brush = self.brushes.get(brush)?;
        let normal = Vec3::from_array(plane.normal);
        Some(CastHit {
            normal,
            dist: (f64::from(plane.dist) + normal.as_dvec3().dot(self.origin)) as f32,
            contents: ContentBits::from_bits_retain(brush.contents),
            texinfo: u32::try_from(texinfo).ok(),
            obstacle: brush.obstacle,
            element,
        })
    }

    /// Contents of all of its brushes that a point is in, their surfaces included.
    pub fn contents_at(&self, point: Vec3) -> ContentBits {
        let at = point.as_dvec3() - self.origin;
        let sides_of = |brush: &Brush| self.turned.sides.get(brush.side_range());
        let around = self.turned.brushes.iter().filter(|brush| {
            let sides = sides_of(brush).unwrap_or_default();
            let mut real = sides.iter().filter(|side| !side.is_bevel);
            !sides.is_empty() && real.all(|side| side.distance(at) <= 0.0)
        });
        let bits = around.fold(0, |bits, brush| bits | brush.contents);
        ContentBits::from_bits_retain(bits)
    }

    /// A point in the model's own axes.
    pub fn model_from_world(&self, point: Vec3) -> Vec3 {
        let relative = point.as_dvec3() - self.origin;
        (self.world_from_model.transpose() * relative).as_vec3()
    }

    /// A point of the model in the world.
    pub fn world_from_model(&self, point: Vec3) -> Vec3 {
        (self.world_from_model * point.as_dvec3() + self.origin).as_vec3()
    }
}

/// A level with the brush models that move in it, where they are now.
#[derive(Debug, Clone, Copy)]
pub struct Obstacles<'a> {
    /// The level itself.
    pub level: &'a BrushWorld,
    /// What moves in it.
    pub moving: &'a [MovingModel],
}

impl Obstacles<'_> {
    /// How far a box or ray gets, as [`BrushWorld::cast_shape`].
    pub fn cast_shape(&self, cast: &ShapeCast, scratch: &mut CastScratch) -> CastResult {
        let mut result = self.level.cast_shape(cast, scratch);
        for model in self.moving.iter().filter(|it| it.is_solid) {
            let other = model.cast_shape(cast);
            let start_solid = result.start_solid || other.start_solid;
            let all_solid = result.all_solid || other.all_solid;
            if other.fraction < result.fraction {
                result = other;
            }
            result.start_solid = start_solid;
            result.all_solid = all_solid;
        }
        result
    }

    /// Contents of everything that a point is in, as [`BrushWorld::contents_at`].
    pub fn contents_at(&self, point: Vec3) -> ContentBits {
        let moving = self.moving.iter().filter(|it| it.is_solid);
        moving.fold(self.level.contents_at(point), |bits, model| {
            bits | model.contents_at(point)
        })
    }
}
