//! What was edited since the files were saved, on the disk: a crash loses nothing.
//!
//! A line of JSON for each change, with whole blocks, so that it may be made twice. A line that was cut by a crash is the
//! last one, and is left out. After saving, the journal is removed.

use ironlands_assets_core::vfs;
use ironlands_assets_lineage2::{Block, Cell, Flat, Multilayer, Nswe, RegionId};
use serde::{Deserialize, Serialize};
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use thiserror::Error;

/// The name of a journal beside the regions that it is of.
const NAME: &str = "geodata-edit.journal";

/// A journal that is written.
#[derive(Debug)]
pub struct Journal {
    path: PathBuf,
    file: File,
}

/// The blocks of a change, as they are after it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct JournalRecord {
    /// Region, number in it, and the block.
    pub blocks: Vec<(RegionId, u16, Block)>,
}

/// Why a journal cannot be written or read.
#[derive(Debug, Error)]
pub enum JournalError {
    /// One is there already: an edit did not end.
    #[error("{} is there: an edit was interrupted; --recover completes it, --discard forgets it", path.display())]
    Exists {
        /// The journal.
        path: PathBuf,
    },
    /// The system refused.
    #[error("{}", path.display())]
    Io {
        /// The journal.
        path: PathBuf,
        /// Why.
        #[source]
        error: io::Error,
    },
    /// It is damaged before its last line.
    #[error("{}: line {line} is damaged", path.display())]
    Damaged {
        /// The journal.
        path: PathBuf,
        /// From 1.
        line: usize,
    },
}

#[derive(Serialize, Deserialize)]
struct BlockJson {
    region: (u8, u8),
    index: u16,
    block: BlockForm,
}

/// A block as JSON has it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum BlockForm {
    /// Heights and stored words.
    Flat {
        heights: (i16, i16),
        words: (i16, i16),
    },
    /// Numbers of layers, and height and sides of each layer.
    Cells {
        counts: Vec<u8>,
        layers: Vec<(i16, u8)>,
    },
}

impl Journal {
    /// The journal of a folder of regions.
    pub fn path_in(folder: &Path) -> PathBuf {
        folder.join(NAME)
    }

    /// Begins one.
    ///
    /// # Errors
    /// If one is there already, or it cannot be made.
    pub fn new(path: &Path) -> Result<Self, JournalError> {
        let path = path.to_owned();
        match File::create_new(&path) {
            Ok(file) => Ok(Self { path, file }),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
                Err(JournalError::Exists { path })
            }
            Err(error) => Err(JournalError::Io { path, error }),
        }
    }

    /// Writes the blocks of a change, and waits until they are on the disk.
    ///
    /// # Errors
    /// If the system refuses.
    pub fn append<'a>(
        &mut self,
        blocks: impl IntoIterator<Item = (RegionId, u16, &'a Block)>,
    ) -> Result<(), JournalError> {
        let blocks = blocks.into_iter().map(|(region, index, block)| BlockJson {
            region: (region.x(), region.y()),
            index,
            block: BlockForm::new(block),
        });
        let blocks: Vec<BlockJson> = blocks.collect();
        let mut line = serde_json::to_vec(&blocks).expect("plain numbers");
        line.push(b'\n');
        let written = self.file.write_all(&line);
        let written = written.and_then(|()| self.file.sync_data());
        written.map_err(|error| JournalError::Io {
            path: self.path.clone(),
            error,
        })
    }

    /// The changes of a journal, in order.
    ///
    /// # Errors
    /// If it cannot be read, or a line before its last one is damaged.
    pub fn read(path: &Path) -> Result<Vec<JournalRecord>, JournalError> {
        let bytes = vfs::read(path).map_err(|error| JournalError::Io {
            path: path.to_owned(),
            error,
        })?;
        let mut records = Vec::new();
        let mut lines = (1..)
            .zip(bytes.split_inclusive(|byte| *byte == b'\n'))
            .peekable();
        while let Some((number, line)) = lines.next() {
            let record = serde_json::from_slice::<Vec<BlockJson>>(line).ok();
            let record = record.and_then(|blocks| {
                let blocks = blocks.into_iter();
                blocks.map(BlockJson::read).collect::<Option<Vec<_>>>()
            });
            match record {
                Some(blocks) => records.push(JournalRecord { blocks }),
                None if lines.peek().is_none() => break,
                None => {
                    return Err(JournalError::Damaged {
                        path: path.to_owned(),
                        line: number,
                    });
                }
            }
        }
        Ok(records)
    }

    /// Removes it: what it says is in the files.
    ///
    /// # Errors
    /// If the system refuses.
    pub fn remove(path: &Path) -> Result<(), JournalError> {
        fs::remove_file(path).map_err(|error| JournalError::Io {
            path: path.to_owned(),
            error,
        })
    }
}

impl BlockJson {
    fn read(self) -> Option<(RegionId, u16, Block)> {
        let region = RegionId::new(self.region.0, self.region.1)?;
        Some((region, self.index, self.block.read()?))
    }
}

impl BlockForm {
    pub(super) fn new(block: &Block) -> Self {
        let layer = |cell: &Cell| (cell.height, cell.nswe.bits());
        match block {
            Block::Flat(flat) => Self::Flat {
                heights: (flat.high(), flat.low()),
                words: (flat.first_word(), flat.second_word()),
            },
            Block::Complex(cells) => Self::Cells {
                counts: vec![1; cells.len()],
                layers: cells.iter().map(layer).collect(),
            },
            Block::Multilayer(multilayer) => Self::Cells {
                counts: multilayer.columns().map(|it| it.len() as u8).collect(),
                layers: multilayer.all_layers().iter().map(layer).collect(),
            },
        }
    }

    /// `None` if it is no block.
    pub(super) fn read(self) -> Option<Block> {
        match self {
            Self::Flat { heights, words } => {
                // Formats take words differently; one of them gave these heights.
                let flats = [
                    Flat::from_pair(words.0, words.1),
                    Flat::from_word(words.0),
                    Flat::from_height(words.0),
                ];
                let is_it = |flat: &&Flat| {
                    (flat.high(), flat.low()) == heights
                        && (flat.first_word(), flat.second_word()) == words
                };
                flats.iter().find(is_it).map(|flat| Block::Flat(*flat))
            }
            Self::Cells { counts, layers } => {
                let cells = layers.iter();
                let cells =
                    cells.map(|(height, nswe)| Cell::new(*height, Nswe::from_bits_retain(*nswe)));
                let cells: Vec<Cell> = cells.collect();
                if counts.iter().all(|n| *n == 1)
                    && let Ok(cells) = Box::try_from(cells.clone())
                {
                    return Some(Block::Complex(cells));
                }
                let mut rest = &cells[..];
                let mut columns = Vec::new();
                for count in counts {
                    let (column, after) = rest.split_at_checked(usize::from(count))?;
                    columns.push(column);
                    rest = after;
                }
                let block = Multilayer::new(columns).filter(|_| rest.is_empty())?;
                Some(Block::Multilayer(Box::new(block)))
            }
        }
    }
}
