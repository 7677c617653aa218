//! Names and bones of models, where they are seen in the picture.

use egui::{Align2, Color32, FontId, LayerId, Painter, Pos2, Rect, Stroke, vec2};
use glam::{Vec2, Vec3};
use ironlands::renderer::FrameState;
use ironlands::scene::Affine;

use crate::cast::{Cast, Label};
use crate::model_options::ModelOptions;
use crate::projection::{Projection, Seen};

/// Most names at once: the nearest.
const N_NAMES: usize = 50;
const BONE: Color32 = Color32::from_rgb(255, 170, 60);
const JOINT_RADIUS: f32 = 2.5;

/// Paints what `options` asks for over the frame.
pub fn paint(ctx: &egui::Context, cast: &Cast, frame: &FrameState, options: &ModelOptions) {
    let size = ctx.content_rect().size();
    let projection = Projection::new(&frame.camera, Vec2::new(size.x, size.y));
    let painter = ctx.layer_painter(LayerId::background());
    if options.bones {
        paint_bones(&painter, cast, frame, &projection);
    }
    if options.names {
        let mut taken = Vec::new();
        for (label, seen) in nearest(&cast.labels, &frame.poses, &projection) {
            paint_name(&painter, &label.text, pos(seen), &mut taken);
        }
    }
}

/// The nearest names in the picture, nearest first.
fn nearest<'a>(
    labels: &'a [Label],
    poses: &[Affine],
    projection: &Projection,
) -> Vec<(&'a Label, Seen)> {
    let mut seen: Vec<_> = labels
        .iter()
        .filter_map(|label| Some((label, projection.see(place(poses, label.node)?)?)))
        .filter(|(_, seen)| projection.shows(seen))
        .collect();
    seen.sort_by(|(_, a), (_, b)| a.depth.total_cmp(&b.depth));
    seen.truncate(N_NAMES);
    seen
}

fn paint_bones(painter: &Painter, cast: &Cast, frame: &FrameState, projection: &Projection) {
    let see = |node: usize| projection.see(place(&frame.poses, node)?);
    for (node, carrier) in cast.carriers.iter().enumerate() {
        let Some(end) = see(node).filter(|seen| projection.shows(seen)) else {
            continue;
        };
        painter.circle_filled(pos(end), JOINT_RADIUS, BONE);
        if let Some(start) = carrier.and_then(see) {
            painter.line_segment([pos(start), pos(end)], Stroke::new(1.5, BONE));
        }
    }
}

/// Light on dark, beside its place; not over another name.
fn paint_name(painter: &Painter, text: &str, at: Pos2, taken: &mut Vec<Rect>) {
    let color = Color32::from_rgb(235, 238, 242);
    let beside = at + vec2(6.0, 0.0);
    let galley = painter.layout_no_wrap(text.to_owned(), FontId::proportional(11.5), color);
    let area = Align2::LEFT_CENTER
        .anchor_size(beside, galley.size())
        .expand(2.0);
    if taken.iter().any(|other| other.intersects(area)) {
        return;
    }
    painter.rect_filled(area, 2.0, Color32::from_black_alpha(130));
    painter.galley(area.shrink(2.0).min, galley, color);
    taken.push(area);
}

fn place(poses: &[Affine], node: usize) -> Option<Vec3> {
    let Affine([x, y, z]) = poses.get(node)?;
    Some(Vec3::new(x[3], y[3], z[3]))
}

fn pos(seen: Seen) -> Pos2 {
    Pos2::new(seen.at.x, seen.at.y)
}

#[cfg(test)]
mod tests {
    use ironlands::renderer::Camera;

    use super::*;

    fn standing_at(x: f32) -> Affine {
        let mut affine = Affine::IDENTITY;
        affine.0[0][3] = x;
        affine
    }

    #[test]
    fn the_nearest_names_come_first_and_those_behind_not_at_all() {
        let poses: Vec<_> = [-5.0, 70.0, 3.0].map(standing_at).into();
        let labels: Vec<_> = (0..4)
            .map(|node| Label {
                node,
                text: format!("node {node}"),
            })
            .collect();
        let projection = Projection::new(&Camera::default(), Vec2::new(640.0, 360.0));
        let shown = nearest(&labels, &poses, &projection);
        let nodes: Vec<_> = shown.iter().map(|(label, _)| label.node).collect();
        assert_eq!(nodes, [2, 1], "0 is behind, 3 has no pose");
    }

    #[test]
    fn of_many_names_the_nearest_are_painted() {
        let poses: Vec<_> = (0..80).map(|i| standing_at(100.0 - i as f32)).collect();
        let labels: Vec<_> = (0..80)
            .map(|node| Label {
                node,
                text: "tree".to_owned(),
            })
            .collect();
        let projection = Projection::new(&Camera::default(), Vec2::new(640.0, 360.0));
        let shown = nearest(&labels, &poses, &projection);
        assert_eq!(shown.len(), N_NAMES);
        assert!(shown.iter().all(|(label, _)| label.node >= 30));
    }
}
