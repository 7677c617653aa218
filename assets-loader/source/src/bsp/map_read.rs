//! Lumps to the typed content of a map and back: which field is which lump.

use super::file::BspFile;
use super::lump_id::LumpId;
use super::map::{DispHulls, Map, Occlusion, ReusedLumps, Uncertain, Visibility};
use super::records::{Place, read_overlays, read_table, write_overlays, write_table};
use super::verify;
use ironlands_assets_core::bytes::FormatError;

/// Fields that are tables of records, and their lumps.
macro_rules! tables {
    ($do_each:ident) => {
        $do_each! {
            planes: Planes,
            vertices: Vertexes,
            edges: Edges,
            surfedges: Surfedges,
            faces: Faces,
            faces_hdr: FacesHdr,
            original_faces: OriginalFaces,
            face_ids: FaceIds,
            primitives: Primitives,
            primitive_vertices: PrimVerts,
            primitive_indices: PrimIndices,
            vertex_normals: VertNormals,
            vertex_normal_indices: VertNormalIndices,
            texinfos: Texinfo,
            texdata: Texdata,
            texture_name_offsets: TexdataStringTable,
            nodes: Nodes,
            leaves: Leafs,
            leaf_faces: LeafFaces,
            leaf_brushes: LeafBrushes,
            brushes: Brushes,
            brush_sides: BrushSides,
            models: Models,
            areas: Areas,
            area_portals: AreaPortals,
            clip_portal_vertices: ClipPortalVerts,
            ambient_index: LeafAmbientIndex,
            ambient_samples: LeafAmbientLighting,
            ambient_index_hdr: LeafAmbientIndexHdr,
            ambient_samples_hdr: LeafAmbientLightingHdr,
            world_lights: Worldlights,
            world_lights_hdr: WorldlightsHdr,
            disp_infos: DispInfo,
            disp_verts: DispVerts,
            disp_tris: DispTris,
            overlay_fades: OverlayFades,
            overlay_levels: OverlaySystemLevels,
            disp_multi_blend: DispMultiBlend,
            cubemaps: Cubemaps,
            leaf_water: LeafWaterData,
            leaf_min_dist_to_water: LeafMinDistToWater,
            face_macro_texture: FaceMacroTextureInfo,
        }
    };
}

/// Fields that are bytes.
macro_rules! blobs {
    ($do_each:ident) => {
        $do_each! {
            texture_names: TexdataStringData,
            lighting: Lighting,
            lighting_hdr: LightingHdr,
            disp_luxel_alphas: DispLightmapAlphas,
            disp_sample_positions: DispLightmapSamplePositions,
        }
    };
}

impl Map {
    /// Decodes all lumps with a meaning.
    ///
    /// Every index is checked, so that those of a map that was read may be followed; section 1.5 lists the few that
    /// compilers leave behind stale, which are as stored. Errors name the lump, the record and the place in the file;
    /// where the lump is compressed, the place in its unpacked bytes. Of lumps that some games use otherwise
    /// ([`Uncertain`]) such an error is the reason that their bytes stay as they are.
    pub fn read(file: &BspFile) -> Result<Self, FormatError> {
        let mut map = Self::default();
        macro_rules! read_tables {
            ($($field:ident: $id:ident,)*) => {
                $(map.$field = read_table(file, LumpId::$id)?;)*
            };
        }
        macro_rules! read_blobs {
            ($($field:ident: $id:ident,)*) => {
                $(map.$field = file.content(LumpId::$id)?.into_owned();)*
            };
        }
        tables!(read_tables);
        blobs!(read_blobs);
        map.overlays = read_overlays(file, LumpId::Overlays)?;
        map.water_overlays = read_overlays(file, LumpId::WaterOverlays)?;
        map.visibility = Visibility::read(file)?;
        map.occlusion = Occlusion::read(file)?;
        map.flags = read_flags(file)?;
        verify::verify(&map, file)?;
        map.reused_lumps = Uncertain::<ReusedLumps>::read(file, &map);
        map.disp_hulls = Uncertain::<DispHulls>::read(file);
        Ok(map)
    }

    /// Encodes all lumps with a meaning in the forms of the file's version and of its lumps, and sets those that
    /// differ from what the file has. A lump that was empty gets the version that compilers give it.
    ///
    /// Errors: a value that does not fit its field in that version; an unknown version of a lump.
    pub fn write_into(&self, file: &mut BspFile) -> Result<(), FormatError> {
        for (id, version, data) in self.encode(file)? {
            let is_same = file.content(id).is_ok_and(|content| *content == data);
            if !is_same {
                file.set_lump(id, version, data);
            }
        }
        Ok(())
    }

    /// All lumps with a meaning as [`Self::write_into`] encodes them, and their versions.
    ///
    /// Errors as there.
    pub fn encode(&self, file: &BspFile) -> Result<Vec<(LumpId, u32, Vec<u8>)>, FormatError> {
        let mut lumps = Vec::new();
        let mut push = |id, (version, data)| lumps.push((id, version, data));
        macro_rules! write_tables {
            ($($field:ident: $id:ident,)*) => {
                $(push(LumpId::$id, write_table(file, LumpId::$id, &self.$field)?);)*
            };
        }
        macro_rules! write_blobs {
            ($($field:ident: $id:ident,)*) => {
                $(push(LumpId::$id, (Place::new(file, LumpId::$id).version, self.$field.clone()));)*
            };
        }
        tables!(write_tables);
        blobs!(write_blobs);
        for (id, overlays) in [
            (LumpId::Overlays, &self.overlays),
            (LumpId::WaterOverlays, &self.water_overlays),
        ] {
            push(id, write_overlays(file, id, overlays)?);
        }
        let visibility = match &self.visibility {
            Some(visibility) => visibility.write()?,
            None => Vec::new(),
        };
        push(LumpId::Visibility, (0, visibility));
        push(LumpId::Occlusion, self.occlusion.write(file)?);
        let flags = self.flags.map(u32::to_le_bytes);
        let flags = flags.map_or(Vec::new(), |flags| flags.to_vec());
        push(LumpId::MapFlags, (0, flags));
        lumps.extend(self.reused_lumps.write(file)?);
        lumps.extend(self.disp_hulls.write(file)?);
        Ok(lumps)
    }
}

/// Lump 59: one word, if there is any.
fn read_flags(file: &BspFile) -> Result<Option<u32>, FormatError> {
    let content = file.content(LumpId::MapFlags)?;
    if content.is_empty() {
        return Ok(None);
    }
    let mut r = file.reader(LumpId::MapFlags, &content);
    let flags = r.u32("map flags")?;
    r.finish("after the map flags")?;
    Ok(Some(flags))
}
