//! Eyeballs: where the picture of an iris is laid on the white of an eye. They are read from the bytes that an [`Mdl`] keeps,
//! when they are shown. Layouts as `studio.h` of the public SDK has them; how the iris is laid is from memory of how its games
//! behave. Eyes look straight ahead.
//!
//! Deliberately absent: lids that follow the eye.

use glam::Vec3;

use super::tables::{bone, rows_at};
use super::{FORMAT, Mdl, MdlBodyPart, MdlMesh, MdlModel};
use crate::bsp::is_place;
use crate::studio_file::File;
use ironlands_assets_core::bytes::{FormatError, Reader};

/// Bytes of an eyeball.
const EYEBALL_SIZE: usize = 172;
/// Where their count stands in a model, and where the kind of its material in a mesh.
const EYEBALLS_AT: usize = 0x64;
const MATERIAL_KIND_AT: usize = 24;
/// The kind of the material of an eye.
const EYE: i32 = 1;

/// A mesh that is an eye.
#[derive(Debug, Clone, PartialEq)]
pub struct MeshEye {
    /// Body part, model and mesh.
    pub mesh: [usize; 3],
    /// What lays its iris.
    pub eyeball: Eyeball,
}

/// An eyeball.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Eyeball {
    /// Its name.
    pub name: String,
    /// Number of the bone that carries it.
    pub bone: usize,
    /// Its middle, along the axes of the bone, as all that follows.
    pub center: [f32; 3],
    /// How far to its right it looks, as a slope.
    pub outward: f32,
    /// Its radius.
    pub radius: f32,
    /// Up.
    pub up: [f32; 3],
    /// Where it looks.
    pub forward: [f32; 3],
    /// How often the picture of the iris would repeat over a unit of length.
    pub iris_scale: f32,
}

/// The eyes of all meshes.
///
/// # Errors
/// Tables that do not lie in the file, bones and eyeballs that are not there, and numbers that are not finite.
pub fn eyes(mdl: &Mdl) -> Result<Vec<MeshEye>, FormatError> {
    let mut eyes = Vec::new();
    let file = File::new(FORMAT, mdl.image());
    let parts = &mdl.body_parts;
    let parts = rows_at(0, parts.offset(), parts, MdlBodyPart::SIZE);
    for (part, (part_at, models)) in parts.enumerate() {
        let models = &models.models;
        let models = rows_at(part_at, models.offset(), models, MdlModel::SIZE);
        for (model, (model_at, row)) in models.enumerate() {
            let eyeballs = eyeballs(&file, mdl, model_at)?;
            let meshes = rows_at(model_at, row.meshes.offset(), &row.meshes, MdlMesh::SIZE);
            for (mesh, (at, _)) in meshes.enumerate() {
                let eyeball = eyeball_of(&file, at, &eyeballs)?;
                eyes.extend(eyeball.map(|eyeball| MeshEye {
                    mesh: [part, model, mesh],
                    eyeball: eyeball.clone(),
                }));
            }
        }
    }
    Ok(eyes)
}

fn eyeballs(file: &File<'_>, mdl: &Mdl, model_at: usize) -> Result<Vec<Eyeball>, FormatError> {
    let at_count = file.sub("eyeballs", model_at.saturating_add(EYEBALLS_AT), 8)?;
    let mut r = at_count.clone();
    let place = (r.i32("eyeballs")?, r.i32("eyeballs")?);
    let (count, offset) = place;
    file.rows(
        &at_count,
        "eyeballs",
        (count, EYEBALL_SIZE),
        (model_at, offset),
        |r, at| eyeball(file, r, at, mdl.bones.len()),
    )
}

fn eyeball(
    file: &File<'_>,
    r: &mut Reader<'_>,
    at: usize,
    n_bones: usize,
) -> Result<Eyeball, FormatError> {
    let name = file.take_name(r, "eyeball name", at)?;
    let bone = bone(r, "eyeball bone", n_bones)?;
    let at_numbers = r.clone();
    let center = r.f32x3("eyeball center")?;
    let outward = r.f32("eyeball offset")?;
    let radius = r.f32("eyeball radius")?;
    let up = r.f32x3("eyeball up")?;
    let forward = r.f32x3("eyeball forward")?;
    r.i32("eyeball texture")?;
    r.i32("eyeball")?;
    let iris_scale = r.f32("eyeball iris scale")?;
    let directions = up.iter().chain(&forward);
    let mut others = directions.chain([&outward, &radius, &iris_scale]);
    if !is_place(center) || !others.all(|it| it.is_finite()) {
        let found = format!("{center:?}, {outward}, {radius}, {up:?}, {forward:?}, {iris_scale}");
        let expected = "a place within a map and finite numbers";
        return Err(at_numbers.unexpected("eyeball center", expected, found));
    }
    Ok(Eyeball {
        name,
        bone,
        center,
        outward,
        radius,
        up,
        forward,
        iris_scale,
    })
}

/// The eyeball of a mesh, if it is an eye.
fn eyeball_of<'a>(
    file: &File<'_>,
    mesh_at: usize,
    eyeballs: &'a [Eyeball],
) -> Result<Option<&'a Eyeball>, FormatError> {
    let mut r = file.sub("mesh eyeball", mesh_at.saturating_add(MATERIAL_KIND_AT), 8)?;
    if r.i32("mesh material kind")? != EYE {
        return Ok(None);
    }
    let at_number = r.clone();
    let number = r.i32("mesh eyeball")?;
    let eyeball = usize::try_from(number).ok().and_then(|it| eyeballs.get(it));
    let expected = format!("an eyeball below {}", eyeballs.len());
    let eyeball = eyeball.ok_or_else(|| at_number.unexpected("mesh eyeball", expected, number))?;
    Ok(Some(eyeball))
}

impl Eyeball {
    /// Coordinates of the picture of the iris at a place along the axes of the bone; its middle where the eye looks.
    pub fn iris_uv(&self, place: [f32; 3]) -> [f32; 2] {
        let up = Vec3::from(self.up);
        let ahead = Vec3::from(self.forward).normalize_or(Vec3::X);
        let right = ahead.cross(up).normalize_or_zero();
        let forward = (ahead + right * self.outward).normalize_or(Vec3::X);
        let right = forward.cross(up).normalize_or_zero();
        let up = right.cross(forward);
        let from_center = Vec3::from(place) - Vec3::from(self.center);
        [right, up].map(|axis| 0.5 - self.iris_scale * axis.dot(from_center))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mdl::motion::sample::{add_text_row, put, put_f32};
    use crate::studio_model::sample::sample_files;

    /// The sample model whose first mesh is an eye, and where its eyeball, its model and its mesh stand.
    fn with_eye() -> (Vec<u8>, [usize; 3]) {
        let mut bytes = sample_files().mdl;
        let mdl = Mdl::read(&bytes).unwrap();
        let part_at = mdl.body_parts.offset() as usize;
        let models = &mdl.body_parts[0].models;
        let model_at = part_at + models.offset() as usize;
        let mesh_at = model_at + models[0].meshes.offset() as usize;
        let eyeball = add_text_row(&mut bytes, EYEBALL_SIZE, &[(0, "left")]);
        let numbers = [
            1.0, 2.0, 3.0, 0.25, 0.5, 0.0, 0.0, 1.0, 1.0, 0.0, 0.0, 0.0, 0.0, 2.0,
        ];
        for (number, value) in numbers.into_iter().enumerate() {
            put_f32(&mut bytes, eyeball + 8 + 4 * number, value);
        }
        put(&mut bytes, model_at + EYEBALLS_AT, 1);
        let offset = eyeball as i32 - model_at as i32;
        put(&mut bytes, model_at + EYEBALLS_AT + 4, offset);
        put(&mut bytes, mesh_at + MATERIAL_KIND_AT, EYE);
        put(&mut bytes, mesh_at + MATERIAL_KIND_AT + 4, 0);
        let len = bytes.len() as i32;
        put(&mut bytes, 76, len);
        (bytes, [eyeball, model_at, mesh_at])
    }

    fn read(bytes: &[u8]) -> Result<Vec<MeshEye>, FormatError> {
        let mdl = Mdl::read(bytes).unwrap();
        assert_eq!(mdl.write().unwrap(), bytes);
        eyes(&mdl)
    }

    #[test]
    fn the_eyeball_of_a_mesh_is_read_where_its_model_says() {
        assert_eq!(read(&sample_files().mdl).unwrap(), [], "none is an eye");
        let eyeball = Eyeball {
            name: "left".to_owned(),
            bone: 0,
            center: [1.0, 2.0, 3.0],
            outward: 0.25,
            radius: 0.5,
            up: [0.0, 0.0, 1.0],
            forward: [1.0, 0.0, 0.0],
            iris_scale: 2.0,
        };
        let expected = MeshEye {
            mesh: [0; 3],
            eyeball,
        };
        assert_eq!(read(&with_eye().0).unwrap(), [expected]);
    }

    #[test]
    fn what_leads_nowhere_is_refused_where_it_stands() {
        let (sound, [eyeball, model, mesh]) = with_eye();
        for (at, number, field) in [
            (eyeball + 4, 1, "eyeball bone"),
            (eyeball + 8, 0x7F80_0000, "eyeball center"),
            (eyeball + 60, 0x7FC0_0000, "eyeball center"),
            (model + EYEBALLS_AT, 1 << 20, "eyeballs"),
            (model + EYEBALLS_AT + 4, 1 << 30, "eyeballs"),
            (mesh + MATERIAL_KIND_AT + 4, 1, "mesh eyeball"),
            (mesh + MATERIAL_KIND_AT + 4, -1, "mesh eyeball"),
        ] {
            let mut bytes = sound.clone();
            put(&mut bytes, at, number);
            let error = read(&bytes).unwrap_err();
            assert_eq!(error.field, field, "{error}");
        }
    }

    #[test]
    fn the_iris_is_laid_along_the_axes_of_the_eye() {
        let ahead = Eyeball {
            center: [1.0, 2.0, 3.0],
            radius: 0.5,
            up: [0.0, 0.0, 1.0],
            forward: [1.0, 0.0, 0.0],
            iris_scale: 2.0,
            ..Eyeball::default()
        };
        // Who looks along +X has -Y at the right, which is the left of the picture for who looks back.
        for (place, expected) in [
            ([1.5, 2.0, 3.0], [0.5, 0.5]),
            ([1.5, 1.75, 3.0], [0.0, 0.5]),
            ([1.5, 2.25, 3.0], [1.0, 0.5]),
            ([1.5, 2.0, 3.25], [0.5, 0.0]),
        ] {
            assert_eq!(ahead.iris_uv(place), expected, "{place:?}");
        }
        // A slope of 3/4 to the right: forward is (0.8, -0.6).
        let outward = Eyeball {
            outward: 0.75,
            ..ahead
        };
        let [u, v] = outward.iris_uv([1.4, 1.7, 3.0]);
        assert!((u - 0.5).abs() < 1e-6 && (v - 0.5).abs() < 1e-6, "{u} {v}");
    }
}
