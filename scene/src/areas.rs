//! Areas of a level, the portals between them, and polygons that hide what is behind them.

/// Most areas; their numbers are below it.
pub const MAX_AREAS: u32 = 1 << 16;

/// Areas: what is in one is seen from another only through portals that lead there one after the other.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Areas {
    /// The area of each cell of `Scene::visibility`, in its order and as many; `None` for a cell that portals do not
    /// hide. Empty where a level has no areas.
    pub of_cells: Vec<Option<u32>>,
    /// The portals.
    pub portals: Vec<AreaPortal>,
}

/// An opening between two areas, which is seen through from both sides.
#[derive(Debug, Clone, PartialEq)]
pub struct AreaPortal {
    /// The areas on its two sides.
    pub areas: [u32; 2],
    /// A convex polygon, world space; three at least.
    pub corners: Vec<[f32; 3]>,
    /// Whether it is seen through when the level begins.
    pub is_open: bool,
    /// Farther from the eye it is never seen through; above 0, may be infinite.
    pub max_distance: f32,
}

/// Polygons that hide models behind them, though they are not drawn themselves: each is inside of something solid.
#[derive(Debug, Clone, PartialEq)]
pub struct Occluder {
    /// Convex polygons, world space; three corners at least.
    pub polygons: Vec<Vec<[f32; 3]>>,
    /// Whether it hides anything when the level begins.
    pub is_active: bool,
}

/// What hides what, at a moment.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct CullingState {
    /// Whether each portal of `Scene::areas` is open, in their order; those beyond its end are as the scene has them.
    pub open_portals: Vec<bool>,
    /// Whether each of `Scene::occluders` hides what is behind it; those beyond its end are as the scene has them.
    pub active_occluders: Vec<bool>,
}

impl AreaPortal {
    /// The area that it leads to from one of its two.
    pub fn other_area(&self, area: u32) -> Option<u32> {
        match self.areas {
            [a, b] if a == area => Some(b),
            [a, b] if b == area => Some(a),
            _ => None,
        }
    }
}
