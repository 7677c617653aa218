//! Where faces with two materials meet faces with one.

use super::samples::terrain;
use super::*;
use ironlands_assets_core::format::Format;
use ironlands_assets_core::report::{Report, Scope};

#[test]
fn borders_of_second_materials_tell_whether_both_bytes_name_one_table() {
    // Tile 0 has one material, 1 blends from it to 2, tile 1 has 2; in tile 1 both faces wear it.
    let mut land = terrain(3, 1);
    let borders = |land: &LandMsh| {
        let MaterialBorders {
            n_second,
            n_first,
            n_other,
        } = land.material_borders();
        [n_second, n_first, n_other]
    };
    assert_eq!(borders(&land), [0, 0, 0]);
    let worn = [(0, 0xFF), (0, 0xFF), (0, 2), (0, 2), (2, 0xFF), (2, 0xFF)];
    for (face, worn) in land.faces.iter_mut().zip(worn) {
        (face.first_material, face.second_material) = worn;
    }
    // Vertices stand in columns of two, from west to east.
    land.second_weights = Some(vec![1.0, 1.0, 0.0, 0.0, 1.0, 1.0, 1.0, 1.0]);
    assert_eq!(borders(&land), [1, 1, 0]);
    assert_eq!(land.second_weight(2), 0.0);
    land.second_weights.as_mut().unwrap()[4] = 0.5;
    assert_eq!(borders(&land), [0, 1, 1]);
    land.faces[1].first_material = 9;
    land.faces[0].first_material = 9;
    assert_eq!(borders(&land), [0, 0, 2]);
    land.second_weights = None;
    assert_eq!(land.second_weight(2), 1.0, "opaque without weights");
}

#[test]
fn rules_of_the_game_are_counted() {
    let mut land = terrain(3, 1);
    let fits = |land: &LandMsh, rule: &str| {
        let mut report = Report::new("Land.msh".as_ref(), Scope::File, FORMAT);
        land.describe(&mut report);
        let fit = report.fits.into_iter().find(|fit| fit.rule.contains(rule));
        fit.map(|fit| (fit.n_fitting, fit.n_all))
    };
    land.second_weights = Some(vec![1.0; land.positions.len()]);
    let n_vertices = land.positions.len() as u64;
    assert_eq!(fits(&land, "have weight 1"), Some((n_vertices, n_vertices)));
    land.second_weights.as_mut().unwrap()[3] = 0.5;
    assert_eq!(
        fits(&land, "have weight 1"),
        Some((n_vertices - 1, n_vertices))
    );
    land.second_weights = None;
    assert_eq!(fits(&land, "have weight 1"), None);

    for face in &mut land.faces {
        face.normal = [0, 0, 32767];
    }
    let n_faces = land.faces.len() as u64;
    assert_eq!(fits(&land, "unit length"), Some((n_faces, n_faces)));
    let (n_up, _) = fits(&land, "counter-clockwise").unwrap();
    land.faces[0].normal = [0, 0, -32767];
    let (n_less, _) = fits(&land, "counter-clockwise").unwrap();
    assert_eq!(n_up.abs_diff(n_less), 1);
    land.faces[0].normal = [0, 0, 16000];
    assert_eq!(fits(&land, "unit length"), Some((n_faces - 1, n_faces)));

    // A unit of the world is 51.2 units of the microtexture.
    land.micro_uv = land
        .positions
        .iter()
        .map(|[x, y, _]| [x, y].map(|c| (c * 51.2).round() as i16))
        .collect();
    let (n_turned, n_sides) = fits(&land, "once in 20 units").unwrap();
    assert_eq!((n_turned, n_sides), (3 * n_faces, 3 * n_faces));
    let [u, v] = land.micro_uv[0];
    land.micro_uv[0] = [u + 40, v];
    assert!(fits(&land, "once in 20 units").unwrap().0 < n_turned);
}
