//! Indices of lumps 22 to 25: where one leads nowhere, they hold something else than the version says.

use super::Records;
use crate::bsp::file::BspFile;
use crate::bsp::lump_id::LumpId;
use crate::bsp::map::{FaceBrushes, Map, PropCollision, ReusedLumps, VisPortals};
use ironlands_assets_core::bytes::FormatError;

pub(in crate::bsp) fn verify_reused(
    lumps: &ReusedLumps,
    map: &Map,
    file: &BspFile,
) -> Result<(), FormatError> {
    match lumps {
        ReusedLumps::Empty => Ok(()),
        ReusedLumps::Portals(portals) => verify_portals(portals, map, file),
        ReusedLumps::PropCollision(props) => verify_props(props, file),
        ReusedLumps::FaceBrushes(brushes) => verify_face_brushes(brushes, map, file),
    }
}

fn verify_portals(lumps: &VisPortals, map: &Map, file: &BspFile) -> Result<(), FormatError> {
    let records = Records::new(file, LumpId::Portals, &lumps.portals);
    let mut vertices = records.ranges("vertices", lumps.vertex_indices.len());
    for (i, portal) in lumps.portals.iter().enumerate() {
        vertices.take(i, portal.first_vertex, portal.n_vertices)?;
        records.index(i, "plane", portal.plane, map.planes.len())?;
        for cluster in portal.clusters {
            records.index(i, "cluster", cluster, lumps.clusters.len())?;
        }
    }
    let records = Records::new(file, LumpId::Clusters, &lumps.clusters);
    let mut portals = records.ranges("portals", lumps.portal_indices.len());
    for (i, cluster) in lumps.clusters.iter().enumerate() {
        portals.take(i, cluster.first_portal, cluster.n_portals)?;
    }
    let tables = [
        (
            LumpId::PortalVerts,
            &lumps.vertex_indices,
            map.vertices.len(),
        ),
        (
            LumpId::ClusterPortals,
            &lumps.portal_indices,
            lumps.portals.len(),
        ),
    ];
    for (id, indices, limit) in tables {
        let records = Records::new(file, id, indices);
        for (i, index) in indices.iter().enumerate() {
            records.index(i, "index", *index, limit)?;
        }
    }
    Ok(())
}

fn verify_props(lumps: &PropCollision, file: &BspFile) -> Result<(), FormatError> {
    let records = Records::new(file, LumpId::Portals, &lumps.props);
    for (i, prop) in lumps.props.iter().enumerate() {
        // Whether props of one model share hulls is not known, so each range is looked at alone.
        let mut hulls = records.ranges("hulls", lumps.hulls.len());
        hulls.take(i, prop.first_hull, prop.n_hulls)?;
    }
    let records = Records::new(file, LumpId::Clusters, &lumps.hulls);
    for (i, hull) in lumps.hulls.iter().enumerate() {
        let mut vertices = records.ranges("vertices", lumps.vertices.len());
        vertices.take(i, hull.first_vertex, hull.n_vertices)?;
    }
    let records = Records::new(file, LumpId::PortalVerts, &lumps.vertices);
    for (i, vertex) in lumps.vertices.iter().enumerate() {
        records.finite(i, "point", vertex)?;
    }
    Ok(())
}

fn verify_face_brushes(lumps: &FaceBrushes, map: &Map, file: &BspFile) -> Result<(), FormatError> {
    let records = Records::new(file, LumpId::Clusters, &lumps.lists);
    let mut brushes = records.ranges("brushes", lumps.brushes.len());
    for (i, list) in lumps.lists.iter().enumerate() {
        match list.n_brushes {
            1 => records.index(i, "brush", list.start, map.brushes.len())?,
            n_brushes => brushes.take(i, list.start, n_brushes)?,
        }
    }
    let records = Records::new(file, LumpId::Portals, &lumps.brushes);
    for (i, brush) in lumps.brushes.iter().enumerate() {
        records.index(i, "index", *brush, map.brushes.len())?;
    }
    Ok(())
}
