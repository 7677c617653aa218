//! What is seen through the portals between areas. Plain arithmetic, no GPU.

use glam::{Mat4, Vec2, Vec3, Vec4};
use ironlands_scene::{AreaPortal, Areas, CullingState};

/// Most portals that are looked through for a picture, several times where parts of it grow; where they are more, nothing
/// is hidden.
const MAX_STEPS: usize = 1 << 14;
/// How near to a portal an eye is in it, as a part of its longest side: what is seen through it then fills the picture.
const IN_PORTAL: f32 = 0.05;
/// The part of the distance of the near plane up to which a portal is in the picture.
const NEAREST: f32 = 0.01;

/// Areas and portals as a graph.
#[derive(Debug, Default)]
pub(crate) struct AreaGraph {
    areas: Areas,
    /// For each area the portals on its sides.
    portals_of: Vec<Vec<usize>>,
}

/// A rectangle of the picture, in normalized device coordinates; empty where it has no width.
#[derive(Debug, Clone, Copy, PartialEq)]
struct ScreenRect {
    min: Vec2,
    max: Vec2,
}

/// The eye that looks through portals.
#[derive(Debug, Clone, Copy)]
pub(crate) struct PortalEye {
    pub position: Vec3,
    /// `None`: it looks to all sides.
    pub clip_from_world: Option<Mat4>,
}

impl AreaGraph {
    pub fn new(areas: &Areas) -> Self {
        let sides = areas.portals.iter().flat_map(|it| it.areas);
        let known = areas.of_cells.iter().flatten().copied();
        let n_areas = sides.chain(known).max().map_or(0, |it| it as usize + 1);
        let mut portals_of = vec![Vec::new(); n_areas];
        for (index, portal) in areas.portals.iter().enumerate() {
            for area in portal.areas {
                portals_of[area as usize].push(index);
            }
        }
        Self {
            areas: areas.clone(),
            portals_of,
        }
    }

    /// Whether portals hide anything at all.
    pub fn hides(&self) -> bool {
        !self.areas.portals.is_empty()
    }

    /// The area of a cell.
    pub fn area_of(&self, cell: usize) -> Option<u32> {
        self.areas.of_cells.get(cell).copied().flatten()
    }

    /// Whether something of each area is seen from one of them, through the portals that are open, into `is_seen`.
    ///
    /// What is seen of an area is a rectangle of the picture that holds all that portals show of it.
    pub fn seen_from(
        &self,
        area: u32,
        eye: &PortalEye,
        culling: &CullingState,
        is_seen: &mut Vec<bool>,
    ) {
        is_seen.clear();
        is_seen.resize(self.portals_of.len(), false);
        let mut shown = vec![ScreenRect::NONE; self.portals_of.len()];
        let Some(first) = shown.get_mut(area as usize) else {
            is_seen.fill(true);
            return;
        };
        *first = ScreenRect::ALL;
        is_seen[area as usize] = true;
        // An area whose part has grown is looked through again: parts only grow, to one of few sizes.
        let mut waiting = vec![area];
        let mut n_steps = 0;
        while let Some(area) = waiting.pop() {
            n_steps += self.portals_of[area as usize].len();
            if n_steps > MAX_STEPS {
                is_seen.fill(true);
                return;
            }
            for &index in &self.portals_of[area as usize] {
                let portal = &self.areas.portals[index];
                let is_open = culling.open_portals.get(index);
                let beyond = portal.other_area(area);
                let Some(beyond) = beyond.filter(|_| *is_open.unwrap_or(&portal.is_open)) else {
                    continue;
                };
                let part = eye.rect_of(portal).of(shown[area as usize]);
                let old = shown[beyond as usize];
                let grown = old.with(part);
                if !part.is_empty() && grown != old {
                    shown[beyond as usize] = grown;
                    is_seen[beyond as usize] = true;
                    waiting.push(beyond);
                }
            }
        }
    }
}

impl PortalEye {
    /// The part of the picture in which a portal is.
    fn rect_of(&self, portal: &AreaPortal) -> ScreenRect {
        let corners = portal.corners.iter().copied().map(Vec3::from);
        let min = corners.clone().fold(Vec3::INFINITY, Vec3::min);
        let max = corners.clone().fold(Vec3::NEG_INFINITY, Vec3::max);
        let nearest = self.position.clamp(min, max);
        let distance = nearest.distance(self.position);
        if distance > portal.max_distance {
            return ScreenRect::NONE;
        }
        let Some(clip_from_world) = self.clip_from_world else {
            return ScreenRect::ALL;
        };
        if distance <= (max - min).max_element() * IN_PORTAL {
            return ScreenRect::ALL;
        }
        let corners: Vec<Vec4> = corners.map(|it| clip_from_world * it.extend(1.0)).collect();
        let mut part = ScreenRect::NONE;
        let previous = corners.iter().cycle().skip(corners.len() - 1);
        for (a, b) in previous.zip(&corners) {
            // `w` is the distance ahead, `z` that of the near plane: what is nearer is not drawn, but seen through.
            let [a_over, b_over] = [a, b].map(|it| it.w - it.z * NEAREST);
            let [a_inside, b_inside] = [a_over, b_over].map(|it| it > 0.0);
            if a_inside != b_inside {
                let crossing = a.lerp(*b, a_over / (a_over - b_over));
                part = part.with_point(crossing);
            }
            if b_inside {
                part = part.with_point(*b);
            }
        }
        part
    }
}

impl ScreenRect {
    const ALL: Self = Self {
        min: Vec2::NEG_ONE,
        max: Vec2::ONE,
    };

    const NONE: Self = Self {
        min: Vec2::INFINITY,
        max: Vec2::NEG_INFINITY,
    };

    /// Also where it is a line or a point: a portal seen from its edge may be drawn a pixel wide.
    fn is_empty(self) -> bool {
        !self.min.cmple(self.max).all()
    }

    fn with_point(self, clip: Vec4) -> Self {
        // Corners so near that they have no place may be anywhere.
        let point = clip.truncate().truncate() / clip.w;
        match point.is_finite() {
            true => Self {
                min: self.min.min(point),
                max: self.max.max(point),
            },
            false => Self::ALL,
        }
    }

    /// What both have.
    fn of(self, other: Self) -> Self {
        let both = Self {
            min: self.min.max(other.min),
            max: self.max.min(other.max),
        };
        match both.is_empty() {
            true => Self::NONE,
            false => both,
        }
    }

    fn with(self, other: Self) -> Self {
        Self {
            min: self.min.min(other.min),
            max: self.max.max(other.max),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Camera;

    /// Doors of a width in walls across X, each from one area to the next.
    fn row_of_doors(doors: &[(f32, [f32; 2])]) -> Areas {
        let portals = doors.iter().zip(0u32..).map(|((x, [left, right]), area)| {
            let corner = |y: f32, z: f32| [*x, y, z];
            AreaPortal {
                areas: [area, area + 1],
                corners: vec![
                    corner(*left, -10.0),
                    corner(*right, -10.0),
                    corner(*right, 10.0),
                    corner(*left, 10.0),
                ],
                is_open: true,
                max_distance: f32::INFINITY,
            }
        });
        Areas {
            of_cells: Vec::new(),
            portals: portals.collect(),
        }
    }

    /// 90 degrees wide and high.
    fn eye(position: Vec3, yaw_rad: f32) -> PortalEye {
        let camera = Camera {
            position,
            yaw_rad,
            horizontal_fov_rad: std::f32::consts::FRAC_PI_2,
            near: 4.0,
            ..Camera::default()
        };
        PortalEye {
            position,
            clip_from_world: Some(camera.clip_from_world(1.0)),
        }
    }

    fn seen(areas: &Areas, area: u32, eye: &PortalEye, culling: &CullingState) -> Vec<bool> {
        let mut is_seen = Vec::new();
        AreaGraph::new(areas).seen_from(area, eye, culling, &mut is_seen);
        is_seen
    }

    #[test]
    fn areas_are_seen_through_portals_in_the_picture_only() {
        // The second door is behind the wall beside the first, unless the eye stands far to the left.
        let areas = row_of_doors(&[(100.0, [-10.0, 10.0]), (200.0, [-70.0, -50.0])]);
        let open = CullingState::default();
        let half_turn = std::f32::consts::PI;
        for (name, area, position, yaw, expected) in [
            ("ahead", 0, Vec3::ZERO, 0.0, [true, true, false]),
            ("behind", 0, Vec3::ZERO, half_turn, [true, false, false]),
            (
                "to the right, outside",
                0,
                Vec3::ZERO,
                0.96,
                [true, false, false],
            ),
            (
                "to the right, its edge inside",
                0,
                Vec3::ZERO,
                0.85,
                [true, true, false],
            ),
            (
                "through both",
                0,
                Vec3::new(0.0, 60.0, 0.0),
                -0.5,
                [true, true, true],
            ),
            (
                "in the first door",
                0,
                Vec3::new(100.0, 0.0, 0.0),
                half_turn,
                [true, true, false],
            ),
            (
                "from between",
                1,
                Vec3::new(160.0, 0.0, 0.0),
                0.0,
                [false, true, false],
            ),
            (
                "back",
                2,
                Vec3::new(300.0, -115.0, 0.0),
                2.61,
                [true, true, true],
            ),
            (
                "before the first door, nearer than the near plane",
                0,
                Vec3::new(98.0, 0.0, 0.0),
                0.0,
                [true, true, true],
            ),
            ("outside of all", 9, Vec3::ZERO, 0.0, [true, true, true]),
        ] {
            let eye = eye(position, yaw);
            assert_eq!(seen(&areas, area, &eye, &open), expected, "{name}");
        }
        let all_around = PortalEye {
            position: Vec3::ZERO,
            clip_from_world: None,
        };
        assert_eq!(seen(&areas, 0, &all_around, &open), [true; 3]);
    }

    #[test]
    fn closed_and_distant_portals_show_nothing() {
        let mut areas = row_of_doors(&[(100.0, [-10.0, 10.0]), (200.0, [-10.0, 10.0])]);
        let from = |areas: &Areas, open: &[bool]| {
            let culling = CullingState {
                open_portals: open.to_vec(),
                ..CullingState::default()
            };
            seen(areas, 0, &eye(Vec3::ZERO, 0.0), &culling)
        };
        assert_eq!(from(&areas, &[]), [true; 3]);
        assert_eq!(from(&areas, &[true, false]), [true, true, false]);
        assert_eq!(from(&areas, &[false]), [true, false, false]);
        areas.portals[1].is_open = false;
        assert_eq!(from(&areas, &[]), [true, true, false]);
        assert_eq!(from(&areas, &[true, true]), [true; 3]);
        areas.portals[1].max_distance = 199.0;
        assert_eq!(from(&areas, &[true, true]), [true, true, false]);
        areas.portals[1].max_distance = 201.0;
        assert_eq!(from(&areas, &[true, true]), [true; 3]);
    }

    #[test]
    fn what_a_straight_line_leads_to_is_never_hidden() {
        // Doors at odd places; lines from many eyes to points of the last, which cross those before it or do not.
        let doors = [
            (100.0, [-30.0, 5.0]),
            (140.0, [-12.0, 40.0]),
            (230.0, [-60.0, 20.0]),
        ];
        let areas = row_of_doors(&doors);
        let [mut n_seen, mut n_hidden] = [0, 0];
        for step in 0..2000u32 {
            let position = Vec3::new(
                (step % 19) as f32 * 5.0,
                (step % 31) as f32 * 8.0 - 120.0,
                (step % 7) as f32 - 3.0,
            );
            let yaw = (step % 41) as f32 * 0.07 - 1.4;
            let eye = eye(position, yaw);
            let found = seen(&areas, 0, &eye, &CullingState::default());
            let clip_from_world = eye.clip_from_world.expect("an eye that looks");
            let leads_there = (0..=40).any(|share| {
                let (x, [left, right]) = doors[2];
                let target = Vec3::new(x, left + (right - left) * share as f32 / 40.0, 0.0);
                let clip = clip_from_world * target.extend(1.0);
                let is_in_picture = clip.x.abs() <= clip.w && clip.y.abs() <= clip.w;
                let crosses = doors.iter().all(|(x, [left, right])| {
                    let at = position.lerp(target, (x - position.x) / (target.x - position.x));
                    (*left..=*right).contains(&at.y) && at.z.abs() <= 10.0
                });
                is_in_picture && clip.w > 0.0 && crosses
            });
            assert!(found[3] || !leads_there, "{position} {yaw}");
            n_seen += u32::from(leads_there);
            n_hidden += u32::from(!found[3]);
        }
        assert!(n_seen > 100 && n_hidden > 100, "{n_seen} {n_hidden}");
    }
}
