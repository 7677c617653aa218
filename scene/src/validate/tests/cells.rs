//! Cells, areas and occluders that are refused.

use super::*;

fn visibility(scene: &mut Scene) -> &mut Visibility {
    scene.visibility.as_mut().expect("the scene has cells")
}

#[test]
fn cells_exist_and_the_tree_leads_to_them() {
    assert_refused(&[
        ("of a cluster", "meshes[0].clusters", 0, |it| {
            it.meshes[0].clusters[0].cells.push(2);
        }),
        ("of an instance", "instances", 0, |it| {
            it.instances[0].cells.push(2)
        }),
        ("where there are none", "meshes[0].clusters", 0, |it| {
            it.visibility = None
        }),
        ("a node before", "visibility.nodes", 1, |it| {
            visibility(it).nodes[1].children[0] = 1
        }),
        ("a missing node", "visibility.nodes", 0, |it| {
            visibility(it).nodes[0].children[0] = 2
        }),
        ("a missing leaf", "visibility.nodes", 1, |it| {
            visibility(it).nodes[1].children[1] = i32::MIN;
        }),
        ("a plane", "visibility.nodes", 0, |it| {
            visibility(it).nodes[0].plane[3] = f32::NAN;
        }),
        ("no leaf", "visibility.leaf_cells", 0, |it| {
            visibility(it).nodes.clear();
            visibility(it).leaf_cells.clear();
        }),
        ("of a leaf", "visibility.leaf_cells", 0, |it| {
            visibility(it).leaf_cells[0] = Some(2);
        }),
        ("a row", "visibility.rows", 0, |it| {
            visibility(it).rows[0] = Some(1)
        }),
    ]);
}

#[test]
fn portals_lead_elsewhere_and_what_hides_is_a_polygon() {
    assert_refused(&[
        ("a cell more", "areas.of_cells", 3, |it| {
            it.areas.of_cells.push(None);
        }),
        ("back to its area", "areas.portals", 0, |it| {
            it.areas.portals[0].areas = [1, 1];
        }),
        ("of a cell", "areas.of_cells", 1, |it| {
            it.areas.of_cells[1] = Some(MAX_AREAS);
        }),
        ("beyond all areas", "areas.portals", 0, |it| {
            it.areas.portals[0].areas = [1, MAX_AREAS];
        }),
        ("two corners", "areas.portals", 0, |it| {
            it.areas.portals[0].corners.truncate(2);
        }),
        ("a corner", "areas.portals", 0, |it| {
            it.areas.portals[0].corners[2][1] = f32::NAN;
        }),
        ("a distance", "areas.portals", 0, |it| {
            it.areas.portals[0].max_distance = f32::NAN;
        }),
        ("no corners", "occluders", 0, |it| {
            it.occluders[0].polygons.push(Vec::new());
        }),
    ]);
}
