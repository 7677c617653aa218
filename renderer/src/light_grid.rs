//! Which lights may reach which part of the picture: it is cut into columns and rows, and these into slices by depth.
//! Plain arithmetic, no GPU.

use bytemuck::{Pod, Zeroable};
use glam::{Vec2, Vec3};
use ironlands_scene::{Light, LightStyle};

use crate::{Camera, lamp_maps::LampInView, linear_light::linear_from_display};

/// Columns and rows of the picture.
const COLUMNS: u32 = 16;
const ROWS: u32 = 9;
/// Slices by depth; each is thicker than the one before by the same factor.
const SLICES: u32 = 24;
const N_CELLS: usize = (COLUMNS * ROWS * SLICES) as usize;

/// Depths at which the slices begin and end: what is nearer is in the first, what is farther in the last.
const NEAREST: f32 = 0.5;
const FARTHEST: f32 = 4096.0;
/// Counts a light that throws shadows in the number of lights of a cell.
const SHADOWED: u32 = 1 << 24;
/// Numbers of the shader's that are not quite these must not miss a light at the edge of a cell.
const SLACK: f32 = 1e-3;

/// `shared/local_lights.wgsl`, `LightGrid`.
#[derive(Debug, Clone, Copy, Default, PartialEq, Pod, Zeroable)]
#[repr(C)]
pub(crate) struct LightGridUniform {
    pub cells_per_px: [f32; 2],
    /// Slice = log2(depth) * scale + offset.
    pub slice_scale: f32,
    pub slice_offset: f32,
    pub n_cells: [u32; 3],
    /// 0 where no light is in view.
    pub n_lights: u32,
}

/// `shared/local_lights.wgsl`, `LocalLight`.
#[derive(Debug, Clone, Copy, PartialEq, Pod, Zeroable)]
#[repr(C)]
pub(crate) struct LocalLight {
    pub position_in_eye: [f32; 3],
    pub range: f32,
    pub color: [f32; 3],
    pub is_baked: u32,
    pub color_linear: [f32; 3],
    pub cos_outer: f32,
    pub direction: [f32; 3],
    /// 1 / (cos_inner - cos_outer).
    pub cone_scale: f32,
}

/// The lights of a frame; kept between frames for its memory.
#[derive(Debug, Default)]
pub(crate) struct LightGrid {
    /// Those in view.
    pub lights: Vec<LocalLight>,
    /// The same, as they are chosen from to throw shadows.
    pub in_view: Vec<LampInView>,
    /// For each cell where its lights begin in this list and how many they are, those that throw shadows first and counted
    /// once more in the highest bits; then indices of lights.
    pub lists: Vec<u32>,
    /// Cell and light, light after light.
    pairs: Vec<[u32; 2]>,
}

impl LightGrid {
    /// Takes the lights that may be seen from a camera, for [`Self::list`].
    pub fn fill(
        &mut self,
        lights: &[Light],
        styles: &[LightStyle],
        time_secs: f32,
        view: &GridView,
    ) -> LightGridUniform {
        self.lights.clear();
        self.in_view.clear();
        self.pairs.clear();
        for (number, light) in lights.iter().enumerate() {
            let n_before = self.pairs.len();
            let index = self.lights.len() as u32;
            view.for_each_cell(light, |cell| self.pairs.push([cell, index]));
            if self.pairs.len() > n_before {
                let style = light.style.and_then(|style| styles.get(usize::from(style)));
                let factor = style.map_or(1.0, |style| style.at(time_secs));
                let factor = factor * light.flicker.at(time_secs);
                let light_in_eye = LocalLight::new(light, factor, view.camera.position);
                self.in_view.push(LampInView {
                    light: number,
                    index,
                    distance: Vec3::from(light_in_eye.position_in_eye).length() / light.range,
                });
                self.lights.push(light_in_eye);
            }
        }
        view.uniform(self.lights.len() as u32)
    }

    /// From pairs to a list for each cell: lights that throw shadows, then the others, each in the order of the lights.
    pub fn list(&mut self, throws_shadows: impl Fn(u32) -> bool) {
        let first = 2 * N_CELLS as u32;
        self.lists.clear();
        self.lists.resize(2 * N_CELLS + self.pairs.len(), 0);
        for [cell, _] in &self.pairs {
            self.lists[2 * *cell as usize + 1] += 1;
        }
        let mut next = first;
        for cell in 0..N_CELLS {
            self.lists[2 * cell] = next;
            // Counted again while they are filled in.
            next += std::mem::take(&mut self.lists[2 * cell + 1]);
        }
        for (are_shadowed, counted) in [(true, 1 + SHADOWED), (false, 1)] {
            let pairs = self.pairs.iter();
            for [cell, light] in pairs.filter(|[_, light]| throws_shadows(*light) == are_shadowed) {
                let cell = 2 * *cell as usize;
                let place = self.lists[cell] + self.lists[cell + 1] % SHADOWED;
                self.lists[place as usize] = *light;
                self.lists[cell + 1] += counted;
            }
        }
    }
}

impl LocalLight {
    fn new(light: &Light, factor: f32, eye: Vec3) -> Self {
        let color = light.color.map(|channel| channel * factor);
        // Without a cone, every cosine is far inside.
        let (direction, cos_outer, cone_scale) = light.cone.map_or(([0.0; 3], -2.0, 1.0), |cone| {
            let width = cone.cos_inner - cone.cos_outer;
            (cone.direction, cone.cos_outer, 1.0 / width)
        });
        Self {
            position_in_eye: (Vec3::from(light.position) - eye).to_array(),
            range: light.range,
            color,
            is_baked: light.is_baked.into(),
            color_linear: color.map(linear_from_display),
            cos_outer,
            direction,
            cone_scale,
        }
    }
}

/// How a picture is cut into cells.
#[derive(Debug, Clone, Copy)]
pub(crate) struct GridView {
    camera: Camera,
    /// Tangents of half the field of view.
    half: Vec2,
    size: [u32; 2],
}

impl GridView {
    /// `size` of the picture in pixels.
    pub fn new(camera: &Camera, size: [u32; 2]) -> Self {
        let aspect = size[0] as f32 / size[1] as f32;
        Self {
            camera: *camera,
            half: camera.half_extent(aspect),
            size,
        }
    }

    fn uniform(&self, n_lights: u32) -> LightGridUniform {
        let [scale, offset] = slice_scale_and_offset();
        let [width, height] = self.size.map(|side| side as f32);
        LightGridUniform {
            cells_per_px: [COLUMNS as f32 / width, ROWS as f32 / height],
            slice_scale: scale,
            slice_offset: offset,
            n_cells: [COLUMNS, ROWS, SLICES],
            n_lights,
        }
    }

    /// Hands out the cells that a light reaches into.
    fn for_each_cell(&self, light: &Light, mut take: impl FnMut(u32)) {
        let to_light = Vec3::from(light.position) - self.camera.position;
        let along = |axis: Vec3| axis.dot(to_light);
        let depth = along(self.camera.forward());
        let reach = light.range * (1.0 + SLACK);
        if depth + reach <= 0.0 {
            return;
        }
        let across = Vec2::new(along(self.camera.right()), along(self.camera.up())) / self.half;
        let slices = [depth - reach, depth + reach].map(slice_of);
        for slice in slices[0]..=slices[1] {
            let [near, far] = ends_of(slice);
            // Of the ball's depths, those in the slice; nothing before the eye is seen.
            let [near, far] = [near.max(depth - reach), far.min(depth + reach)];
            let beside = (depth - depth.clamp(near, far)).abs();
            let radius_sq = reach * reach - beside * beside;
            if radius_sq < 0.0 {
                continue;
            }
            let radius = Vec2::splat(radius_sq.sqrt()) / self.half;
            let Some([columns, rows]) = cells_between(across - radius, across + radius, near, far)
            else {
                continue;
            };
            for row in rows[0]..=rows[1] {
                for column in columns[0]..=columns[1] {
                    take((slice * ROWS + row) * COLUMNS + column);
                }
            }
        }
    }
}

/// Columns and rows of what lies between two corners at any depth in a range; in units of half the picture at depth 1.
fn cells_between(low: Vec2, high: Vec2, near: f32, far: f32) -> Option<[[u32; 2]; 2]> {
    let near = near.max(1e-6);
    let far = far.max(near);
    // What is left of the middle is farthest left when it is near.
    let low = Vec2::select(low.cmplt(Vec2::ZERO), low / near, low / far);
    let high = Vec2::select(high.cmpgt(Vec2::ZERO), high / near, high / far);
    let is_outside = low.x > 1.0 + SLACK || high.x < -1.0 - SLACK;
    if is_outside || low.y > 1.0 + SLACK || high.y < -1.0 - SLACK {
        return None;
    }
    let cell = |place: f32, n: u32| (((place * 0.5 + 0.5) * n as f32) as u32).min(n - 1);
    let columns = [low.x - SLACK, high.x + SLACK].map(|x| cell(x, COLUMNS));
    // Rows count from the top.
    let rows = [-high.y - SLACK, -low.y + SLACK].map(|y| cell(y, ROWS));
    Some([columns, rows])
}

fn slice_scale_and_offset() -> [f32; 2] {
    let scale = SLICES as f32 / (FARTHEST / NEAREST).log2();
    [scale, -NEAREST.log2() * scale]
}

/// The slice of a depth.
fn slice_of(depth: f32) -> u32 {
    let [scale, offset] = slice_scale_and_offset();
    let slice = depth.max(NEAREST).log2() * scale + offset;
    (slice.max(0.0) as u32).min(SLICES - 1)
}

/// Where a slice begins and ends, with some slack; the first begins at the eye, the last does not end.
fn ends_of(slice: u32) -> [f32; 2] {
    let [scale, offset] = slice_scale_and_offset();
    let at = |slice: u32| ((slice as f32 - offset) / scale).exp2();
    let near = if slice == 0 {
        0.0
    } else {
        at(slice) * (1.0 - SLACK)
    };
    let far = if slice + 1 == SLICES {
        f32::MAX
    } else {
        at(slice + 1) * (1.0 + SLACK)
    };
    [near, far]
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Numbers from 0 to below 1, the same in every run.
    struct Numbers(u32);

    impl Numbers {
        fn next(&mut self) -> f32 {
            self.0 = self.0.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (self.0 >> 8) as f32 / 16_777_216.0
        }

        fn point(&mut self, extent: f32) -> Vec3 {
            (Vec3::new(self.next(), self.next(), self.next()) - 0.5) * 2.0 * extent
        }
    }

    fn slanted() -> Camera {
        Camera {
            position: Vec3::new(30.0, -20.0, 10.0),
            yaw_rad: 0.7,
            pitch_rad: -0.3,
            ..Camera::default()
        }
    }

    const SIZE: [u32; 2] = [640, 360];

    /// As the shader finds the cell of a point; none outside of the picture.
    fn cell_of(camera: &Camera, point: Vec3, grid: &LightGridUniform) -> Option<usize> {
        let clip = camera.clip_from_world(SIZE[0] as f32 / SIZE[1] as f32) * point.extend(1.0);
        let is_inside = clip.w > 0.0 && clip.z <= clip.w;
        let [x, y] = [clip.x / clip.w, -clip.y / clip.w];
        if !is_inside || x.abs() >= 1.0 || y.abs() >= 1.0 {
            return None;
        }
        let px = [x, y].map(|v| v * 0.5 + 0.5);
        let [column, row] = [0, 1].map(|i| (px[i] * SIZE[i] as f32 * grid.cells_per_px[i]) as u32);
        let slice = clip.w.log2() * grid.slice_scale + grid.slice_offset;
        let slice = (slice.max(0.0) as u32).min(grid.n_cells[2] - 1);
        Some(((slice * grid.n_cells[1] + row) * grid.n_cells[0] + column) as usize)
    }

    #[test]
    fn every_light_that_reaches_a_place_is_in_the_list_of_its_cell() {
        let camera = slanted();
        let mut numbers = Numbers(1);
        let lights: Vec<_> = (0..300)
            .map(|_| Light {
                position: (camera.position + numbers.point(120.0)).to_array(),
                range: 0.5 + 30.0 * numbers.next() * numbers.next(),
                ..Light::default()
            })
            .collect();
        let mut grid = LightGrid::default();
        let uniform = grid.fill(&lights, &[], 0.0, &GridView::new(&camera, SIZE));
        grid.list(|_| false);
        assert_eq!(uniform.n_lights as usize, grid.lights.len());
        let (mut n_reached, mut n_listed) = (0, 0);
        for _ in 0..100_000 {
            let point = camera.position + numbers.point(100.0);
            let Some(cell) = cell_of(&camera, point, &uniform) else {
                continue;
            };
            let [first, n] = [grid.lists[2 * cell], grid.lists[2 * cell + 1]];
            let listed = &grid.lists[first as usize..(first + n) as usize];
            n_listed += listed.len();
            for (index, light) in (0..).zip(&grid.lights) {
                let position = Vec3::from(light.position_in_eye) + camera.position;
                if position.distance(point) < light.range {
                    n_reached += 1;
                    assert!(listed.contains(&index), "{light:?} at {point}");
                }
            }
        }
        assert!(n_reached > 1000, "only {n_reached} lights reach anything");
        assert!(n_listed < 12 * n_reached, "{n_listed} for {n_reached}");
    }

    #[test]
    fn lights_behind_and_beside_the_view_are_left_out() {
        let camera = Camera::default();
        let light = |position| Light {
            position,
            range: 5.0,
            ..Light::default()
        };
        let lights = [
            light([-5.1, 0.0, 0.0]),
            light([10.0, 40.0, 0.0]),
            light([10.0, 0.0, -40.0]),
            light([10.0, 1.0, 0.0]),
        ];
        let mut grid = LightGrid::default();
        grid.fill(&lights, &[], 0.0, &GridView::new(&camera, SIZE));
        let kept: Vec<_> = grid.lights.iter().map(|it| it.position_in_eye).collect();
        assert_eq!(kept, [[10.0, 1.0, 0.0]]);
    }

    #[test]
    fn lists_stand_in_the_order_of_the_lights_and_use_their_memory_again() {
        let camera = Camera::default();
        let lights: Vec<_> = [3.0, 5.0, 7.0]
            .map(|x| Light {
                position: [x, 0.0, 0.0],
                ..Light::default()
            })
            .into();
        let view = GridView::new(&camera, SIZE);
        let mut grid = LightGrid::default();
        grid.fill(&lights, &[], 0.0, &view);
        grid.list(|_| false);
        for cell in grid.lists[..2 * N_CELLS].chunks_exact(2) {
            let listed = &grid.lists[cell[0] as usize..(cell[0] + cell[1]) as usize];
            assert!(listed.is_sorted(), "{listed:?}");
        }
        let rooms = [grid.lists.capacity(), grid.pairs.capacity()];
        grid.fill(&lights, &[], 1.0, &view);
        grid.list(|_| false);
        assert_eq!([grid.lists.capacity(), grid.pairs.capacity()], rooms);
    }

    #[test]
    fn lights_that_throw_shadows_come_first_in_each_list() {
        let camera = Camera::default();
        let lights: Vec<_> = [3.0, 5.0, 7.0]
            .map(|x| Light {
                position: [x, 0.0, 0.0],
                ..Light::default()
            })
            .into();
        let mut grid = LightGrid::default();
        grid.fill(&lights, &[], 0.0, &GridView::new(&camera, SIZE));
        grid.list(|light| light > 0);
        let mut n_all = 0;
        for cell in grid.lists[..2 * N_CELLS].chunks_exact(2) {
            let [n, n_shadowed] = [cell[1] % SHADOWED, cell[1] / SHADOWED];
            let listed = &grid.lists[cell[0] as usize..(cell[0] + n) as usize];
            let (shadowed, others) = listed.split_at(n_shadowed as usize);
            assert!(shadowed.iter().all(|it| *it > 0) && others.iter().all(|it| *it == 0));
            assert!(shadowed.is_sorted(), "{shadowed:?}");
            n_all += usize::from(n == 3);
        }
        assert!(n_all > 10, "only {n_all} cells have all three");
    }
}
