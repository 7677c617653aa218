//! Events: who fired what, and when it is delivered.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, VecDeque};

/// Most events that wait at once; those beyond it are lost.
const MAX_WAITING: usize = 1 << 14;
/// Entries of the log that are kept.
const MAX_LOGGED: usize = 256;

/// Who set something off.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Activator {
    /// Nothing: the level itself, or the user.
    #[default]
    Nothing,
    /// The walker.
    Body,
    /// An entity, by its index.
    Entity(usize),
}

/// An input on its way. They are ordered by when they are delivered: by tick, then as they were sent.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Event {
    pub tick: u64,
    pub number: u64,
    /// Name or class of the target, or one of the names that begin with an exclamation mark.
    pub target: String,
    pub input: String,
    pub parameter: String,
    pub activator: Activator,
    /// Whose output it is; `None` for one that was sent by hand.
    pub caller: Option<usize>,
    /// The only one that receives it, whatever the name.
    pub receiver: Option<usize>,
}

/// Events that wait, in order.
#[derive(Debug, Clone, Default)]
pub(crate) struct Queue {
    events: BinaryHeap<Reverse<Event>>,
    n_sent: u64,
}

impl Queue {
    pub fn send(&mut self, mut event: Event) {
        if self.events.len() < MAX_WAITING {
            event.number = self.n_sent;
            self.n_sent = self.n_sent.saturating_add(1);
            self.events.push(Reverse(event));
        }
    }

    /// The next event that is due.
    pub fn due(&mut self, tick: u64) -> Option<Event> {
        let is_due = self.events.peek().is_some_and(|it| it.0.tick <= tick);
        is_due.then(|| self.events.pop().map(|it| it.0)).flatten()
    }

    /// Takes back what an entity has sent.
    pub fn cancel(&mut self, caller: usize) {
        self.events.retain(|it| it.0.caller != Some(caller));
    }

    pub fn len(&self) -> usize {
        self.events.len()
    }
}

/// A connection of an output that fired, or an input that was sent by hand.
#[derive(Debug, Clone, PartialEq)]
pub struct LogEntry {
    /// When it fired.
    pub tick: u64,
    /// The entity whose output it is; `None` for an input sent by hand.
    pub entity: Option<usize>,
    /// The output.
    pub output: String,
    /// Name of the target, as written.
    pub target: String,
    /// The input that it receives.
    pub input: String,
    /// With what.
    pub parameter: String,
    /// Seconds until then.
    pub delay_secs: f64,
}

/// The last entries, and how many there were.
#[derive(Debug, Clone, Default)]
pub(crate) struct Log {
    pub entries: VecDeque<LogEntry>,
    pub n_logged: u64,
}

impl Log {
    pub fn push(&mut self, entry: LogEntry) {
        if self.entries.len() == MAX_LOGGED {
            self.entries.pop_front();
        }
        self.entries.push_back(entry);
        self.n_logged = self.n_logged.saturating_add(1);
    }
}
