//! The contents of a written OBJ.

use crate::common::{Walker, walker};
use ironlands_assets_parkan::msh::NodeTable;
use ironlands_world_parkan::exchange::{ObjFiles, ObjOptions, write_obj};

fn files(walker: &Walker, state: u8, lod: u8) -> ObjFiles {
    let options = ObjOptions {
        state,
        lod,
        stem: "my walker".to_owned(),
    };
    write_obj(&walker.source(), &options).unwrap()
}

fn lines<'a>(obj: &'a str, word: &str) -> Vec<&'a str> {
    let prefix = format!("{word} ");
    obj.lines()
        .filter_map(|line| line.strip_prefix(&prefix))
        .collect()
}

#[test]
fn an_obj_shows_the_nodes_at_rest_with_y_up() {
    let ObjFiles { obj, .. } = files(&walker(), 0, 0);
    assert_eq!(lines(&obj, "mtllib"), ["my_walker.mtl"]);
    assert_eq!(lines(&obj, "g"), ["base", "Рука"]);
    assert_eq!(lines(&obj, "usemtl"), ["HULL", "GRATE", "GLASS"]);
    let vertices = lines(&obj, "v");
    // x, z, -y; the arm is 5 above the base.
    assert_eq!(vertices[1], "2 0.25 0");
    assert_eq!(vertices[2], "2 0 -2");
    assert_eq!(vertices[4..], ["0 5 0", "1 5 0", "0 6 0"]);
    assert_eq!(lines(&obj, "vn")[4], "0 0 1");
    // 1 - v: stored 924 / 1024.
    assert_eq!(lines(&obj, "vt")[1], "0.29296875 0.09765625");
    assert_eq!(
        lines(&obj, "f"),
        [
            "1/1/1 2/2/2 3/3/3",
            "1/1/1 3/3/3 4/4/4",
            "5/5/5 6/6/6 7/7/7"
        ]
    );
}

#[test]
fn states_and_lods_are_chosen_and_finer_ones_serve() {
    let coarse = files(&walker(), 0, 3).obj;
    assert_eq!(lines(&coarse, "f")[0], "1/1/1 2/2/2 3/3/3");
    assert_eq!(
        lines(&coarse, "v")[2],
        "0 0.1 -2",
        "the fourth vertex of the model"
    );
    let destroyed = files(&walker(), 1, 0).obj;
    assert_eq!(lines(&destroyed, "g"), ["base"], "the arm shows nothing");
    let options = ObjOptions {
        state: 2,
        lod: 1,
        stem: "walker".to_owned(),
    };
    let error = write_obj(&walker().source(), &options).unwrap_err();
    assert_eq!(
        error.to_string(),
        "it shows no face in state 2 at level of detail 1"
    );
}

#[test]
fn the_mtl_names_pictures_and_colors() {
    let ObjFiles { mtl, pngs, .. } = files(&walker(), 0, 0);
    assert_eq!(lines(&mtl, "newmtl"), ["HULL", "GRATE", "GLASS"]);
    assert_eq!(lines(&mtl, "Kd")[0], "0.5 1 1");
    assert_eq!(lines(&mtl, "d"), ["1", "1", "0.5"]);
    assert_eq!(
        lines(&mtl, "map_Kd"),
        ["my_walker_0.png", "my_walker_1.png", "my_walker_1.png"]
    );
    let names: Vec<&str> = pngs.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(names, ["my_walker_0.png", "my_walker_1.png"]);
    let picture = image::load_from_memory(&pngs[1].1).unwrap().to_rgba8();
    assert_eq!(picture.into_raw(), walker().textures[1].mips[0]);
}

#[test]
fn rows_of_one_name_stay_apart() {
    let mut twins = walker();
    twins.wear.materials[1].name = b"HULL".to_vec();
    let ObjFiles { obj, mtl, .. } = files(&twins, 0, 0);
    assert_eq!(lines(&obj, "usemtl"), ["HULL", "HULL_1", "GLASS"]);
    assert_eq!(lines(&mtl, "newmtl"), ["HULL", "HULL_1", "GLASS"]);
}

#[test]
fn nodes_that_no_one_can_read_are_one_group() {
    let mut outlier = walker();
    outlier.msh.nodes = NodeTable::Stride24(vec![[7; 24]; 3]);
    let obj = files(&outlier, 0, 0).obj;
    assert_eq!(lines(&obj, "g"), ["all_batches"]);
    assert_eq!(lines(&obj, "f").len(), 4);
}
