//! Rules that all known scripts keep.

use super::{FORMAT, Handler, N_FUNCTIONS, Node, NodeKind, Relation, Scr};
use ironlands_assets_core::bytes::{Finding, Severity};
use ironlands_assets_core::findings::Findings;
use ironlands_assets_core::text::decode_cp1251;

impl Scr {
    /// Functions, nodes and handlers that are not there, other numbers of operands than a kind has, and words that no known
    /// script has.
    pub fn check(&self) -> Vec<Finding> {
        let mut findings = Findings::new(FORMAT);
        let n_functions = self.n_functions;
        let message = format!("{n_functions} functions, not {N_FUNCTIONS}");
        let is_other = n_functions != N_FUNCTIONS;
        findings.rule(Severity::Note, is_other.then_some((Some(0), message)));
        let rule = |findings: &mut Findings,
                    severity,
                    problem: fn(&Self, &Handler, &Node) -> Option<String>| {
            let nodes = self.handlers.iter().flat_map(|handler| {
                let nodes = handler.nodes.iter().enumerate();
                nodes.map(move |(idx, node)| (handler, idx, node))
            });
            findings.rule(
                severity,
                nodes.filter_map(|(handler, idx, node)| {
                    let problem = problem(self, handler, node)?;
                    let name = decode_cp1251(&handler.name);
                    Some((None, format!("handler {name}, node {idx}: {problem}")))
                }),
            );
        };
        rule(&mut findings, Severity::Error, missing_place);
        rule(&mut findings, Severity::Error, |script, _, node| {
            let function = node.function?;
            let exists = (0..script.n_functions).contains(&function);
            (!exists).then(|| format!("there is no function {function}"))
        });
        rule(&mut findings, Severity::Warning, |_, _, node| {
            let [found, expected] = [node.operands.len(), node.kind.n_operands()?];
            let kind = node.kind;
            (found != expected).then(|| format!("{found} operands, {kind:?} has {expected}"))
        });
        rule(&mut findings, Severity::Warning, |_, _, node| {
            let compares = !matches!(node.relation, Relation::None);
            let is_amiss = matches!(node.relation, Relation::Unknown(_))
                || compares != (node.kind == NodeKind::If);
            is_amiss.then(|| format!("{:?} with relation {:?}", node.kind, node.relation))
        });
        rule(&mut findings, Severity::Warning, |_, _, node| {
            match node.kind {
                NodeKind::Unknown(word) => Some(format!("unknown kind {word}")),
                _ => None,
            }
        });
        findings.into_list()
    }
}

/// Where a node leads that is not there.
fn missing_place(script: &Scr, handler: &Handler, node: &Node) -> Option<String> {
    let (what, n_there) = match node.kind {
        NodeKind::Goto => ("node", handler.nodes.len()),
        NodeKind::Switch => ("handler", script.handlers.len()),
        _ => return None,
    };
    let to = *node.operands.first()?;
    let exists = usize::try_from(to).is_ok_and(|to| to < n_there);
    (!exists).then(|| format!("it leads to {what} {to}, there are {n_there}"))
}
