//! The polygons of faces by the planes that they lie on: what a side of a brush shows.

use glam::Vec3;
use ironlands_assets_source::bsp::{FaceSet, Map};
use ironlands_assets_source::lightmap::{LightBlock, light_blocks, light_lump, linear_light};

/// How far outside of a face a point may be that is said to be on it.
const TOUCH: f32 = 0.25;
/// A face whose brightest sample of light is below this is as good as black: linear, 1 = fully lit.
const DARK: f32 = 0.002;

/// All faces of a map but those of displacements.
#[derive(Debug, Clone, Default)]
pub(super) struct Faces {
    /// Sorted by plane.
    faces: Vec<Face>,
    /// Corners of all, clockwise seen from the front.
    corners: Vec<Vec3>,
}

#[derive(Debug, Clone, Copy)]
pub(super) struct Face {
    plane: u32,
    /// Face of the file.
    pub face: u32,
    /// Texinfo; -1 = none.
    pub texinfo: i32,
    /// Its light is stored, and there is none.
    pub is_dark: bool,
    normal: Vec3,
    first_corner: usize,
    n_corners: usize,
}

impl Faces {
    /// Faces without a ring or a plane are left out.
    pub fn new(map: &Map) -> Self {
        let mut faces = Self::default();
        let dark = dark_faces(map, map.default_face_set());
        for (i, face) in map.faces.iter().enumerate() {
            let Some(plane) = map.planes.get(face.plane as usize) else {
                continue;
            };
            if face.disp_info >= 0 || face.n_edges < 3 {
                continue;
            }
            let first_corner = faces.corners.len();
            faces
                .corners
                .extend(map.ring(face).into_iter().map(Vec3::from));
            faces.faces.push(Face {
                plane: face.plane,
                face: i as u32,
                texinfo: face.texinfo,
                is_dark: dark.get(i).copied().unwrap_or(false),
                normal: plane.normal.into(),
                first_corner,
                n_corners: faces.corners.len().saturating_sub(first_corner),
            });
        }
        faces.faces.sort_by_key(|face| face.plane);
        faces
    }

    /// The face on a plane that a point is on, in the axes of the face's model.
    pub fn face_at(&self, plane: u32, point: Vec3) -> Option<&Face> {
        let first = self.faces.partition_point(|face| face.plane < plane);
        let mut on_plane = self
            .faces
            .iter()
            .skip(first)
            .take_while(|face| face.plane == plane);
        on_plane.find(|face| self.is_on(face, point))
    }

    /// Corners of a face, counter-clockwise seen from the front.
    pub fn corners_of(&self, face: &Face) -> Vec<Vec3> {
        self.ring_of(face).iter().rev().copied().collect()
    }

    /// Clockwise.
    fn ring_of(&self, face: &Face) -> &[Vec3] {
        let end = face.first_corner.saturating_add(face.n_corners);
        let ring = self.corners.get(face.first_corner..end);
        ring.unwrap_or_default()
    }

    fn is_on(&self, face: &Face, point: Vec3) -> bool {
        let ring = self.ring_of(face);
        let ends = ring.iter().cycle().skip(1);
        ring.iter().zip(ends).all(|(&a, &b)| {
            let outward = face.normal.cross(a - b).normalize_or_zero();
            outward.dot(point - a) >= -TOUCH
        })
    }
}

/// For each face whether its lightmap is black. A map without lights is shown without its lightmaps.
fn dark_faces(map: &Map, set: FaceSet) -> Vec<bool> {
    if map.world_lights_of(set).is_empty() {
        return Vec::new();
    }
    let lump = light_lump(map, set);
    let (blocks, _, _) = light_blocks(map, set);
    // Faces of a valid map share no light: each byte is looked at once.
    let mut n_left = lump.len();
    let mut is_dark = |block: &LightBlock| {
        let Some(left) = n_left.checked_sub(block.whole().len()) else {
            return false;
        };
        n_left = left;
        let samples = (0..block.styles.len()).flat_map(|style| block.samples(lump, style, 0));
        let mut channels = samples.flat_map(|sample| linear_light(*sample));
        channels.all(|light| light < DARK)
    };
    let blocks = blocks.iter().map(Option::as_ref);
    blocks
        .map(|block| block.is_some_and(&mut is_dark))
        .collect()
}
