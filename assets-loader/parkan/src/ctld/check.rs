//! Indices in control data that lead nowhere.

use super::{Ctld, FORMAT};
use ironlands_assets_core::bytes::{Finding, Severity};
use ironlands_assets_core::findings::Findings;

/// Classes of components.
const CLASSES: std::ops::RangeInclusive<i32> = 1..=30;
/// Numbers of actions.
const LAST_ACTION: u32 = 0x2F;

impl Ctld {
    /// Indices that lead nowhere, and numbers that no known file has.
    pub fn check(&self) -> Vec<Finding> {
        let mut findings = Findings::new(FORMAT);
        let is_group = |group: i32| {
            group == -1 || usize::try_from(group).is_ok_and(|it| it < self.groups.len())
        };
        let hooks = self.hooks.iter().enumerate();
        let of_hooks = hooks.map(|(idx, group)| (format!("hook {idx}"), *group));
        let states = self.states.iter().enumerate();
        let of_states =
            states.map(|(idx, state)| (format!("state {idx}"), state.record.action_group));
        let lost = of_hooks.chain(of_states).filter(|(_, it)| !is_group(*it));
        let n_groups = self.groups.len();
        let message = |(what, group): (String, i32)| {
            (None, format!("{what} names group {group} of {n_groups}"))
        };
        findings.rule(Severity::Warning, lost.map(message));
        let components = self.components.iter().enumerate();
        let odd = components.filter(|(_, it)| !CLASSES.contains(&it.record.class));
        findings.rule(
            Severity::Note,
            odd.map(|(idx, it)| (None, format!("component {idx}: class {}", it.record.class))),
        );
        let drives = self
            .components
            .iter()
            .enumerate()
            .flat_map(|(idx, it)| it.channels.iter().map(move |channel| (idx, *channel)));
        let n_channels = self.channels.len();
        let undriven = drives.filter(|(_, channel)| {
            usize::try_from(*channel).is_ok_and(|it| it >= n_channels) || *channel < 0
        });
        findings.rule(
            Severity::Warning,
            undriven.map(|(idx, channel)| {
                let message = format!("component {idx} drives channel {channel} of {n_channels}");
                (None, message)
            }),
        );
        let actions = self
            .groups
            .iter()
            .enumerate()
            .flat_map(|(idx, actions)| actions.iter().map(move |action| (idx, action.action)));
        let unknown = actions.filter(|(_, action)| *action > LAST_ACTION);
        findings.rule(
            Severity::Note,
            unknown.map(|(idx, action)| (None, format!("group {idx}: unknown action {action}"))),
        );
        findings.into_list()
    }
}
