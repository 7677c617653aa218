//! Names and bones of models, where they are seen in the picture.

use crate::renderer::FrameState;
use crate::scene::Affine;
use egui::{Align2, Color32, FontId, LayerId, Painter, Pos2, Rect, Stroke, vec2};
use glam::{Vec2, Vec3};

use crate::model_contents::ModelContents;
use crate::model_options::ModelOptions;
use crate::projection::{Projection, Seen};

/// Most names at once: the nearest.
const N_NAMES: usize = 50;
/// Most bones at once: the nearest; more than any single model has.
const N_BONES: usize = 1000;
const BONE: Color32 = Color32::from_rgb(255, 170, 60);
const JOINT_RADIUS: f32 = 2.5;

/// Paints what `options` enables over the frame, which is in `area`, but no name that would be under `panel`.
pub fn paint(
    ctx: &egui::Context,
    (contents, frame): (&ModelContents, &FrameState),
    options: &ModelOptions,
    area: Rect,
    panel: Option<Rect>,
) {
    let [left_top, size] = [area.min.to_vec2(), area.size()].map(|it| Vec2::new(it.x, it.y));
    let projection = Projection::new(&frame.camera, size).beginning_at(left_top);
    let painter = ctx.layer_painter(LayerId::background());
    let painter = painter.with_clip_rect(area);
    let mut taken: Vec<Rect> = panel.into_iter().collect();
    if options.bones {
        let joints = 0..contents.carriers.len();
        let joints = nearest(joints, |joint| *joint, N_BONES, frame, &projection, &taken);
        paint_bones(&painter, contents, frame, &projection, &joints);
    }
    if options.names {
        let labels = contents.labels.iter();
        let labels = nearest(labels, |it| it.node, N_NAMES, frame, &projection, &taken);
        for (label, seen) in labels {
            paint_name(&painter, &label.text, pos(seen), &mut taken);
        }
    }
}

/// The nearest things in the picture that stand at nodes and not where something else is, nearest first.
fn nearest<T>(
    things: impl Iterator<Item = T>,
    node_of: impl Fn(&T) -> usize,
    most: usize,
    frame: &FrameState,
    projection: &Projection,
    taken: &[Rect],
) -> Vec<(T, Seen)> {
    let is_free = |seen: &Seen| !taken.iter().any(|rect| rect.contains(pos(*seen)));
    let mut seen: Vec<_> = things
        .filter_map(|thing| {
            let seen = projection.see(place(&frame.poses, node_of(&thing))?)?;
            Some((thing, seen))
        })
        .filter(|(_, seen)| projection.shows(seen) && is_free(seen))
        .collect();
    seen.sort_by(|(_, a), (_, b)| a.depth.total_cmp(&b.depth));
    seen.truncate(most);
    seen
}

fn paint_bones(
    painter: &Painter,
    contents: &ModelContents,
    frame: &FrameState,
    projection: &Projection,
    joints: &[(usize, Seen)],
) {
    let see = |node: usize| projection.see(place(&frame.poses, node)?);
    for (node, end) in joints {
        let end = pos(*end);
        painter.circle_filled(end, JOINT_RADIUS, BONE);
        if let Some(start) = contents.carriers[*node].and_then(see) {
            painter.line_segment([pos(start), end], Stroke::new(1.5, BONE));
        }
    }
}

/// Light on dark, beside its place; not over other labels.
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
    use crate::renderer::Camera;

    use super::*;

    fn standing_at(x: f32) -> Affine {
        let mut affine = Affine::IDENTITY;
        affine.0[0][3] = x;
        affine
    }

    fn standing(xs: impl Iterator<Item = f32>) -> FrameState {
        FrameState {
            poses: xs.map(standing_at).collect(),
            ..FrameState::default()
        }
    }

    fn nearest_nodes(frame: &FrameState, most: usize, taken: &[Rect]) -> Vec<usize> {
        let projection = Projection::new(&Camera::default(), Vec2::new(640.0, 360.0));
        let nodes = 0..=frame.poses.len();
        let shown = nearest(nodes, |node| *node, most, frame, &projection, taken);
        shown.into_iter().map(|(node, _)| node).collect()
    }

    #[test]
    fn the_nearest_come_first_and_those_behind_not_at_all() {
        let frame = standing([-5.0, 70.0, 3.0].into_iter());
        let shown = nearest_nodes(&frame, N_NAMES, &[]);
        assert_eq!(shown, [2, 1], "0 is behind, 3 has no pose");
    }

    #[test]
    fn of_many_the_nearest_are_painted() {
        let frame = standing((0..80).map(|i| 100.0 - i as f32));
        let shown = nearest_nodes(&frame, N_NAMES, &[]);
        assert_eq!(shown.len(), N_NAMES);
        assert!(shown.iter().all(|node| *node >= 30));
    }

    #[test]
    fn what_the_panel_covers_takes_no_place_of_what_is_seen() {
        let mut frame = standing([5.0, 6.0].into_iter());
        frame.poses[1].0[1][3] = 2.0;
        let projection = Projection::new(&Camera::default(), Vec2::new(640.0, 360.0));
        let covered = projection.see(Vec3::new(5.0, 0.0, 0.0)).unwrap();
        let panel = Rect::from_center_size(pos(covered), vec2(20.0, 20.0));
        assert_eq!(nearest_nodes(&frame, 1, &[]), [0]);
        assert_eq!(nearest_nodes(&frame, 1, &[panel]), [1]);
    }
}
