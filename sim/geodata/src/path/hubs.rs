//! Which zones lead to which, in a few bytes a zone, by means of hubs.
//!
//! Hubs are the largest sets of zones that lead to each other. Zones that reach the same hubs and are reached from the
//! same ones are of one class. Two classes usually decide whether a path leads from one to the other; where they do
//! not, neither zone is of a hub, and the search between them ends at the hubs around.

use super::scc::strong_components;
use ironlands_sim_regions::zones::ZoneClass;
use std::cmp::Reverse;
use std::collections::HashMap;
use std::sync::Arc;

/// Hubs: the bits of a mask.
const N_HUBS: usize = 64;

/// The classes of all zones of a graph.
#[derive(Debug, Clone, Default)]
pub(super) struct Classes {
    /// Class of each zone. Empty where classes are not known.
    pub of_zone: Arc<[u32]>,
    pub classes: Arc<[ZoneClass]>,
    pub n_components: u32,
}

impl Classes {
    /// `firsts` is the first edge of each zone and the number of all edges, `ends` where edges lead.
    pub(super) fn new(firsts: &[u32], ends: &[u32]) -> Self {
        let (components, n_components) = strong_components(firsts, |edge| ends[edge as usize]);
        let mut n_zones = vec![0_u32; n_components as usize];
        for &component in &components {
            n_zones[component as usize] += 1;
        }
        let mut classes = vec![ZoneClass::default(); n_zones.len()];
        for (bit, hub) in largest(&n_zones).into_iter().enumerate() {
            classes[hub as usize] = ZoneClass {
                reaches: 1 << bit,
                reached_by: 1 << bit,
            };
        }
        let order = by_component(&components, &n_zones);
        let ends_of = |zone: u32| {
            let [first, end] = [zone, zone + 1].map(|at| firsts[at as usize] as usize);
            ends[first..end]
                .iter()
                .map(|&end| components[end as usize] as usize)
        };
        // A component that leads to another has the higher number: what is lower is known already, and the reverse
        // round what is higher.
        for &zone in &order {
            let own = components[zone as usize] as usize;
            let below = ends_of(zone).fold(0, |reaches, end| reaches | classes[end].reaches);
            classes[own].reaches |= below;
        }
        for &zone in order.iter().rev() {
            let reached_by = classes[components[zone as usize] as usize].reached_by;
            ends_of(zone).for_each(|end| classes[end].reached_by |= reached_by);
        }
        let mut numbers = HashMap::new();
        let mut distinct = Vec::new();
        let numbers: Vec<u32> = classes
            .into_iter()
            .map(|class| {
                *numbers.entry(class).or_insert_with(|| {
                    distinct.push(class);
                    // Not more than components.
                    distinct.len() as u32 - 1
                })
            })
            .collect();
        let of_zone = components.iter();
        Self {
            of_zone: of_zone
                .map(|&component| numbers[component as usize])
                .collect(),
            classes: distinct.into(),
            n_components,
        }
    }

    /// Whether paths lead from a zone to another; `None` if that is not known.
    pub(super) fn leads_to(&self, from: usize, to: usize) -> Option<bool> {
        let class = |zone: usize| self.classes.get(*self.of_zone.get(zone)? as usize);
        class(from)?.leads_to(*class(to)?)
    }

    pub(super) fn n_bytes(&self) -> usize {
        size_of_val(&*self.of_zone) + size_of_val(&*self.classes)
    }
}

/// The components with the most zones; of equals the first.
fn largest(n_zones: &[u32]) -> Vec<u32> {
    // Components are numbered with 32 bits.
    let mut components: Vec<u32> = (0..n_zones.len() as u32).collect();
    let key = |&component: &u32| (Reverse(n_zones[component as usize]), component);
    if components.len() > N_HUBS {
        components.select_nth_unstable_by_key(N_HUBS, key);
        components.truncate(N_HUBS);
    }
    components
}

/// Zones in the order of their components.
fn by_component(components: &[u32], n_zones: &[u32]) -> Vec<u32> {
    let mut next = Vec::with_capacity(n_zones.len());
    let mut before = 0;
    for n in n_zones {
        next.push(before);
        before += n;
    }
    let mut order = vec![0; components.len()];
    for (zone, &component) in (0..).zip(components) {
        let place = &mut next[component as usize];
        order[*place as usize] = zone;
        *place += 1;
    }
    order
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Against reachability by a plain flood, on graphs with more components than hubs.
    #[test]
    fn classes_never_contradict_a_flood() {
        let mut seed = 1_u64;
        let mut draw = |n: u64| {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            ((seed >> 33) % n) as u32
        };
        let (mut n_reported, mut n_open) = (0, 0);
        for _ in 0..20 {
            let n = 150;
            let edges: Vec<_> = (0..170).map(|_| (draw(n), draw(n))).collect();
            let (mut firsts, mut ends) = (vec![0], Vec::new());
            for node in 0..n as u32 {
                let of = edges.iter().filter(|edge| edge.0 == node);
                ends.extend(of.map(|edge| edge.1));
                firsts.push(ends.len() as u32);
            }
            let classes = Classes::new(&firsts, &ends);
            for from in 0..n as u32 {
                let mut seen = vec![from];
                let mut at = 0;
                while let Some(&here) = seen.get(at) {
                    for &(_, next) in edges.iter().filter(|edge| edge.0 == here) {
                        if !seen.contains(&next) {
                            seen.push(next);
                        }
                    }
                    at += 1;
                }
                for to in 0..n as u32 {
                    match classes.leads_to(from as usize, to as usize) {
                        None => n_open += 1,
                        Some(leads) => {
                            assert_eq!(leads, seen.contains(&to), "{from} {to} {edges:?}");
                            n_reported += 1;
                        }
                    }
                }
            }
        }
        assert!(
            n_reported > 2 * n_open && n_open > 0,
            "{n_reported} {n_open}"
        );
    }
}
