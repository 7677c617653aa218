//! Poses a model as the original does, and prints where its nodes are over time. Needs no graphics.
//!
//! ```sh
//! cargo run --example pose_model -- DATA/bases.rlb/WALKER.MSH 0 6 12 18 24
//! ```
//!
//! You should see a row for each node with its name, and its place at each of the frames: at 24 the walk is back where
//! it was at 0.

#![expect(clippy::print_stdout, reason = "what it prints is what it shows")]

use std::error::Error;
use std::path::Path;

use ironlands::scene::MaterialIdx;
use ironlands::sim::animation::{Instance, Playback, RowMatrix};
use ironlands::worlds::parkan::formats::model_scene::{FirstNode, to_model};
use ironlands::worlds::parkan::skeleton::{self, Bounds};
use ironlands::worlds::parkan::{ParkanOptions, open_model};

fn main() -> Result<(), Box<dyn Error>> {
    let mut args = std::env::args().skip(1);
    let path = args.next().ok_or("usage: pose_model MODEL FRAME...")?;
    let frames = args
        .map(|frame| frame.parse())
        .collect::<Result<Vec<f32>, _>>()?;
    let model = open_model(Path::new(&path), &ParkanOptions::default())?.files;
    let skeleton = skeleton::from_model(&model.msh, Bounds::Strict)?;
    let pose = |frame: &f32| {
        let mut matrices = vec![RowMatrix::IDENTITY; skeleton.n_nodes()];
        let instance = Instance {
            world_from_model: RowMatrix::IDENTITY,
            playback: Playback::at(*frame),
        };
        skeleton.pose(&instance, &mut matrices);
        matrices
    };
    let poses: Vec<_> = frames.iter().map(pose).collect();
    let scene_model = to_model(&model.name, &model.msh, FirstNode::Own, &mut |_| {
        MaterialIdx(0)
    });
    for (idx, node) in scene_model.nodes.iter().enumerate() {
        let places = poses.iter().map(|pose| {
            let place = pose[idx].to_mat4().w_axis;
            format!("{:6.2} {:6.2} {:6.2}", place.x, place.y, place.z)
        });
        println!(
            "{:>16}  {}",
            node.name,
            places.collect::<Vec<_>>().join("  |  ")
        );
    }
    Ok(())
}
