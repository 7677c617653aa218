//! What is checked of each file.

use std::collections::{BTreeSet, HashSet};
use std::fmt::Debug;

use ironlands_assets_core::bytes::Severity;
use ironlands_assets_source::bsp::{
    Brush, BspFile, DisplacementGrid, LumpId, Map, PhysModel, ReusedLumps, SurfaceFlags, Uncertain,
    Visibility,
};
use ironlands_assets_source::collision::{Hull, Shape};
use libtest_mimic::Failed;

use super::Subject;

/// A check; the error says what differs.
type Check = fn(&Subject) -> Result<(), Failed>;

pub const TRIALS: [(&str, Check); 13] = [
    ("counts", counts),
    ("light", light),
    ("places", places),
    ("untouched_file_is_the_same_bytes", untouched_file),
    ("typed_lumps_are_the_same_bytes", typed_lumps),
    ("edited_lump_moves_the_others", edited_lump),
    ("rules_of_the_compilers_hold", rules),
    ("triangles_cover_faces_and_turn_left", triangles),
    ("displacements_meet_at_their_edges", displacements),
    ("uncertain_lumps_have_types", uncertain_lumps),
    ("entities", entities),
    ("model_brushes_are_apart", model_brushes),
    (
        "physics_hulls_are_the_brushes_of_their_models",
        physics_hulls,
    ),
];

/// Compares and names what differs.
fn same<T: PartialEq + Debug>(what: &str, found: T, expected: T) -> Result<(), Failed> {
    if found == expected {
        return Ok(());
    }
    Err(format!("{what}: {found:?}, expected {expected:?}").into())
}

fn failed(error: impl ToString) -> Failed {
    error.to_string().into()
}

fn counts(subject: &Subject) -> Result<(), Failed> {
    let Subject {
        expected: e,
        file,
        map,
        ..
    } = subject;
    same("version", file.version, e.version)?;
    same("revision", file.map_revision, e.map_revision)?;
    same("bytes", subject.data.len(), e.n_bytes)?;
    same("planes", map.planes.len(), e.planes)?;
    same("vertices", map.vertices.len(), e.vertices)?;
    same("edges", map.edges.len(), e.edges)?;
    same("surfedges", map.surfedges.len(), e.surfedges)?;
    same("faces", map.faces.len(), e.faces)?;
    same("HDR faces", map.faces_hdr.len(), e.faces_hdr)?;
    same("originals", map.original_faces.len(), e.original_faces)?;
    let corners: usize = map.faces.iter().map(|face| map.ring(face).len()).sum();
    same("corners", corners, e.vertex_normal_indices)?;
    let n = map.vertex_normal_indices.len();
    same("vertex normal indices", n, e.vertex_normal_indices)?;
    same("normals", map.vertex_normals.len(), e.vertex_normals)?;
    let n = map.faces.iter().filter(|face| face.disp_info >= 0).count();
    same("displacement faces", n, e.displacement_faces)?;
    let n = map.faces.iter().filter(|face| face.on_node == 0).count();
    same("faces off nodes", n, e.faces_off_node)?;
    let sky = SurfaceFlags::SKY | SurfaceFlags::SKY_2D;
    let special = [sky, SurfaceFlags::TRIGGER].map(|flags| count_with(map, flags));
    same("sky and trigger faces", special, e.sky_and_trigger_faces)?;
    let n = map.faces.iter().filter(|f| f.n_primitives > 0).count();
    same("faces with primitives", n, e.faces_with_primitives)?;
    same("primitives", map.primitives.len(), e.primitives)?;
    let n = map.primitive_indices.len();
    same("primitive indices", n, e.primitive_indices)?;
    let area: f64 = map.faces.iter().map(|face| f64::from(face.area)).sum();
    if (area - e.face_area).abs() > 0.05 + e.face_area * 1e-8 {
        return Err(format!("area: {area}, expected {}", e.face_area).into());
    }
    let n = [
        map.texinfos.len(),
        map.texdata.len(),
        map.texture_name_offsets.len(),
    ];
    same("textures", n, e.texinfos_texdata_names)?;
    same("models", map.models.len(), e.models)?;
    same("nodes", map.nodes.len(), e.nodes)?;
    same("tree depth", tree_depth(map), e.tree_depth)?;
    same("leaves", map.leaves.len(), e.leaves)?;
    let n = map.leaves.iter().filter(|leaf| leaf.contents & 1 != 0);
    same("solid leaves", n.count(), e.solid_leaves)?;
    let n = [map.leaf_faces.len(), map.leaf_brushes.len()];
    same("faces and brushes of leaves", n, e.leaf_faces_and_brushes)?;
    let bevels = map.brush_sides.iter().filter(|side| side.bevel != 0);
    let n = [map.brushes.len(), map.brush_sides.len(), bevels.count()];
    same("brushes, sides, bevels", n, e.brushes_sides_bevels)?;
    let n = [map.areas.len(), map.area_portals.len()];
    same("areas and portals", n, e.areas_and_portals)?;
    let n = [
        map.disp_infos.len(),
        map.disp_verts.len(),
        map.disp_tris.len(),
    ];
    same("displacements", n, e.disp_infos_verts_tris)?;
    let visibility = map.visibility.as_ref().ok_or("no visibility")?;
    let bits = visibility.row_offsets.iter().map(|[seen, _]| {
        let row = visibility.row(*seen);
        row.iter().map(|b| b.count_ones() as usize).sum::<usize>()
    });
    let n = [visibility.n_clusters(), bits.sum()];
    same("clusters and what they see", n, e.clusters_and_bits)?;
    same("entities", subject.entities.entities.len(), e.entities)?;
    same("cubemaps", map.cubemaps.len(), e.cubemaps)?;
    let n = [map.world_lights.len(), map.world_lights_hdr.len()];
    same("lights", n, e.world_lights)?;
    let n = [map.ambient_samples.len(), map.ambient_samples_hdr.len()];
    same("ambient samples", n, e.ambient_samples)
}

fn count_with(map: &Map, flags: SurfaceFlags) -> usize {
    let of = |texinfo: i32| map.texinfos.get(usize::try_from(texinfo).ok()?);
    let faces = map.faces.iter().filter_map(|face| of(face.texinfo));
    faces
        .filter(|t| SurfaceFlags::from_bits_retain(t.flags).intersects(flags))
        .count()
}

/// Nodes and leaf on the longest way down from the root of the world.
fn tree_depth(map: &Map) -> usize {
    let mut deepest = 0;
    let mut waiting = vec![(map.models[0].head_node, 1)];
    while let Some((child, depth)) = waiting.pop() {
        deepest = deepest.max(depth);
        if let Ok(index) = usize::try_from(child) {
            waiting.extend(map.nodes[index].children.map(|child| (child, depth + 1)));
        }
    }
    deepest
}

fn light(subject: &Subject) -> Result<(), Failed> {
    let Subject {
        expected: e, map, ..
    } = subject;
    let faces = map.faces_of(map.default_face_set());
    let (lit, unlit): (Vec<_>, Vec<_>) = faces
        .iter()
        .partition(|face| face.light_offset != -1 && face.styles[0] != 255);
    same("lit faces", lit.len(), e.lit_faces)?;
    same("unlit faces", unlit.len(), e.unlit_faces)?;
    let is_bumped = |texinfo: i32| map.texinfos[texinfo as usize].flags & 0x800 != 0;
    let n = lit.iter().filter(|face| is_bumped(face.texinfo)).count();
    same("bumped faces", n, e.bumped_faces)?;
    let sizes = lit
        .iter()
        .map(|face| face.lightmap_size.map(|size| size + 1));
    let largest = sizes.max_by_key(|[width, height]| width * height);
    same("largest lightmap", largest, Some(e.largest_lightmap))?;
    let n = [map.lighting.len(), map.lighting_hdr.len()];
    same("bytes of light", n, e.lighting_bytes)?;
    let styles: BTreeSet<u8> = lit
        .iter()
        .flat_map(|face| face.styles)
        .filter(|style| !matches!(style, 0 | 255))
        .collect();
    let styles: Vec<u8> = styles.into_iter().collect();
    same("styles", styles.as_slice(), e.other_styles)?;
    same("map flags", map.flags, e.map_flags)
}

fn places(subject: &Subject) -> Result<(), Failed> {
    let Subject {
        expected: e,
        map,
        entities,
        ..
    } = subject;
    let start = entities.of_class("info_player").next().ok_or("no start")?;
    let [x, y, z] = start.origin().ok_or("no origin")?;
    let eye = [x, y, z + 64.0];
    // The table has six digits.
    let is_near = eye.iter().zip(e.eye).all(|(a, b)| (a - b).abs() < 0.01);
    same(&format!("eye {eye:?}"), is_near, true)?;
    let index = map.leaf_at(map.models[0].head_node, eye);
    same("leaf", index, e.eye_leaf)?;
    let leaf = map.leaves[index];
    same("contents", leaf.contents, e.eye_contents)?;
    same("cluster", leaf.cluster, e.eye_cluster)?;
    same("area", leaf.area, e.eye_area)?;
    let visibility = map.visibility.as_ref().ok_or("no visibility")?;
    let rows = visibility.row_offsets[leaf.cluster as usize];
    let [seen, heard] = rows.map(|offset| clusters(visibility, offset));
    let leaves = map.leaves.iter().enumerate().skip(1);
    let faces: HashSet<u32> = leaves
        .filter(|(_, leaf)| seen.contains(&leaf.cluster))
        .flat_map(|(i, _)| map.faces_of_leaf(i).iter().copied())
        .collect();
    let n = [seen.len(), heard.len(), faces.len()];
    same("seen, heard, faces", n, e.seen_heard_faces)
}

fn clusters(visibility: &Visibility, offset: i32) -> HashSet<i32> {
    let row = visibility.row(offset);
    let n_clusters = visibility.n_clusters() as i32;
    let is_set = |cluster: &i32| row[*cluster as usize / 8] >> (cluster % 8) & 1 != 0;
    (0..n_clusters).filter(is_set).collect()
}

fn untouched_file(subject: &Subject) -> Result<(), Failed> {
    let written = subject.file.write().map_err(failed)?;
    same("the same bytes", written == subject.data, true)?;
    same("findings", subject.file.check(), Vec::new())
}

fn typed_lumps(subject: &Subject) -> Result<(), Failed> {
    let Subject { file, map, .. } = subject;
    let lumps = map.encode(file).map_err(failed)?;
    same("lumps", lumps.len() >= 53, true)?;
    for (id, version, data) in lumps {
        if !data.is_empty() || !file.lump(id).is_empty() {
            same(
                &format!("version of {id:?}"),
                version,
                file.lump_version(id),
            )?;
            same(&format!("bytes of {id:?}"), data == file.lump(id), true)?;
        }
    }
    let mut again = file.clone();
    map.write_into(&mut again).map_err(failed)?;
    let written = again.write().map_err(failed)?;
    same("the same file", written == subject.data, true)
}

fn edited_lump(subject: &Subject) -> Result<(), Failed> {
    let Subject { file, data, .. } = subject;
    let entities = file.lump(LumpId::Entities);
    for n_more in [1, 3, 4, 4099] {
        let mut longer = entities.to_vec();
        longer.splice(0..0, vec![b'\n'; n_more]);
        let mut edited = file.clone();
        edited.set_lump(LumpId::Entities, 0, longer.clone());
        let written = edited.write().map_err(failed)?;
        let again = BspFile::read(&written).map_err(failed)?;
        same("entities", again.lump(LumpId::Entities), &longer)?;
        for id in LumpId::ALL {
            let is_untouched = !matches!(id, LumpId::Entities | LumpId::GameLump);
            if is_untouched && again.lump(id) != file.lump(id) {
                return Err(format!("{id:?} has changed").into());
            }
        }
        same(
            "game lump",
            game_lumps(&again, &written)?,
            game_lumps(file, data)?,
        )?;
        same("findings", again.check(), Vec::new())?;
        // Back again, all is as it was.
        let mut restored = again;
        restored.set_lump(LumpId::Entities, 0, entities.to_vec());
        let written = restored.write().map_err(failed)?;
        same("the restored file", written == *data, true)?;
    }
    Ok(())
}

/// Id and bytes of what the game lump leads to, by the offsets in the file.
fn game_lumps(file: &BspFile, data: &[u8]) -> Result<Vec<(u32, Vec<u8>)>, Failed> {
    let lump = file.lump(LumpId::GameLump);
    let word = |at: usize| u32::from_le_bytes(lump[at..at + 4].try_into().expect("four bytes"));
    let mut found = Vec::new();
    for row in (0..word(0) as usize).map(|i| 4 + 16 * i) {
        let (offset, len) = (word(row + 8) as usize, word(row + 12) as usize);
        let bytes = data.get(offset..offset + len).ok_or("out of the file")?;
        found.push((word(row), bytes.to_vec()));
    }
    same("some game lumps", found.is_empty(), false)?;
    Ok(found)
}

fn rules(subject: &Subject) -> Result<(), Failed> {
    let findings: Vec<_> = subject
        .map
        .check()
        .into_iter()
        .chain(subject.map.check_limits(subject.file.version))
        .filter(|finding| finding.severity > Severity::Note)
        .map(|finding| finding.message)
        .collect();
    same("findings", findings, Vec::new())
}

fn triangles(subject: &Subject) -> Result<(), Failed> {
    let Subject {
        expected: e, map, ..
    } = subject;
    let mut n_triangles = 0;
    for (i, face) in map.faces.iter().enumerate() {
        if let Ok(disp_info) = usize::try_from(face.disp_info) {
            let grid = DisplacementGrid::new(map, disp_info).map_err(failed)?;
            n_triangles += grid.triangles().len();
            continue;
        }
        let ring = map.ring(face);
        let normal = map.planes[face.plane as usize].normal;
        let mut triangles = Vec::new();
        map.triangles_of(face, &mut triangles);
        n_triangles += triangles.len();
        let areas = triangles.iter().map(|triangle| {
            let corners = triangle.map(|corner| ring[corner as usize]);
            signed_area(corners, normal)
        });
        let areas: Vec<f64> = areas.collect();
        same(
            &format!("face {i} turns left"),
            areas.iter().all(|a| *a > -0.5),
            true,
        )?;
        let (area, stored): (f64, _) = (areas.iter().sum(), f64::from(face.area));
        if (area - stored).abs() > 0.003 * stored {
            return Err(format!("face {i}: area {area}, stored {stored}").into());
        }
    }
    same("triangles", n_triangles, e.triangles)
}

/// Area of a triangle, positive if it turns left seen from where the normal points.
fn signed_area([a, b, c]: [[f32; 3]; 3], normal: [f32; 3]) -> f64 {
    let edge = |to: [f32; 3]| [0, 1, 2].map(|k| f64::from(to[k]) - f64::from(a[k]));
    let (u, v) = (edge(b), edge(c));
    let cross = [
        u[1] * v[2] - u[2] * v[1],
        u[2] * v[0] - u[0] * v[2],
        u[0] * v[1] - u[1] * v[0],
    ];
    let along: f64 = cross
        .iter()
        .zip(normal)
        .map(|(c, n)| c * f64::from(n))
        .sum();
    along / 2.0
}

fn displacements(subject: &Subject) -> Result<(), Failed> {
    let Subject {
        expected: e, map, ..
    } = subject;
    let grids = DisplacementGrid::all(map).map_err(failed)?;
    let mut n_neighbors = 0;
    for (i, disp) in map.disp_infos.iter().enumerate() {
        for (edge, neighbors) in disp.edge_neighbors.iter().enumerate() {
            for neighbor in neighbors.iter().filter(|n| n.disp_info != 0xFFFF) {
                let other = &grids[neighbor.disp_info as usize];
                let other_edge = (edge + 2 + usize::from(neighbor.orientation)) % 4;
                let [ours, theirs] = [(&grids[i], edge), (other, other_edge)].map(edge_of);
                same(&format!("displacements {i}, edge {edge}"), ours, theirs)?;
                n_neighbors += 1;
            }
        }
        let grid = &grids[i];
        same("bounds", grid.bounds(), plain_bounds(grid))?;
        same("tags", grid.tags.len(), grid.triangles().len())?;
        same("turns left", turns_left(grid), true)?;
    }
    same("neighbors", n_neighbors, e.edge_neighbors)
}

/// Lumps 22 to 25 and 28 of sections 1.3 and 7.7.
fn uncertain_lumps(subject: &Subject) -> Result<(), Failed> {
    let Subject {
        expected: e,
        file,
        map,
        ..
    } = subject;
    let Uncertain::Typed(disps) = &map.disp_hulls else {
        return Err(format!("{:?}", map.disp_hulls).into());
    };
    let found = disps.hulls.as_ref().map(|hulls| {
        let n_bytes: usize = hulls.iter().flatten().map(Vec::len).sum();
        [hulls.len(), n_bytes]
    });
    same(
        "hulls of displacements and their bytes",
        found,
        e.disp_hulls,
    )?;
    let used: Vec<LumpId> = (22..26)
        .map(|id| LumpId::ALL[id])
        .filter(|id| !file.lump(*id).is_empty())
        .collect();
    let faces = match map.reused_lumps.typed() {
        Some(ReusedLumps::Empty) => {
            same("lumps 22 to 25", used, Vec::new())?;
            0
        }
        Some(ReusedLumps::FaceBrushes(lumps)) => {
            same("lumps 22 to 25", used, vec![LumpId::Clusters])?;
            // The face lies on a side of the brush that it was made from: no rule of the reader's.
            for (face, list) in map.faces.iter().zip(&lumps.lists) {
                let brushes = lumps.brushes_of(list);
                same("brushes of a face", brushes.len(), 1)?;
                let sides = map.sides_of(&map.brushes[brushes[0] as usize]);
                let is_side = sides.iter().any(|side| side.plane == face.plane);
                same("a side on the plane of the face", is_side, true)?;
            }
            lumps.lists.len()
        }
        other => return Err(format!("{other:?}").into()),
    };
    same("faces with brushes", faces, e.face_brushes)
}

/// Places and normals along an edge: left, top, right, bottom.
fn edge_of((grid, edge): (&DisplacementGrid, usize)) -> Vec<([f32; 3], [f32; 3])> {
    let last = grid.side - 1;
    (0..grid.side)
        .map(|k| {
            let (row, column) = [(k, 0), (last, k), (k, last), (0, k)][edge];
            let index = row * grid.side + column;
            (grid.positions[index], grid.normals[index])
        })
        .collect()
}

fn plain_bounds(grid: &DisplacementGrid) -> [[f32; 3]; 2] {
    let component = |k: usize, pick: fn(f32, f32) -> f32| {
        let values = grid.positions.iter().map(|position| position[k]);
        values.reduce(pick).expect("vertices")
    };
    [f32::min, f32::max].map(|pick| [0, 1, 2].map(|k| component(k, pick)))
}

/// Whether the flat triangles are seen from where the face is.
fn turns_left(grid: &DisplacementGrid) -> bool {
    let [c0, c1, _, c3] = grid.corners;
    // Corners are clockwise, so this normal points at the viewer.
    let edge = |to: [f32; 3]| [0, 1, 2].map(|k| to[k] - c0[k]);
    let (u, v) = (edge(c3), edge(c1));
    let normal = [
        u[1] * v[2] - u[2] * v[1],
        u[2] * v[0] - u[0] * v[2],
        u[0] * v[1] - u[1] * v[0],
    ];
    grid.triangles().iter().all(|triangle| {
        let corners = triangle.map(|corner| grid.flat_positions[corner as usize]);
        signed_area(corners, normal) > 0.0
    })
}

fn entities(subject: &Subject) -> Result<(), Failed> {
    let Subject {
        expected: e,
        file,
        map,
        entities,
        ..
    } = subject;
    let written = entities.write().map_err(failed)?;
    same(
        "the same bytes",
        written == file.lump(LumpId::Entities),
        true,
    )?;
    same("findings", entities.check(), Vec::new())?;
    let outputs: usize = entities.entities.iter().map(|e| e.outputs().len()).sum();
    same("outputs", outputs, e.outputs)?;
    let world = entities.world().ok_or("no world")?;
    if file.version > 19 {
        let revision = world.integer("mapversion");
        same("map version", revision, Some(e.map_revision))?;
    }
    for entity in &entities.entities {
        if let Some(model) = entity.brush_model() {
            same("a brush model is there", model < map.models.len(), true)?;
        }
    }
    suns(subject)
}

/// The compiler's suns are those of the entities (section 8.3).
fn suns(subject: &Subject) -> Result<(), Failed> {
    let Subject { map, entities, .. } = subject;
    let lights = map.world_lights.iter().chain(&map.world_lights_hdr);
    for sun in lights.filter(|light| light.kind == 3) {
        let entity = entities.of_class("light_environment").next();
        let entity = entity.ok_or("a sun without an entity")?;
        let direction = entity.light_direction().ok_or("no direction")?;
        let light = entity.light("_light").ok_or("no light")?;
        let near = |a: [f32; 3], b: [f32; 3], limit: f32| {
            a.iter()
                .zip(b)
                .all(|(a, b)| (a - b).abs() <= limit * a.abs().max(1.0))
        };
        let found = (sun.normal, sun.intensity);
        let expected = (direction, light.intensity());
        let is_same = near(found.0, expected.0, 1e-5) && near(found.1, expected.1, 1e-4);
        same(&format!("sun {found:?} as {expected:?}"), is_same, true)?;
    }
    Ok(())
}

/// Brushes of models are ranges that do not meet, and together all brushes (section 7.1).
fn model_brushes(subject: &Subject) -> Result<(), Failed> {
    let map = &subject.map;
    let mut owners = vec![0; map.brushes.len()];
    for model in 0..map.models.len() {
        for brush in map.world_brushes(model) {
            owners[brush as usize] += 1;
        }
    }
    let twice = owners.iter().filter(|n| **n > 1).count();
    same("brushes of two models", twice, 0)
}

/// Hulls of the world lie within a brush, and together they are as large as the model; those of what moves are a little
/// smaller than the model.
fn physics_hulls(subject: &Subject) -> Result<(), Failed> {
    /// What compilers leave free around hulls of what moves.
    const GAP: f32 = 0.5;
    const ROUNDING: f32 = 0.1;
    let Subject { file, map, .. } = subject;
    for id in [LumpId::PhysCollide, LumpId::PhysCollideSurface] {
        let models = PhysModel::read_all(file, id).map_err(failed)?;
        let written = models.as_deref().map(PhysModel::write_all).transpose();
        let written = written.map_err(failed)?.unwrap_or_default();
        let content = file.content(id).map_err(failed)?;
        same(&format!("bytes of {id:?}"), written == *content, true)?;
    }
    let models = PhysModel::read_all(file, LumpId::PhysCollide).map_err(failed)?;
    let mut n_world_hulls = 0;
    for model in models.into_iter().flatten() {
        let bounds = &map.models[model.model as usize];
        let mut shapes = Vec::new();
        for shape in model.shapes() {
            if let Shape::Hulls(hulls) = shape.map_err(failed)? {
                shapes.push(hulls);
            }
        }
        let first = shapes.first().ok_or("a model without hulls")?;
        let gap = if model.model == 0 { 0.0 } else { GAP };
        let points = || first.iter().flat_map(|hull| &hull.points);
        for axis in 0..3 {
            let low = points().map(|it| it[axis]).fold(f32::MAX, f32::min);
            let high = points().map(|it| it[axis]).fold(f32::MIN, f32::max);
            let off = [
                low - bounds.mins[axis] - gap,
                bounds.maxs[axis] - high - gap,
            ];
            let is_near = |off: f32| off.abs() <= ROUNDING + gap;
            same(
                &format!("axis {axis} of {}: {off:?}", model.model),
                off.map(is_near),
                [true; 2],
            )?;
        }
        if model.model == 0 {
            for hull in shapes.iter().flatten() {
                n_world_hulls += 1;
                let is_within = map
                    .brushes
                    .iter()
                    .any(|brush| holds(map, brush, hull, ROUNDING));
                same(&format!("hull {hull:?} within a brush"), is_within, true)?;
            }
        }
    }
    same("some hulls", n_world_hulls > 0, true)
}

/// Whether all of a hull is behind all planes of a brush.
fn holds(map: &Map, brush: &Brush, hull: &Hull, slack: f32) -> bool {
    let first = brush.first_side as usize;
    let sides = &map.brush_sides[first..first + brush.n_sides as usize];
    sides.iter().all(|side| {
        let plane = &map.planes[side.plane as usize];
        let above = |point: &[f32; 3]| {
            let along: f32 = (0..3).map(|axis| plane.normal[axis] * point[axis]).sum();
            along - plane.dist
        };
        hull.points.iter().all(|point| above(point) <= slack)
    })
}
