//! What lies across each edge, as the file says it.

use super::lists::list_of;
use super::outlines::Outlines;
use super::{Areal, ArealError, EdgeLink};

/// No areal, or no edge.
pub(super) const NONE: u32 = u32::MAX;

/// Links of all edges, and which areals lie beside which.
#[derive(Debug, Clone)]
pub(super) struct Links {
    /// By edge among all.
    links: Vec<Link>,
    /// Neighbors of areal `a` are `neighbors[starts[a]..starts[a + 1]]`.
    neighbors: Vec<u32>,
    starts: Vec<u32>,
}

/// What lies across an edge.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Link {
    /// Areal, or [`NONE`].
    pub to_areal: u32,
    /// Its edge among all edges, or [`NONE`] if the file names the areal alone.
    pub to_edge: u32,
}

impl Links {
    pub fn new(areals: &[Areal], outlines: &Outlines) -> Result<Self, ArealError> {
        let mut links = Vec::with_capacity(outlines.n_vertices());
        let mut neighbors = Vec::new();
        let mut starts = vec![0];
        // The last areal that has met each other one.
        let mut met_by = vec![NONE; areals.len()];
        for (areal_idx, areal) in areals.iter().enumerate() {
            let (n_links, n_vertices) = (areal.edge_links.len(), areal.vertices.len());
            if n_links != n_vertices {
                return Err(ArealError::LinkCount {
                    areal: areal_idx,
                    n_links,
                    n_vertices,
                });
            }
            for (edge_idx, &edge_link) in areal.edge_links.iter().enumerate() {
                let link = Link::new(edge_link, outlines).ok_or(ArealError::LinkOutOfRange {
                    areal: areal_idx,
                    edge: edge_idx,
                    to_areal: edge_link.areal,
                    to_edge: edge_link.edge,
                })?;
                links.push(link);
                // No areal has the number NONE.
                let met_by = met_by.get_mut(link.to_areal as usize);
                let before = met_by.map(|it| std::mem::replace(it, areal_idx as u32));
                if before.is_some_and(|before| before != areal_idx as u32) {
                    neighbors.push(link.to_areal);
                }
            }
            starts.push(neighbors.len() as u32);
        }
        Ok(Self {
            links,
            neighbors,
            starts,
        })
    }

    /// Link of an edge among all.
    #[expect(
        clippy::indexing_slicing,
        reason = "hot; each edge of an outline has a link, or there is no index"
    )]
    #[inline]
    pub fn edge_link(&self, edge: u32) -> Link {
        self.links[edge as usize]
    }

    /// Areals across the edges of one, in edge order, each once.
    pub fn neighbors(&self, areal: u32) -> &[u32] {
        list_of(&self.neighbors, &self.starts, areal as usize)
    }
}

impl Link {
    /// `None` if it names what is not there.
    fn new(link: EdgeLink, outlines: &Outlines) -> Option<Self> {
        if link.areal == -1 {
            return Some(Self {
                to_areal: NONE,
                to_edge: NONE,
            });
        }
        let to_areal = u32::try_from(link.areal).ok()?;
        if to_areal as usize >= outlines.n_areals() {
            return None;
        }
        let edges = outlines.vertices_of(to_areal);
        let to_edge = if link.edge == -1 {
            NONE
        } else {
            let edge = usize::try_from(link.edge).ok()?;
            edges.into_iter().nth(edge)? as u32
        };
        Some(Self { to_areal, to_edge })
    }
}
