//! What a model that is looked at alone stands on: a grid with its axes, and its box.

use crate::scene::{Aabb, Overlay, OverlayVertex, Scene};
use glam::Vec3;

/// The grid that the model stands on.
const GRID: &str = "grid";
/// The box around the model at rest.
pub const BOUNDS: &str = "bounds";

/// Lines of the grid to each side of its middle.
const N_LINES: i32 = 12;
const GRAY: [u8; 4] = [120, 124, 130, 110];
const RED: [u8; 4] = [214, 70, 60, 230];
const GREEN: [u8; 4] = [90, 190, 80, 230];
const BLUE: [u8; 4] = [80, 130, 230, 230];
const YELLOW: [u8; 4] = [230, 200, 80, 220];

/// Adds grid and box to the overlays of a scene that holds what lies in `bounds`.
pub fn add_to(scene: &mut Scene, bounds: &Aabb) {
    scene.overlays.push(grid(bounds));
    scene.overlays.push(Overlay {
        name: BOUNDS.to_owned(),
        lines: box_edges(bounds),
        ..Overlay::default()
    });
}

/// Below the box, with lines a power of ten apart; red is +X, where models face, green is +Y, blue is +Z.
fn grid(bounds: &Aabb) -> Overlay {
    let [min, max] = [bounds.min, bounds.max].map(Vec3::from);
    let step = step_for((max - min).truncate().max_element());
    let middle = ((min + max) * 0.5 / step).round() * step;
    let at = |x: i32, y: i32| {
        Vec3::new(middle.x, middle.y, min.z) + step * Vec3::new(x as f32, y as f32, 0.0)
    };
    let mut lines = Vec::new();
    for line in -N_LINES..=N_LINES {
        push_line(&mut lines, [at(line, -N_LINES), at(line, N_LINES)], GRAY);
        push_line(&mut lines, [at(-N_LINES, line), at(N_LINES, line)], GRAY);
    }
    let axes = [(Vec3::X, RED), (Vec3::Y, GREEN), (Vec3::Z, BLUE)];
    for (axis, color) in axes {
        push_line(&mut lines, [Vec3::ZERO, axis * step], color);
    }
    Overlay {
        name: GRID.to_owned(),
        lines,
        is_shown: true,
        ..Overlay::default()
    }
}

/// The power of ten of which the grid's lines reach farther than the model, by at least a model's width.
fn step_for(width: f32) -> f32 {
    let exponent = (width * 3.0 / (2 * N_LINES) as f32).log10().ceil();
    10.0_f32.powf(exponent.clamp(-3.0, 6.0))
}

fn box_edges(bounds: &Aabb) -> Vec<OverlayVertex> {
    let corner = |index: usize| {
        Vec3::from_array(std::array::from_fn(|axis| match index >> axis & 1 {
            0 => bounds.min[axis],
            _ => bounds.max[axis],
        }))
    };
    let mut lines = Vec::new();
    for index in 0..8 {
        for axis in (0..3).filter(|axis| index >> axis & 1 == 0) {
            push_line(
                &mut lines,
                [corner(index), corner(index | 1 << axis)],
                YELLOW,
            );
        }
    }
    lines
}

fn push_line(lines: &mut Vec<OverlayVertex>, ends: [Vec3; 2], color: [u8; 4]) {
    lines.extend(ends.map(|end| OverlayVertex {
        position: end.to_array(),
        color,
    }));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_grid_is_wider_than_the_model_but_not_lost_around_it() {
        for width in [0.02, 0.9, 1.0, 7.0, 35.0, 999.0] {
            let reach = step_for(width) * (2 * N_LINES) as f32;
            assert!(reach >= width * 2.99, "{width}: {reach}");
            assert!(reach <= width * 31.0, "{width}: {reach}");
        }
        assert!(step_for(0.0) > 0.0);
    }

    #[test]
    fn a_box_has_twelve_edges_along_the_axes() {
        let bounds = Aabb {
            min: [1.0, 2.0, 3.0],
            max: [2.0, 4.0, 6.0],
        };
        let edges = box_edges(&bounds);
        assert_eq!(edges.len(), 24);
        let length: f32 = edges
            .chunks(2)
            .map(|ends| Vec3::from(ends[0].position).distance(Vec3::from(ends[1].position)))
            .sum();
        assert_eq!(length, 4.0 * (1.0 + 2.0 + 3.0));
    }

    #[test]
    fn the_grid_lies_below_the_model() {
        let bounds = Aabb {
            min: [10.0, -1.0, -2.5],
            max: [12.0, 1.0, 3.0],
        };
        let grid = grid(&bounds);
        let gray = grid.lines.iter().filter(|vertex| vertex.color == GRAY);
        assert!(gray.clone().all(|vertex| vertex.position[2] == -2.5));
        assert_eq!(gray.count(), 2 * 2 * (2 * N_LINES as usize + 1));
    }
}
