//! Lumps 29 and 49: the solids that the physics of a map collides with, model by model. Dossier section 7.7.

use ironlands_assets_core::bytes::{FormatError, Reader, Writer};

use super::file::{BspFile, FORMAT};
use super::lump_id::LumpId;
use crate::collision::{Shape, shapes_of};

/// In place of the number of a model where there are no more.
const END: i32 = -1;
/// Before the solids of a model.
const HEADER_LEN: u64 = 16;

/// What one model of a map collides with.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct PhysModel {
    /// Index into [`super::Map::models`]; the first is the world.
    pub model: u32,
    /// Solids, each as the bytes of its shape, which [`read_solid`](crate::collision::read_solid) reads.
    pub solids: Vec<Vec<u8>>,
    /// Contents, masses and materials of the solids, as text that ends with NUL.
    pub text: Vec<u8>,
}

impl PhysModel {
    /// All of a lump; `None` if the lump is empty.
    ///
    /// # Errors
    /// A size that does not fit the solids, or the lump; bytes behind the end.
    pub fn read_all(file: &BspFile, id: LumpId) -> Result<Option<Vec<Self>>, FormatError> {
        let content = file.content(id)?;
        if content.is_empty() {
            return Ok(None);
        }
        let mut r = file.reader(id, &content);
        let mut models = Vec::new();
        while let Some(model) = Self::read(&mut r)? {
            models.push(model);
        }
        r.finish("after the last model")?;
        Ok(Some(models))
    }

    fn read(r: &mut Reader<'_>) -> Result<Option<Self>, FormatError> {
        let at_model = r.clone();
        let model = r.i32("model of solids")?;
        if model == END {
            r.expect("size of solids at the end", &END.to_le_bytes())?;
            r.expect("size of text at the end", &[0; 4])?;
            r.expect("solid count at the end", &[0; 4])?;
            return Ok(None);
        }
        let model = u32::try_from(model)
            .map_err(|_| at_model.unexpected("model of solids", "-1 or a number", model))?;
        let at_size = r.clone();
        let n_bytes = r.u32("size of solids")? as usize;
        let n_text = r.u32("size of text")? as usize;
        let n_solids = r.u32("solid count")?;
        let first = r.position();
        let mut solids = Vec::new();
        for _ in 0..n_solids {
            let size = r.count("solid size", 1)?;
            solids.push(r.bytes("solid", size)?.to_vec());
        }
        let n_read = r.position().saturating_sub(first);
        if n_read != n_bytes {
            let found = format!("{n_bytes}");
            return Err(at_size.unexpected("size of solids", format!("{n_read}"), found));
        }
        Ok(Some(Self {
            model,
            solids,
            text: r.bytes("text of solids", n_text)?.to_vec(),
        }))
    }

    /// The lump of all of them.
    ///
    /// # Errors
    /// More bytes or solids than 32 bits count.
    pub fn write_all(models: &[Self]) -> Result<Vec<u8>, FormatError> {
        let mut w = Writer::new(FORMAT);
        for model in models {
            model.write(&mut w)?;
        }
        w.i32(END);
        w.i32(END);
        w.u32(0);
        w.u32(0);
        Ok(w.finish())
    }

    fn write(&self, w: &mut Writer) -> Result<(), FormatError> {
        let Self {
            model,
            solids,
            text,
        } = self;
        w.u32(*model);
        let lens = solids.iter().map(|solid| solid.len().saturating_add(4));
        w.count("size of solids", lens.fold(0, usize::saturating_add))?;
        w.count("size of text", text.len())?;
        w.count("solid count", solids.len())?;
        for solid in solids {
            w.count("solid size", solid.len())?;
            w.bytes(solid);
        }
        w.bytes(text);
        Ok(())
    }

    /// The shape of each solid, as far as it can be read; errors count from the record of this model.
    pub fn shapes(&self) -> impl Iterator<Item = Result<Shape, FormatError>> {
        shapes_of(FORMAT, &self.solids, HEADER_LEN)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::collision::sample::tetrahedron;

    fn models() -> Vec<PhysModel> {
        vec![
            PhysModel {
                model: 0,
                solids: vec![tetrahedron(0x100), Vec::new()],
                text: b"staticsolid {}\0".to_vec(),
            },
            PhysModel {
                model: 3,
                solids: vec![tetrahedron(0x101)],
                text: Vec::new(),
            },
        ]
    }

    fn read(data: Vec<u8>) -> Result<Option<Vec<PhysModel>>, FormatError> {
        let mut file = BspFile::new(20);
        file.set_lump(LumpId::PhysCollide, 0, data);
        PhysModel::read_all(&file, LumpId::PhysCollide)
    }

    #[test]
    fn lumps_come_back_as_they_were() {
        for models in [models(), Vec::new()] {
            let lump = PhysModel::write_all(&models).unwrap();
            assert_eq!(read(lump).unwrap(), Some(models));
        }
        assert_eq!(read(Vec::new()).unwrap(), None);
    }

    #[test]
    fn shapes_of_good_solids_are_read_beside_broken_ones() {
        let [world, _] = <[PhysModel; 2]>::try_from(models()).unwrap();
        let shapes: Vec<_> = world.shapes().collect();
        assert!(matches!(&shapes[..], [Ok(Shape::Hulls(hulls)), Err(_)] if hulls.len() == 1));
        // Behind the head of the model, the first solid and both sizes.
        let broken = (world.solids[0].len() + 16 + 2 * 4) as u64;
        assert_eq!(shapes[1].as_ref().unwrap_err().offset, broken);
    }

    #[test]
    fn damage_is_refused_where_it_is() {
        let whole = PhysModel::write_all(&models()).unwrap();
        let refused = |at: usize, word: i32| {
            let mut data = whole.clone();
            data[at..at + 4].copy_from_slice(&word.to_le_bytes());
            let error = read(data).unwrap_err();
            (error.field.into_owned(), error.offset)
        };
        let is = |field: &str, offset: u64| (field.to_owned(), offset);
        assert_eq!(refused(0, -2), is("model of solids", 0));
        assert_eq!(refused(4, 5), is("size of solids", 4));
        assert_eq!(refused(12, 1), is("size of solids", 4));
        assert_eq!(refused(16, i32::MAX), is("solid size", 16));
        let end = whole.len() - 16;
        assert_eq!(
            refused(end + 4, 0),
            is("size of solids at the end", end as u64 + 4)
        );
        let mut longer = whole.clone();
        longer.push(0);
        assert_eq!(read(longer).unwrap_err().field, "after the last model");
        for len in 1..whole.len() {
            assert!(read(whole[..len].to_vec()).is_err(), "{len} bytes");
        }
    }
}
