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

    /// The journal of a level: beside its regions, or beside the one that it is.
    pub fn path_of_level(path: &Path) -> PathBuf {
        let parent = path.parent().filter(|it| !it.as_os_str().is_empty());
        Self::path_in(match path.is_dir() {
            true => path,
            false => parent.unwrap_or(Path::new(".")),
        })
    }

    /// Continues one that is there, after the last of its changes. A line that was cut by a crash is removed.
    ///
    /// # Errors
    /// If it cannot be read or written, or is damaged.
    pub fn resume(path: &Path) -> Result<(Self, Vec<JournalRecord>), JournalError> {
        let (records, n_bytes) = read_records(path)?;
        let opened = File::options().append(true).open(path);
        let resumed = opened.and_then(|file| {
            file.set_len(n_bytes)?;
            Ok(Self {
                path: path.to_owned(),
                file,
            })
        });
        Ok((resumed.map_err(io_error(path))?, records))
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

    /// Writes these blocks in place of all that it has; a crash leaves the one or the other.
    ///
    /// # Errors
    /// If the system refuses.
    pub fn start_over<'a>(
        &mut self,
        blocks: impl IntoIterator<Item = (RegionId, u16, &'a Block)>,
    ) -> Result<(), JournalError> {
        let mut name = self.path.as_os_str().to_owned();
        name.push(".new");
        let new_path = PathBuf::from(name);
        let file = File::create(&new_path).map_err(io_error(&new_path))?;
        let mut new = Self {
            path: new_path,
            file,
        };
        new.append(blocks)?;
        fs::rename(&new.path, &self.path).map_err(io_error(&self.path))?;
        self.file = new.file;
        Ok(())
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
        written.map_err(io_error(&self.path))
    }

    /// The changes of a journal, in order.
    ///
    /// # Errors
    /// If it cannot be read, or a line before its last one is damaged.
    pub fn read(path: &Path) -> Result<Vec<JournalRecord>, JournalError> {
        Ok(read_records(path)?.0)
    }

    /// Removes it: what it says is in the files.
    ///
    /// # Errors
    /// If the system refuses.
    pub fn remove(path: &Path) -> Result<(), JournalError> {
        fs::remove_file(path).map_err(io_error(path))
    }
}

fn io_error(path: &Path) -> impl Fn(io::Error) -> JournalError {
    move |error| JournalError::Io {
        path: path.to_owned(),
        error,
    }
}

/// The changes of a journal, and how many bytes they are.
fn read_records(path: &Path) -> Result<(Vec<JournalRecord>, u64), JournalError> {
    let bytes = vfs::read(path).map_err(io_error(path))?;
    let (mut records, mut n_bytes) = (Vec::new(), 0);
    let mut lines = (1..)
        .zip(bytes.split_inclusive(|byte| *byte == b'\n'))
        .peekable();
    while let Some((number, line)) = lines.next() {
        let record = serde_json::from_slice::<Vec<BlockJson>>(line).ok();
        // Without its end a line may have been cut.
        let record = record.filter(|_| line.ends_with(b"\n"));
        let record = record.and_then(|blocks| {
            let blocks = blocks.into_iter();
            blocks.map(BlockJson::read).collect::<Option<Vec<_>>>()
        });
        match record {
            Some(blocks) => {
                records.push(JournalRecord { blocks });
                n_bytes += line.len() as u64;
            }
            None if lines.peek().is_none() => break,
            None => {
                return Err(JournalError::Damaged {
                    path: path.to_owned(),
                    line: number,
                });
            }
        }
    }
    Ok((records, n_bytes))
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
