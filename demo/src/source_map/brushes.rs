//! What a map is made of: brushes with a material on each side, and how to make them.

use super::polygon::{Cell, Polygon, box_planes};
use crate::vector::{Plane, Vec3, add, bounds, cross, dot, scale, sub};

/// Contents and surface flags that the compiler itself uses (dossier, sections 3.4 and 7.2).
pub mod flags {
    use ironlands_assets_source::bsp::{Contents, SurfaceFlags};

    /// Contents: fills its space for everything.
    pub const SOLID: u32 = Contents::SOLID.bits() as u32;
    /// Contents: stops bodies, lets sight and light pass.
    pub const GRATE: u32 = Contents::GRATE.bits() as u32;
    /// Contents: stops bodies, is seen through.
    pub const WINDOW: u32 = Contents::WINDOW.bits() as u32;
    /// Contents: liquid.
    pub const WATER: u32 = Contents::WATER.bits() as u32;
    /// Contents of a leaf that the surface of some water can be seen from.
    pub const TEST_FOG_VOLUME: u32 = Contents::TEST_FOG_VOLUME.bits() as u32;
    /// Contents: does not divide the level.
    pub const DETAIL: u32 = Contents::DETAIL.bits() as u32;
    /// Contents: some side lets light pass.
    pub const TRANSLUCENT: u32 = Contents::TRANSLUCENT.bits() as u32;
    /// Contents: can be climbed.
    pub const LADDER: u32 = Contents::LADDER.bits() as u32;

    /// Surface: the sky is seen here, with the 3D skybox.
    pub const SKY: i32 = SurfaceFlags::SKY.bits();
    /// Surface: of water.
    pub const WARP: i32 = SurfaceFlags::WARP.bits();
    /// Surface: light passes through.
    pub const TRANS: i32 = SurfaceFlags::TRANS.bits();
    /// Surface: light is stored for three directions too.
    pub const BUMPLIGHT: i32 = SurfaceFlags::BUMP_LIGHT.bits();
    /// Surface: of a trigger.
    pub const TRIGGER: i32 = SurfaceFlags::TRIGGER.bits();
    /// Surface: never drawn.
    pub const NODRAW: i32 = SurfaceFlags::NO_DRAW.bits();
    /// Surface: without a lightmap.
    pub const NOLIGHT: i32 = SurfaceFlags::NO_LIGHT.bits();
    /// Surface: without shadows.
    pub const NOSHADOWS: i32 = SurfaceFlags::NO_SHADOWS.bits();
    /// Surface: without decals.
    pub const NODECALS: i32 = SurfaceFlags::NO_DECALS.bits();
}

/// Index of a [`SurfaceMaterial`] in its plan.
pub type MaterialIdx = usize;

/// What covers sides of brushes.
#[derive(Debug, Clone)]
pub struct SurfaceMaterial {
    /// Name below `materials/`.
    pub name: String,
    /// Surface flags.
    pub flags: i32,
    /// Size of its texture in texels.
    pub size: [i32; 2],
    /// Units that a texel covers.
    pub units_per_texel: f64,
    /// Units between two samples of light.
    pub units_per_luxel: f64,
    /// Mean color, linear.
    pub reflectivity: Vec3,
    /// What the surface of water looks like from below.
    pub beneath: Option<MaterialIdx>,
}

/// A side of a brush.
#[derive(Debug, Clone, Copy)]
pub struct Side {
    /// Outward.
    pub plane: Plane,
    /// What covers it.
    pub material: MaterialIdx,
}

/// A convex body.
#[derive(Debug, Clone)]
pub struct Brush {
    /// Its sides; each has a part in the surface.
    pub sides: Vec<Side>,
    /// Contents (section 7.2).
    pub contents: u32,
}

impl Brush {
    /// A box with the same material all around.
    pub fn block(low: Vec3, high: Vec3, material: MaterialIdx) -> Self {
        Self::from_planes(&box_planes([low, high]), material)
    }

    /// A convex body behind planes.
    pub fn from_planes(planes: &[Plane], material: MaterialIdx) -> Self {
        let side = |plane: &Plane| Side {
            plane: *plane,
            material,
        };
        Self {
            sides: planes.iter().map(side).collect(),
            contents: flags::SOLID,
        }
    }

    /// A prism: a convex outline, counter-clockwise seen from the end of `along`, drawn out along that vector.
    pub fn prism(outline: &[Vec3], along: Vec3, material: MaterialIdx) -> Self {
        let n = outline.len();
        let mut planes = vec![
            Plane::through(along, add(outline[0], along)),
            Plane::through(scale(along, -1.0), outline[0]),
        ];
        for i in 0..n {
            let edge = sub(outline[(i + 1) % n], outline[i]);
            planes.push(Plane::through(cross(edge, along), outline[i]));
        }
        Self::from_planes(&planes, material)
    }

    /// With other contents.
    pub fn with_contents(mut self, contents: u32) -> Self {
        self.contents = contents;
        self
    }

    /// Does not divide the level.
    pub fn detail(mut self) -> Self {
        self.contents |= flags::DETAIL;
        self
    }

    /// With another material where the side looks along `direction`.
    pub fn facing(mut self, direction: Vec3, material: MaterialIdx) -> Self {
        for side in &mut self.sides {
            if dot(side.plane.normal, direction) > 0.9 {
                side.material = material;
            }
        }
        self
    }

    /// Whether it does not divide the level.
    pub fn is_detail(&self) -> bool {
        self.contents & flags::DETAIL != 0
    }

    /// Whether it fills its space and hides what is in it.
    pub fn is_solid(&self) -> bool {
        self.contents & flags::SOLID != 0
    }

    /// Whether it is a liquid.
    pub fn is_water(&self) -> bool {
        self.contents & flags::WATER != 0
    }

    /// Its planes.
    pub fn planes(&self) -> Vec<Plane> {
        self.sides.iter().map(|side| side.plane).collect()
    }

    /// Whether a point lies inside, or at most `slack` outside.
    pub fn contains(&self, point: Vec3, slack: f64) -> bool {
        self.sides
            .iter()
            .all(|side| side.plane.distance(point) <= slack)
    }

    /// The polygon of each side, empty where a side has no part in the surface, and the box around them.
    pub fn polygons(&self) -> (Vec<Polygon>, [Vec3; 2]) {
        let planes = self.planes();
        let cell = Cell::behind(&planes);
        let polygon = |plane: &Plane| {
            let sides = cell.iter().flat_map(|cell| &cell.sides);
            let found = sides.filter(|(side, _)| side == plane);
            found
                .map(|(_, polygon)| polygon.clone())
                .next()
                .unwrap_or_default()
        };
        let polygons: Vec<Polygon> = planes.iter().map(polygon).collect();
        let corners = polygons.iter().flat_map(|p| p.corners.iter().copied());
        let box_ = bounds(corners);
        (polygons, box_)
    }
}
