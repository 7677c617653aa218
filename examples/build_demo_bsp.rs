//! Compiles the demo map, which is made of brushes in code, and writes it as a map of version 19.
//!
//! ```sh
//! cargo run --release --example build_demo_bsp -- demo.bsp
//! ```
//!
//! You should see what the compiler made of the brushes: faces, leaves, clusters, and how many of these see each
//! other; and find the file at the path given. One that is there is kept without `--force`. The same bytes come out on
//! every machine.
#![expect(clippy::print_stdout, reason = "what it prints is what it shows")]

use std::error::Error;
use std::path::Path;

use ironlands::console::output::{Existing, write_file};
use ironlands::worlds::source::formats::bsp::{BspFile, Map};
use ironlands_demo::source_map;

fn main() -> Result<(), Box<dyn Error>> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let is_forced = args.iter().any(|arg| arg == "--force");
    let Some(path) = args.iter().find(|arg| *arg != "--force") else {
        return Err("usage: build_demo_bsp NEW.bsp [--force]".into());
    };

    let bytes = source_map::demo_file()?;
    let map = Map::read(&BspFile::read(&bytes)?)?;
    let brushes = (map.brushes.len(), map.brush_sides.len());
    println!("{:6} brushes with {} sides", brushes.0, brushes.1);
    println!("{:6} faces", map.faces.len());
    println!(
        "{:6} nodes and {} leaves",
        map.nodes.len(),
        map.leaves.len()
    );
    let clusters = map.leaves.iter().filter(|leaf| leaf.cluster >= 0);
    println!("{:6} of them belong to the level", clusters.count() - 1);
    println!("{:6} bytes of light", map.lighting.len());

    let existing = if is_forced {
        Existing::Replace
    } else {
        Existing::Keep
    };
    write_file(Path::new(path), existing, &bytes)?;
    println!("\n{path}: {} bytes", bytes.len());
    Ok(())
}
