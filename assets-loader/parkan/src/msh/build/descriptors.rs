//! Type 7 records of the triangles of a slot (dossier section 7.7).

use std::collections::{HashMap, VecDeque};

use crate::msh::{NONE, TriDesc};
use crate::packing::pack_face_normal;

/// An edge by the bits of its ends, in the direction in which its triangle runs through it.
type Edge = [[u32; 3]; 2];

/// The descriptors of a slot's triangles, the first of which has the number `first`.
///
/// Edge k runs from corner k to the next. Its link is the triangle that runs through it the other way, and its
/// selector the number of the edge in that triangle, as in terrain (the documents do not say what it selects). Of
/// several such triangles the first that is still free is taken. Without area the normal is 0.
pub(super) fn describe(first: usize, corners: &[[[f32; 3]; 3]]) -> Vec<TriDesc> {
    let mut descriptors: Vec<TriDesc> = corners.iter().map(unlinked).collect();
    let mut open: HashMap<Edge, VecDeque<(usize, usize)>> = HashMap::new();
    for (tri, corners) in corners.iter().enumerate() {
        for (side, [from, to]) in edges(corners).into_iter().enumerate() {
            if from == to {
                continue;
            }
            let other = open.get_mut(&[to, from]).and_then(VecDeque::pop_front);
            let Some((other_tri, other_side)) = other else {
                open.entry([from, to]).or_default().push_back((tri, side));
                continue;
            };
            let number = |tri: usize| u16::try_from(first.saturating_add(tri)).unwrap_or(NONE);
            for (at, at_side, to, to_side) in [
                (tri, side, number(other_tri), other_side),
                (other_tri, other_side, number(tri), side),
            ] {
                if let Some(descriptor) = descriptors.get_mut(at) {
                    link(descriptor, at_side, to, to_side);
                }
            }
        }
    }
    descriptors
}

fn link(descriptor: &mut TriDesc, side: usize, to: u16, to_side: usize) {
    let mut selectors = descriptor.selectors();
    if let (Some(link), Some(selector)) = (descriptor.links.get_mut(side), selectors.get_mut(side))
    {
        *link = to;
        *selector = u8::try_from(to_side).ok();
    }
    *descriptor = descriptor.with_selectors(selectors);
}

fn edges([a, b, c]: &[[f32; 3]; 3]) -> [Edge; 3] {
    [[a, b], [b, c], [c, a]].map(|ends| ends.map(|end| end.map(f32::to_bits)))
}

fn unlinked(corners: &[[f32; 3]; 3]) -> TriDesc {
    TriDesc {
        flags: 0,
        links: [NONE; 3],
        normal: pack_face_normal(unit_normal(corners)),
        packed_selectors: 0b11_1111,
    }
}

/// Of unit length, toward those who see the corners run counter-clockwise; 0 for a triangle without area.
fn unit_normal([a, b, c]: &[[f32; 3]; 3]) -> [f32; 3] {
    let ([ax, ay, az], [bx, by, bz], [cx, cy, cz]) =
        (a.map(f64::from), b.map(f64::from), c.map(f64::from));
    let ([ux, uy, uz], [vx, vy, vz]) = ([bx - ax, by - ay, bz - az], [cx - ax, cy - ay, cz - az]);
    let normal = [uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx];
    let [x, y, z] = normal;
    let length = (x * x + y * y + z * z).sqrt();
    if length == 0.0 {
        return [0.0; 3];
    }
    normal.map(|c| (c / length) as f32)
}
