//! From a plain map to a brush world.

use super::convex::ConvexBodies;
use super::displacement::{Displacement, DisplacementCells};
use super::map::{BrushEntity, ContentBits};
use super::polygon::HalfSpace;
use super::prop::PropHull;
use super::query::Obstacle;
use super::side::{Brush, Side};
use super::tree::Tree;
use super::{BrushMap, BrushWorld, BrushWorldError};

/// Most props: four times what an index of two bytes names. Each becomes some fifty sides.
const MOST_PROPS: usize = 1 << 18;

/// Most sides of moved brushes: sixteen times what the field's compilers allow a whole map. Only entities that share
/// their models come near it.
const MOST_MOVED_SIDES: usize = 1 << 20;

impl BrushWorld {
    /// Everything in a map that is solid, or has contents at all, when the level begins. Copies what it needs.
    ///
    /// # Errors
    /// If an array of the map names what another does not hold, if the tree is none, if a displacement is no grid, or
    /// if there is more of something than any map has.
    pub fn new(map: &BrushMap, props: &[PropHull]) -> Result<Self, BrushWorldError> {
        if props.len() > MOST_PROPS {
            return Err(BrushWorldError::TooManyProps { limit: MOST_PROPS });
        }
        let mut world = Self {
            tree: Tree::new(map)?,
            sides: sides(map)?,
            side_texinfos: map.brush_sides.iter().map(|side| side.texinfo).collect(),
            side_planes: map.brush_sides.iter().map(|side| side.plane).collect(),
            brushes: brushes(map)?,
            owners: Vec::new(),
            brush_of_side: Vec::new(),
            models: Vec::new(),
            n_file_brushes: map.brushes.len(),
            moving_brushes: Vec::new(),
            displacements: Vec::new(),
            convex_bodies: ConvexBodies::default(),
            displacement_cells: DisplacementCells::default(),
        };
        for entity in &map.entities {
            world.add_model(map, entity)?;
            world.models.push(*entity);
        }
        world.models.sort_by_key(|it| it.entity);
        for prop in props {
            world.add_prop(prop);
        }
        for (displacement, grid) in map.displacements.iter().enumerate() {
            let displacement = Displacement::new(grid, world.n_elements())
                .ok_or(BrushWorldError::NoGrid { displacement })?;
            world.displacements.push(displacement);
        }
        world.build_trees(map)?;
        world.brush_of_side = world.brush_of_side();
        Ok(world)
    }

    /// The brushes of a brush model, moved to where its entity stands.
    fn add_model(&mut self, map: &BrushMap, model: &BrushEntity) -> Result<(), BrushWorldError> {
        // An entity whose model is not there stops nothing.
        let Some(head) = map.head_nodes.get(model.model) else {
            return Ok(());
        };
        for brush_idx in self.tree.brushes_below(*head)? {
            let Some(&brush) = self.brushes.get(brush_idx as usize) else {
                continue; // the tree and the brushes were compared with their lumps
            };
            let range = brush.side_range();
            let n_moved = self.sides.len().saturating_sub(map.brush_sides.len());
            if n_moved.saturating_add(range.len()) > MOST_MOVED_SIDES {
                return Err(BrushWorldError::TooManySides {
                    limit: MOST_MOVED_SIDES,
                });
            }
            let (moved, added) = model.moved(self.sides_of(&brush));
            let texinfos = self.side_texinfos.get(range).unwrap_or_default().to_vec();
            let texinfos = texinfos.into_iter().chain(added.iter().map(|_| -1));
            let owner = Obstacle::Entity {
                entity: model.entity as u32,
                model: model.model as u32,
                brush: brush_idx,
            };
            self.side_texinfos.extend(texinfos);
            if model.moves {
                self.moving_brushes.push(self.brushes.len() as u32);
            }
            self.add_brush(moved.into_iter().chain(added), brush.contents, owner);
        }
        Ok(())
    }

    fn add_prop(&mut self, prop: &PropHull) {
        let Some([faces, bevels]) = prop.sides() else {
            return;
        };
        let side = |is_bevel| move |it: &HalfSpace| Side::new(it, is_bevel);
        let sides: Vec<_> = faces
            .iter()
            .map(side(false))
            .chain(bevels.iter().map(side(true)))
            .collect();
        self.side_texinfos.extend(sides.iter().map(|_| -1));
        let owner = Obstacle::Prop { prop: prop.prop };
        self.add_brush(sides.into_iter(), ContentBits::SOLID.bits(), owner);
    }

    /// Texinfos of the sides are there already.
    fn add_brush(&mut self, sides: impl Iterator<Item = Side>, contents: i32, owner: Obstacle) {
        let first_side = self.sides.len();
        self.sides.extend(sides);
        self.brushes.push(Brush {
            first_side: first_side as u32,
            n_sides: self.sides.len().saturating_sub(first_side) as u32,
            contents,
        });
        self.owners.push(owner);
    }

    fn brush_of_side(&self) -> Vec<u32> {
        let mut brush_of_side = vec![u32::MAX; self.sides.len()];
        // Sides that brushes share would be written over and over; the first one is kept.
        let mut n_known = 0;
        for (i, brush) in self.brushes.iter().enumerate() {
            let range = brush.side_range();
            let new = range.start.max(n_known)..range.end.max(n_known);
            n_known = new.end;
            if let Some(new) = brush_of_side.get_mut(new) {
                new.fill(i as u32);
            }
        }
        brush_of_side
    }

    /// The trees over all that is solid.
    fn build_trees(&mut self, map: &BrushMap) -> Result<(), BrushWorldError> {
        let of_world = match map.head_nodes.first() {
            Some(&head) => self.tree.brushes_below(head)?,
            None => Vec::new(),
        };
        let moves = |brush: &u32| self.moving_brushes.binary_search(brush).is_ok();
        let others = self.n_file_brushes as u32..self.brushes.len() as u32;
        let others = others.filter(|brush| !moves(brush));
        self.convex_bodies = ConvexBodies::new(&self.brushes, &self.sides, &of_world, others);
        self.displacement_cells = DisplacementCells::new(&self.displacements);
        Ok(())
    }
}

impl Side {
    pub(super) fn new(half_space: &HalfSpace, is_bevel: bool) -> Self {
        Self {
            normal: half_space.normal.as_vec3().to_array(),
            dist: half_space.dist as f32,
            is_bevel,
        }
    }

    pub(super) fn half_space(&self) -> HalfSpace {
        HalfSpace {
            normal: self.normal(),
            dist: self.dist.into(),
        }
    }
}

fn sides(map: &BrushMap) -> Result<Vec<Side>, BrushWorldError> {
    let sides = map.brush_sides.iter().enumerate();
    let sides = sides.map(|(side_idx, side)| {
        let plane = map.planes.get(side.plane as usize);
        let plane = plane.ok_or(BrushWorldError::Missing {
            owner: "brush side",
            owner_idx: side_idx,
            what: "plane",
            named: side.plane.into(),
            n: map.planes.len(),
        })?;
        Ok(Side {
            normal: plane.normal,
            dist: plane.dist,
            is_bevel: side.is_bevel,
        })
    });
    sides.collect()
}

fn brushes(map: &BrushMap) -> Result<Vec<Brush>, BrushWorldError> {
    let brushes = map.brushes.iter().enumerate();
    let brushes = brushes.map(|(brush_idx, brush)| {
        // Where an empty range begins means nothing.
        let first_side = match brush.n_sides {
            0 => 0,
            _ => brush.first_side,
        };
        let end = i64::from(first_side).saturating_add(brush.n_sides.into());
        let range = (u32::try_from(first_side), u32::try_from(brush.n_sides));
        match range {
            (Ok(first_side), Ok(n_sides)) if end <= map.brush_sides.len() as i64 => Ok(Brush {
                first_side,
                n_sides,
                contents: brush.contents.bits(),
            }),
            _ => Err(BrushWorldError::Missing {
                owner: "brush",
                owner_idx: brush_idx,
                what: "brush side",
                named: end,
                n: map.brush_sides.len(),
            }),
        }
    });
    brushes.collect()
}
