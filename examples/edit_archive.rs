//! Changes one material of an NRes archive and nothing else, and writes the result to a new file.
//!
//! ```sh
//! cargo run --example edit_archive -- DATA/Material.lib GRASS edited.lib
//! ```
//!
//! You should see the archive's entries, then how many bytes of the file changed: those of one color. As
//! `Material.lib` of a copied `DATA` the new file paints the grass red.
#![expect(clippy::print_stdout, reason = "what it prints is what it shows")]

use std::error::Error;
use std::fs;
use std::path::Path;

use ironlands::console::output::{Existing, write_file};
use ironlands::worlds::parkan::formats::mat0::Mat0;
use ironlands::worlds::parkan::formats::nres::NRes;

fn main() -> Result<(), Box<dyn Error>> {
    let mut args = std::env::args().skip(1);
    let (Some(from), Some(name), Some(to)) = (args.next(), args.next(), args.next()) else {
        return Err("usage: edit_archive Material.lib MATERIAL NEW.lib".into());
    };

    let original = fs::read(&from)?;
    let mut archive = NRes::read(&original)?;
    for entry in &archive.entries {
        println!("{:36} {:6} bytes", entry.name_text(), entry.data.len());
    }
    // What is not understood is kept as it is, so an untouched archive comes out byte for byte.
    assert_eq!(archive.write()?, original);

    let index = archive
        .find(name.as_bytes())
        .ok_or_else(|| format!("{from} has no entry {name}"))?;
    let entry = &mut archive.entries[index];
    let mut material = Mat0::read(&entry.data, entry.attr2)?;
    for phase in &mut material.phases {
        let [_, _, _, alpha] = phase.diffuse;
        phase.diffuse = [255, 40, 40, alpha];
    }
    entry.data = material.write()?;

    let edited = archive.write()?;
    let n_changed = original.iter().zip(&edited).filter(|(a, b)| a != b).count();
    write_file(Path::new(&to), Existing::Keep, &edited)?;
    println!(
        "\n{to}: {} bytes, {n_changed} of them changed",
        edited.len()
    );
    Ok(())
}
