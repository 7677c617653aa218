//! Stdin in pieces of whole lines or rows, as large as what has arrived.

use std::io::{self, Read};
use std::sync::mpsc::{Receiver, RecvTimeoutError, TryRecvError, sync_channel};
use std::time::Duration;

use crate::Lineage2Error;
use ironlands_world_kind::console::interrupt::check_interrupt;

/// Bytes that are read at a time.
const READ_BYTES: usize = 1 << 18;
/// Reads that may wait: what a piece holds at most, beside the rest of the one before.
const MAX_READS: usize = 16;
/// Longest line.
const MAX_LINE_BYTES: usize = 1 << 20;
/// How often Ctrl-C is looked at while nothing arrives.
const WAIT: Duration = Duration::from_millis(100);

/// What pieces are whole numbers of.
#[derive(Debug, Clone, Copy)]
pub enum Rows {
    /// Ends with a line feed, which the last line may lack.
    Lines,
    /// A number of bytes.
    Bytes(usize),
}

/// Pieces of stdin. It is read by a thread of its own, while the pieces before are worked on.
pub struct Chunks {
    rows: Rows,
    reads: Receiver<io::Result<Vec<u8>>>,
    bytes: Vec<u8>,
    /// Bytes at the start that the last piece had.
    n_used: usize,
    is_at_end: bool,
}

impl Chunks {
    /// Starts to read.
    pub fn new(rows: Rows) -> Self {
        let (sender, reads) = sync_channel(MAX_READS);
        std::thread::spawn(move || {
            let mut stdin = io::stdin().lock();
            loop {
                let mut bytes = vec![0; READ_BYTES];
                let read = stdin.read(&mut bytes);
                let is_interrupted = |error: &io::Error| error.kind() == io::ErrorKind::Interrupted;
                if read.as_ref().is_err_and(is_interrupted) {
                    continue;
                }
                let is_last = !matches!(read, Ok(1..));
                let read = read.map(|n_bytes| {
                    bytes.truncate(n_bytes);
                    bytes
                });
                // Without a receiver the program is about to end.
                if sender.send(read).is_err() || is_last {
                    break;
                }
            }
        });
        Self {
            rows,
            reads,
            bytes: Vec::new(),
            n_used: 0,
            is_at_end: false,
        }
    }

    /// The next piece; `None` at the end.
    ///
    /// # Errors
    /// If stdin cannot be read, it ends within a row of bytes, a line is too long, or on Ctrl-C.
    pub fn next(&mut self) -> Result<Option<&[u8]>, Lineage2Error> {
        self.bytes.drain(..self.n_used);
        self.n_used = 0;
        while self.n_used == 0 && !self.is_at_end {
            self.receive()?;
            self.n_used = self.n_whole()?;
        }
        Ok((self.n_used > 0).then(|| &self.bytes[..self.n_used]))
    }

    /// Waits for a read, and takes those that are there already.
    fn receive(&mut self) -> Result<(), Lineage2Error> {
        let mut read = loop {
            check_interrupt()?;
            match self.reads.recv_timeout(WAIT) {
                Ok(read) => break read?,
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => break Vec::new(),
            }
        };
        for _ in 0..MAX_READS {
            self.is_at_end |= read.is_empty();
            self.bytes.append(&mut read);
            match self.reads.try_recv() {
                Ok(next) => read = next?,
                Err(TryRecvError::Empty | TryRecvError::Disconnected) => return Ok(()),
            }
        }
        self.is_at_end |= read.is_empty();
        self.bytes.append(&mut read);
        Ok(())
    }

    /// Bytes of whole rows.
    fn n_whole(&self) -> Result<usize, Lineage2Error> {
        let n_bytes = self.bytes.len();
        match self.rows {
            Rows::Lines => {
                let end = self.bytes.iter().rposition(|byte| *byte == b'\n');
                let n_whole = end.map_or(0, |end| end + 1);
                if n_bytes - n_whole > MAX_LINE_BYTES {
                    return Err(Lineage2Error::LongLine {
                        max_bytes: MAX_LINE_BYTES,
                    });
                }
                Ok(if self.is_at_end { n_bytes } else { n_whole })
            }
            Rows::Bytes(size) if self.is_at_end && !n_bytes.is_multiple_of(size) => {
                Err(Lineage2Error::CutRow {
                    n_left: n_bytes % size,
                    size,
                })
            }
            Rows::Bytes(size) => Ok(n_bytes - n_bytes % size),
        }
    }
}
