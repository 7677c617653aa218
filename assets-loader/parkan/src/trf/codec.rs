//! The twelve tables of a research tree and back.

use super::{FORMAT, Item, ItemLists, Part, ResearchTree};
use crate::chunk::Chunk;
use crate::nres::{Entry, NRes};
use ironlands_assets_core::bytes::{FormatError, Writer};
use ironlands_assets_core::record::{FixedSize, Record, encode, read_all};

/// The tables, in the order of their types.
const N_TABLES: usize = 12;

/// The type of table number `n`: `TRF0` to `TRFB`.
pub(super) const fn type_id(n: usize) -> u32 {
    const DIGITS: [u8; N_TABLES] = *b"0123456789AB";
    #[expect(clippy::indexing_slicing, reason = "tables are counted to twelve")]
    u32::from_le_bytes([b'T', b'R', b'F', DIGITS[n]])
}

impl ResearchTree {
    /// Reads a whole file by the strict rules.
    ///
    /// # Errors
    /// A broken archive, a missing table, a table with a part of a record, or lists of other lengths than their counts.
    pub fn read(data: &[u8]) -> Result<Self, FormatError> {
        let container = NRes::read(data)?;
        let tables = Tables {
            file_len: data.len(),
            container: &container,
        };
        let mut tree = Self {
            items: tables.records(0)?,
            states: tables.bytes(1)?,
            prerequisites: tables.lists(2)?,
            unlocks: tables.lists(4)?,
            part_ids: tables.bytes(6)?,
            codes: tables.bytes(7)?,
            names: tables.bytes(8)?,
            descriptions: tables.bytes(9)?,
            stat_lines: tables.bytes(10)?,
            parts: tables.records(11)?,
            container: NRes::new(),
        };
        tree.container = container;
        for n in 0..N_TABLES {
            let index = tree.container.find_type(type_id(n));
            if let Some(entry) = index.and_then(|it| tree.container.entries.get_mut(it)) {
                entry.data = Vec::new();
            }
        }
        Ok(tree)
    }

    /// Writes the file: entries in the order of the archive, missing ones last.
    ///
    /// # Errors
    /// Lists of other lengths than their counts, or more than an archive can hold.
    pub fn write(&self) -> Result<Vec<u8>, FormatError> {
        let mut filled = self.container.clone();
        for (n, table) in self.tables()?.into_iter().enumerate() {
            let index = filled.find_type(type_id(n));
            match (index.and_then(|it| filled.entries.get_mut(it)), table) {
                (Some(entry), Some(data)) => entry.data = data,
                (Some(_), None) => {
                    index.map(|it| filled.entries.remove(it));
                }
                (None, Some(data)) => filled.entries.push(new_entry(n, data)?),
                (None, None) => {}
            }
        }
        filled.write()
    }

    /// The payloads of all tables; `None` for a list that is not there.
    fn tables(&self) -> Result<[Option<Vec<u8>>; N_TABLES], FormatError> {
        let Self {
            items,
            states,
            prerequisites,
            unlocks,
            part_ids,
            codes,
            names,
            descriptions,
            stat_lines,
            parts,
            container: _,
        } = self;
        let [required, required_items] = list_tables(prerequisites)?;
        let [unlocked, unlocked_items] = list_tables(unlocks)?;
        Ok([
            Some(encode(FORMAT, items, ())?),
            Some(states.clone()),
            required,
            required_items,
            unlocked,
            unlocked_items,
            Some(part_ids.clone()),
            Some(codes.clone()),
            Some(names.clone()),
            Some(descriptions.clone()),
            Some(stat_lines.clone()),
            Some(encode(FORMAT, parts, ())?),
        ])
    }
}

fn list_tables(lists: &ItemLists) -> Result<[Option<Vec<u8>>; 2], FormatError> {
    let words = |words: &[u32]| {
        let mut w = Writer::new(FORMAT);
        words.iter().for_each(|word| w.u32(*word));
        w.finish()
    };
    if let Some(items) = &lists.items
        && items.len() as u64 != lists.n_counted()
    {
        let expected = format!("the {} items that are counted", lists.n_counted());
        return Err(Writer::new(FORMAT).unexpected("list length", expected, items.len()));
    }
    Ok([
        Some(words(&lists.counts)),
        lists.items.as_deref().map(words),
    ])
}

/// An entry with the attributes of known files: the number of records, and the game's version in that of items.
fn new_entry(n: usize, data: Vec<u8>) -> Result<Entry, FormatError> {
    let stride = match n {
        0 => Item::SIZE,
        2..=5 => u32::SIZE,
        11 => Part::SIZE,
        _ => 1,
    };
    let count = data.len().checked_div(stride).unwrap_or(0);
    let count = u32::try_from(count).map_err(|_| {
        let limit = u64::from(u32::MAX);
        Writer::new(FORMAT).too_large("record count", data.len() as u64, limit)
    })?;
    let version = if n == 0 { super::VERSION } else { 0 };
    Entry::new(
        type_id(n),
        count,
        version,
        stride as u32,
        super::ENTRY_NAME,
        data,
    )
}

/// The tables of an archive that has just been read.
struct Tables<'a> {
    file_len: usize,
    container: &'a NRes,
}

impl Tables<'_> {
    fn chunk(&self, n: usize) -> Result<Chunk<'_>, FormatError> {
        Chunk::find(FORMAT, self.file_len, self.container, type_id(n))
    }

    fn bytes(&self, n: usize) -> Result<Vec<u8>, FormatError> {
        Ok(self.chunk(n)?.entry.data.clone())
    }

    fn records<T>(&self, n: usize) -> Result<Vec<T>, FormatError>
    where
        T: Record<Layout = ()>,
    {
        let mut r = self.chunk(n)?.reader();
        let n_records = r.remaining().checked_div(T::size(())).unwrap_or(0);
        let records = (0..n_records)
            .map(|_| T::read(&mut r, ()))
            .collect::<Result<_, _>>()?;
        r.finish("after the last record")?;
        Ok(records)
    }

    fn words(&self, n: usize) -> Result<Vec<u32>, FormatError> {
        let mut r = self.chunk(n)?.reader();
        let n_words = r.remaining().checked_div(u32::SIZE).unwrap_or(0);
        let words = read_all(&mut r, "word", n_words, ())?;
        r.finish("after the last word")?;
        Ok(words)
    }

    /// The counts of table `n`, and the lists of the one after it.
    fn lists(&self, n: usize) -> Result<ItemLists, FormatError> {
        let counts = self.words(n)?;
        let list = n.saturating_add(1);
        let has_items = self.container.find_type(type_id(list)).is_some();
        let lists = ItemLists {
            counts,
            items: has_items.then(|| self.words(list)).transpose()?,
        };
        match &lists.items {
            Some(items) if items.len() as u64 != lists.n_counted() => {
                let expected = format!("the {} items that are counted", lists.n_counted());
                let r = self.chunk(list)?.reader();
                Err(r.unexpected("list length", expected, items.len()))
            }
            _ => Ok(lists),
        }
    }
}

/// The archive in JSON: what its directory says of each entry, and the bytes of those that no table is.
pub(super) mod container {
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    use crate::json;
    use crate::nres::{Entry, NRes};

    #[derive(Serialize, Deserialize)]
    #[serde(deny_unknown_fields)]
    struct Row {
        #[serde(with = "json::field")]
        type_name: [u8; 4],
        attributes: [u32; 3],
        #[serde(with = "json::field")]
        name: [u8; 36],
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        data: Vec<u8>,
    }

    pub(in super::super) fn serialize<S: Serializer>(
        archive: &NRes,
        to: S,
    ) -> Result<S::Ok, S::Error> {
        let rows = archive.entries.iter().map(|entry| Row {
            type_name: entry.type_id.to_le_bytes(),
            attributes: [entry.attr1, entry.attr2, entry.attr3],
            name: entry.name,
            data: entry.data.clone(),
        });
        rows.collect::<Vec<_>>().serialize(to)
    }

    pub(in super::super) fn deserialize<'de, D: Deserializer<'de>>(
        from: D,
    ) -> Result<NRes, D::Error> {
        let rows = Vec::<Row>::deserialize(from)?;
        let entry = |row: Row| -> Result<Entry, D::Error> {
            let [attr1, attr2, attr3] = row.attributes;
            let type_id = u32::from_le_bytes(row.type_name);
            let entry = Entry::new(type_id, attr1, attr2, attr3, "", row.data);
            let mut entry = entry.map_err(serde::de::Error::custom)?;
            entry.name = row.name;
            Ok(entry)
        };
        let entries = rows.into_iter().map(entry).collect::<Result<_, _>>()?;
        Ok(NRes::from_entries(entries))
    }
}
