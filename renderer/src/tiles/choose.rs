//! Which tiles a camera is shown, and which it would rather be shown. Plain arithmetic, no GPU.
//!
//! From the tile that shows all, down: a tile gives way to its four quarters while its steps are too large on the
//! screen and those quarters that are in view are there. So there is never a hole, and what is missing is shown
//! coarser until it comes. Land out of view that shows in the maps of the sun's shadows is chosen the same way, but
//! coarser; what is missing of it throws no shadow until it comes.

use std::collections::HashSet;

use glam::Vec3;
use ironlands_scene::{Aabb, TileKey, TileTree};

use crate::{Camera, cull::Frustum, sun_maps::N_SUN_MAPS};

/// What may throw a shadow on something in each map of the sun's shadows.
pub(crate) type SunFrusta = [Frustum; N_SUN_MAPS];

/// How many times larger on the screen steps of land may be that is only seen by its shadow.
const CASTER_COARSENESS: f32 = 4.0;

/// The view that tiles are chosen for.
#[derive(Debug, Clone, Copy)]
pub(crate) struct TileCullContext {
    frustum: Frustum,
    /// None where the sun throws no shadows.
    sun_frusta: Option<SunFrusta>,
    eye: Vec3,
    /// Pixels of a unit at a distance of one.
    pixels_at_one: f32,
    /// Largest step on the screen, in pixels.
    max_step_px: f32,
}

/// What was chosen; kept between frames for its memory.
#[derive(Debug, Default)]
pub(crate) struct Choice {
    /// Tiles to draw; all of them are there.
    pub shown: Vec<TileKey>,
    /// Tiles that are there, and are not shown, but throw shadows on what is.
    pub casters: Vec<TileKey>,
    /// Tiles that are missing, the most needed first.
    pub wanted: Vec<TileKey>,
    /// Tiles that were looked at on the way to those, and are there.
    pub passed: Vec<TileKey>,
    /// How large steps of the missing are on the screen.
    needs: Vec<(f32, TileKey)>,
}

/// Where a tree has land.
#[derive(Debug)]
pub(crate) struct Land {
    /// Tiles all of whose quarters may have land, down to the finest.
    land: HashSet<TileKey>,
    /// Those and all that are around them.
    around: HashSet<TileKey>,
}

/// What land a tile has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Has {
    /// In some of its quarters.
    Some,
    /// Anywhere.
    All,
}

impl Land {
    pub fn new(tree: &TileTree) -> Self {
        Self {
            land: tree.land.iter().copied().collect(),
            around: tree.around_land(),
        }
    }

    /// Of a tile that is not below one with land; `None` if it has none.
    fn of(&self, key: TileKey) -> Option<Has> {
        if self.land.contains(&key) {
            Some(Has::All)
        } else {
            self.around.contains(&key).then_some(Has::Some)
        }
    }

    /// Of a quarter of a tile.
    fn of_quarter(&self, tile: Has, quarter: TileKey) -> Option<Has> {
        match tile {
            Has::All => Some(Has::All),
            Has::Some => self.of(quarter),
        }
    }
}

/// What is known of a tile that is there: its smallest and largest height.
pub(crate) trait Resident {
    fn z_range(&self, key: TileKey) -> Option<[f32; 2]>;
}

impl TileCullContext {
    /// `size` of the picture in pixels.
    pub fn new(
        camera: &Camera,
        size: [u32; 2],
        max_step_px: f32,
        sun_frusta: Option<SunFrusta>,
    ) -> Self {
        let [width, height] = size.map(|side| side as f32);
        let aspect = width / height;
        Self {
            frustum: Frustum::new(camera, aspect),
            sun_frusta,
            eye: camera.position,
            pixels_at_one: 0.5 * height / camera.half_extent(aspect).y,
            max_step_px,
        }
    }

    /// What a box is needed for, if it is.
    fn role_of(&self, bounds: &Aabb) -> Option<Role> {
        let may_cast = |sun: &SunFrusta| sun.iter().any(|frustum| frustum.may_see(bounds));
        if self.frustum.may_see(bounds) {
            Some(Role::Shown)
        } else {
            self.sun_frusta.as_ref().filter(|it| may_cast(it))?;
            Some(Role::Caster)
        }
    }

    /// How large a step is on the screen where the box is nearest; infinite for who stands in it.
    fn step_px(&self, step: f32, bounds: &Aabb) -> f32 {
        let [min, max] = [bounds.min, bounds.max].map(Vec3::from);
        let distance = self.eye.distance(self.eye.clamp(min, max));
        step * self.pixels_at_one / distance
    }
}

/// What a tile is needed for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Role {
    Shown,
    /// Out of view, and throws shadows into it.
    Caster,
}

impl Role {
    fn coarseness(self) -> f32 {
        match self {
            Self::Shown => 1.0,
            Self::Caster => CASTER_COARSENESS,
        }
    }
}

impl Choice {
    /// Tiles that were looked at, and are there.
    pub fn looked_at(&self) -> impl Iterator<Item = &TileKey> {
        self.shown.iter().chain(&self.casters).chain(&self.passed)
    }

    fn of_role(&mut self, role: Role) -> &mut Vec<TileKey> {
        match role {
            Role::Shown => &mut self.shown,
            Role::Caster => &mut self.casters,
        }
    }

    /// Chooses again. `land` is that of the tree.
    pub fn make(
        &mut self,
        tree: &TileTree,
        land: &Land,
        resident: &impl Resident,
        cull_context: &TileCullContext,
    ) {
        let Self {
            shown,
            casters,
            wanted,
            passed,
            needs,
        } = self;
        for list in [shown, casters, wanted, passed] {
            list.clear();
        }
        needs.clear();
        let walk = Walk {
            tree,
            land,
            resident,
            cull_context,
        };
        let root = tree.root();
        if let Some(land) = land.of(root) {
            match resident.z_range(root) {
                Some(z_range) => walk.descend((root, land), (z_range, Role::Shown), self),
                None => self.needs.push((f32::INFINITY, root)),
            }
        }
        let by_need = |a: &(f32, TileKey), b: &(f32, TileKey)| {
            b.0.total_cmp(&a.0)
                .then(b.1.level.cmp(&a.1.level))
                .then(a.1.cmp(&b.1))
        };
        self.needs.sort_unstable_by(by_need);
        self.wanted.extend(self.needs.iter().map(|(_, key)| key));
    }
}

struct Walk<'a, R> {
    tree: &'a TileTree,
    land: &'a Land,
    resident: &'a R,
    cull_context: &'a TileCullContext,
}

impl<R: Resident> Walk<'_, R> {
    /// Takes a tile that is there, or its quarters, for what it is needed for. `z_range` is that of the tile.
    fn descend(
        &self,
        (key, land): (TileKey, Has),
        (z_range, role): ([f32; 2], Role),
        choice: &mut Choice,
    ) {
        let bounds = self.bounds(key, z_range);
        let step = self.tree.step_of(key.level);
        let need =
            |role: Role, bounds: &Aabb| self.cull_context.step_px(step, bounds) / role.coarseness();
        let is_too_coarse = need(role, &bounds) > self.cull_context.max_step_px;
        let Some(children) = key.children().filter(|_| is_too_coarse) else {
            choice.of_role(role).push(key);
            return;
        };
        // A coarse tile says roughly how high its quarters are: a peak between its samples may reach further.
        let guess = [z_range[0] - step, z_range[1] + step];
        let mut ready = [None; 4];
        let mut is_complete = true;
        for (child, ready) in children.into_iter().zip(&mut ready) {
            let Some(land) = self.land.of_quarter(land, child) else {
                continue;
            };
            let known = self.resident.z_range(child);
            let bounds = self.bounds(child, known.unwrap_or(guess));
            let Some(child_role) = self.cull_context.role_of(&bounds) else {
                continue;
            };
            match known {
                Some(z_range) => *ready = Some(((child, land), (z_range, child_role))),
                None => {
                    choice.needs.push((need(child_role, &bounds), child));
                    // What is in view does not wait for shadows.
                    is_complete &= (role, child_role) == (Role::Shown, Role::Caster);
                }
            }
        }
        let ready = ready.into_iter().flatten();
        if !is_complete {
            choice.of_role(role).push(key);
            choice.passed.extend(ready.map(|((child, _), _)| child));
            return;
        }
        choice.passed.push(key);
        for (child, what_for) in ready {
            self.descend(child, what_for, choice);
        }
    }

    fn bounds(&self, key: TileKey, [low, high]: [f32; 2]) -> Aabb {
        let ([x, y], side) = self.tree.square_of(key);
        Aabb {
            min: [x, y, low],
            max: [x + side, y + side, high],
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use glam::Vec4;
    use ironlands_scene::RampColor;

    use super::*;

    impl Resident for HashMap<TileKey, [f32; 2]> {
        fn z_range(&self, key: TileKey) -> Option<[f32; 2]> {
            self.get(&key).copied()
        }
    }

    const SIZE: [u32; 2] = [1280, 720];

    /// Eight by eight finest tiles of 2048 units, land in all but the last quarter.
    fn tree() -> TileTree {
        let land = [(0, 0), (1, 0), (0, 1)].map(|(x, y)| TileKey { level: 2, x, y });
        TileTree {
            corner: [0.0, 0.0],
            step: 16.0,
            steps_per_tile: 128,
            n_levels: 4,
            z_unit: 1.0,
            z_range: [-16384.0, 16384.0],
            land: land.to_vec(),
            ramp: vec![RampColor {
                z: 0.0,
                color: [0.5; 3],
            }],
            color_by: Vec::new(),
        }
    }

    fn looking_down(x: f32, y: f32, z: f32) -> Camera {
        Camera {
            position: Vec3::new(x, y, z),
            pitch_rad: -1.5,
            ..Camera::default()
        }
    }

    /// Brings all that is wanted until nothing is.
    fn settled(camera: &Camera, max_step_px: f32) -> (Choice, HashMap<TileKey, [f32; 2]>) {
        let tree = tree();
        let land = Land::new(&tree);
        let cull_context = TileCullContext::new(camera, SIZE, max_step_px, None);
        let mut resident = HashMap::new();
        let mut choice = Choice::default();
        for _ in 0..10 {
            choice.make(&tree, &land, &resident, &cull_context);
            if choice.wanted.is_empty() {
                return (choice, resident);
            }
            resident.extend(choice.wanted.iter().map(|key| (*key, [0.0, 100.0])));
        }
        panic!("something is wanted for ever");
    }

    #[test]
    fn shown_tiles_cover_the_land_in_view_once() {
        let camera = looking_down(6000.0, 6000.0, 5000.0);
        let (choice, _) = settled(&camera, 3.0);
        let frustum = Frustum::new(&camera, 1280.0 / 720.0);
        let tree = tree();
        for x in 0..8 {
            for y in 0..8 {
                let finest = TileKey { level: 0, x, y };
                let n_shown = (0..4)
                    .filter(|level| choice.shown.contains(&finest.at_level(*level)))
                    .count();
                let ([x, y], side) = tree.square_of(finest);
                let is_land = x < 8192.0 || y < 8192.0;
                let bounds = Aabb {
                    min: [x, y, 0.0],
                    max: [x + side, y + side, 100.0],
                };
                assert!(n_shown <= 1);
                if is_land && frustum.may_see(&bounds) {
                    assert_eq!(n_shown, 1, "{finest:?} is seen");
                }
                if !is_land {
                    let quarter = finest.at_level(2);
                    assert!(
                        !choice
                            .shown
                            .iter()
                            .any(|it| it.at_level(2) == quarter && it.level < 3)
                    );
                }
            }
        }
    }

    #[test]
    fn steps_are_no_larger_than_requested_or_the_finest() {
        for max_step_px in [2.0, 5.0, 12.0] {
            let camera = looking_down(3000.0, 3000.0, 2500.0);
            let (choice, _) = settled(&camera, max_step_px);
            let tree = tree();
            let cull_context = TileCullContext::new(&camera, SIZE, max_step_px, None);
            for key in &choice.shown {
                let ([x, y], side) = tree.square_of(*key);
                let bounds = Aabb {
                    min: [x, y, 0.0],
                    max: [x + side, y + side, 100.0],
                };
                let step_px = cull_context.step_px(tree.step_of(key.level), &bounds);
                assert!(
                    key.level == 0 || step_px <= max_step_px,
                    "{key:?} {step_px}"
                );
            }
        }
        let levels = |max_step_px| {
            let (choice, _) = settled(&looking_down(3000.0, 3000.0, 2500.0), max_step_px);
            choice.shown.iter().map(|key| key.level).max()
        };
        assert!(levels(2.0) < levels(40.0));
    }

    #[test]
    fn what_is_missing_is_shown_coarser_and_requested_nearest_first() {
        let tree = tree();
        let camera = looking_down(1000.0, 1000.0, 800.0);
        let cull_context = TileCullContext::new(&camera, SIZE, 1.0, None);
        let (_, mut resident) = settled(&camera, 1.0);
        let below = TileKey {
            level: 0,
            x: 0,
            y: 0,
        };
        assert!(resident.remove(&below).is_some());
        let mut choice = Choice::default();
        choice.make(&tree, &Land::new(&tree), &resident, &cull_context);
        assert_eq!(choice.wanted, [below]);
        assert!(choice.shown.contains(&below.at_level(1)));
        assert!(
            !choice
                .shown
                .iter()
                .any(|key| key.level == 0 && key.at_level(1) == below.at_level(1))
        );
    }

    /// Over the middle of the land, looking east along the ground.
    fn looking_east() -> Camera {
        Camera {
            position: Vec3::new(3000.0, 3000.0, 300.0),
            pitch_rad: -0.2,
            ..Camera::default()
        }
    }

    #[test]
    fn land_that_is_only_seen_by_its_shadow_is_chosen_coarser_and_after_what_is_in_view() {
        let tree = tree();
        let land = Land::new(&tree);
        let camera = looking_east();
        // The sun's maps show all that lies up to 3000 units to the west of the eye.
        let west = Frustum::from_planes([Vec4::new(1.0, 0.0, 0.0, 0.0); 5]);
        let with_sun = TileCullContext::new(&camera, SIZE, 2.0, Some([west; N_SUN_MAPS]));
        let without = TileCullContext::new(&camera, SIZE, 2.0, None);
        let (in_view, mut resident) = settled(&camera, 2.0);
        let mut choice = Choice::default();
        choice.make(&tree, &land, &resident, &with_sun);
        assert_eq!(choice.shown, in_view.shown, "the view does not wait");
        assert!(!choice.wanted.is_empty());
        while !choice.wanted.is_empty() {
            resident.extend(choice.wanted.iter().map(|key| (*key, [0.0, 100.0])));
            choice.make(&tree, &land, &resident, &with_sun);
        }
        assert_eq!(choice.shown, in_view.shown);
        let behind = TileKey {
            level: 0,
            x: 0,
            y: 1,
        };
        let caster = choice
            .casters
            .iter()
            .find(|key| behind.at_level(key.level) == **key);
        let caster = caster.expect("the land behind the eye throws shadows");
        let step_px = |key: TileKey| {
            let ([x, y], side) = tree.square_of(key);
            let bounds = Aabb {
                min: [x, y, 0.0],
                max: [x + side, y + side, 100.0],
            };
            with_sun.step_px(tree.step_of(key.level), &bounds)
        };
        assert!(step_px(*caster) <= 2.0 * CASTER_COARSENESS || caster.level == 0);
        assert!(choice.casters.iter().any(|key| step_px(*key) > 2.0));
        choice.make(&tree, &land, &resident, &without);
        assert!(choice.casters.is_empty());
    }

    #[test]
    fn who_sees_nothing_of_the_land_wants_nothing_more() {
        let up = Camera {
            pitch_rad: 1.5,
            ..looking_down(3000.0, 3000.0, 5000.0)
        };
        let (choice, resident) = settled(&up, 2.0);
        assert_eq!(resident.len(), 1, "only the tile that shows all");
        assert!(choice.shown.is_empty());
    }
}
