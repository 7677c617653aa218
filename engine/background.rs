//! Work on other threads, whose results are fetched between frames.
//!
//! In: closures. Out: their results, in the order in which they finished. Dropping this cancels the
//! work: what runs is signaled to stop, what waits does not begin, and late results are discarded.
//!
//! Deliberately absent: threads of its own (work runs on those of rayon), an order of what is done first.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};

/// Work in progress.
#[derive(Debug)]
pub struct Background<T> {
    is_unwanted: Arc<AtomicBool>,
    send: Sender<T>,
    results: Receiver<T>,
    /// Results that are still to be fetched.
    n_open: usize,
}

impl<T> Default for Background<T> {
    fn default() -> Self {
        let (send, results) = channel();
        Self {
            is_unwanted: Arc::default(),
            send,
            results,
            n_open: 0,
        }
    }
}

impl<T: Send + 'static> Background<T> {
    /// Runs `work` on another thread. Long work checks its flag now and then: once it is set, the result is
    /// discarded.
    pub fn spawn(&mut self, work: impl FnOnce(&AtomicBool) -> T + Send + 'static) {
        let (is_unwanted, send) = (Arc::clone(&self.is_unwanted), self.send.clone());
        self.n_open += 1;
        rayon::spawn(move || {
            if !is_unwanted.load(Ordering::Relaxed) {
                // There is no receiver any more once this is dropped.
                let _ = send.send(work(&is_unwanted));
            }
        });
    }

    /// The next finished result, if any. Does not block.
    pub fn fetch(&mut self) -> Option<T> {
        let result = self.results.try_recv().ok()?;
        self.n_open -= 1;
        Some(result)
    }

    /// Blocks until a result is there; `None` if no work is left.
    pub fn wait(&mut self) -> Option<T> {
        if !self.is_busy() {
            return None;
        }
        let result = self.results.recv().ok()?;
        self.n_open -= 1;
        Some(result)
    }

    /// Whether there are results to be fetched, now or later.
    pub fn is_busy(&self) -> bool {
        self.n_open > 0
    }
}

impl<T> Drop for Background<T> {
    fn drop(&mut self) {
        self.is_unwanted.store(true, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_are_fetched_once_and_waited_for_only_if_they_are_to_come() {
        let mut background = Background::default();
        assert_eq!((background.fetch(), background.wait()), (None, None));
        let (go, wait_for_go) = channel::<()>();
        background.spawn(move |_| wait_for_go.recv().is_ok());
        assert_eq!((background.fetch(), background.is_busy()), (None, true));
        go.send(()).unwrap();
        assert_eq!(background.wait(), Some(true));
        assert_eq!((background.fetch(), background.is_busy()), (None, false));
        for number in [false, true] {
            background.spawn(move |_| number);
        }
        let mut both = [background.wait(), background.wait()];
        both.sort_unstable();
        assert_eq!(both, [Some(false), Some(true)]);
        assert_eq!(background.wait(), None);
    }

    #[test]
    fn what_is_dropped_stops_its_work_and_gets_no_late_result() {
        let (go, wait_for_go) = channel::<()>();
        let (report, reported) = channel();
        let mut background = Background::default();
        background.spawn(move |is_unwanted| {
            let _ = report.send(is_unwanted.load(Ordering::Relaxed));
            // It does not look before it is too late.
            let _ = wait_for_go.recv();
            let _ = report.send(is_unwanted.load(Ordering::Relaxed));
            1
        });
        assert_eq!(reported.recv(), Ok(false), "it has begun");
        background = Background::default();
        go.send(()).unwrap();
        assert_eq!(reported.recv(), Ok(true));
        assert_eq!((background.fetch(), background.wait()), (None, None));
        background.spawn(|is_unwanted| match is_unwanted.load(Ordering::Relaxed) {
            true => 2,
            false => 3,
        });
        assert_eq!(background.wait(), Some(3));
    }
}
