//! The outline of a script: its variables, the scripts it declares, and the lines of their bodies.
//!
//! Document: Evil Islands dossier, section 11.6. Tolerant: text that is no script has an empty outline, and a body that
//! is not closed ends where the next one begins. Calls and statements are not looked into. Takes time by the length of
//! the text.

#[cfg(test)]
mod tests;
mod tokens;

use std::collections::BTreeMap;
use std::ops::RangeInclusive;

use self::tokens::{Token, TokenKind};
use ironlands_assets_core::bytes::{Finding, Severity};
use ironlands_assets_core::findings::Findings;

const FORMAT: &str = "script";
/// Types that variables have.
const TYPES: [&str; 4] = ["float", "string", "object", "group"];

/// The outline of a script. Lines count from 1.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ScriptOutline {
    /// Variables of `GlobalVars`.
    pub globals: Vec<ScriptVariable>,
    /// Scripts that are declared.
    pub declared: Vec<DeclaredScript>,
    /// Scripts that have bodies.
    pub bodies: Vec<ScriptBody>,
    /// Lines of `WorldScript`.
    pub world_script: Option<RangeInclusive<usize>>,
    problems: Vec<(Severity, usize, String)>,
}

/// A variable or an argument.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ScriptVariable {
    /// Its name, as it stands there.
    pub name: String,
    /// Its type, as it stands there; empty if there is none.
    pub type_name: String,
    /// Counted from 1.
    pub line: usize,
}

/// A `DeclareScript`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DeclaredScript {
    /// Name of the script.
    pub name: String,
    /// What it takes.
    pub arguments: Vec<ScriptVariable>,
    /// Counted from 1.
    pub line: usize,
}

/// A `Script`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ScriptBody {
    /// As in its declaration.
    pub name: String,
    /// From its first line to that of the parenthesis that closes it.
    pub lines: RangeInclusive<usize>,
}

/// A part of a script that stands in no other.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Part {
    GlobalVars,
    DeclareScript,
    Script,
    WorldScript,
}

impl Part {
    fn from_token(token: &Token<'_>) -> Option<Self> {
        let parts = [
            ("GlobalVars", Self::GlobalVars),
            ("DeclareScript", Self::DeclareScript),
            ("Script", Self::Script),
            ("WorldScript", Self::WorldScript),
        ];
        let is_it =
            |name: &str| token.kind == TokenKind::Name && token.text.eq_ignore_ascii_case(name);
        parts
            .into_iter()
            .find(|(name, _)| is_it(name))
            .map(|(_, part)| part)
    }

    fn has_name(self) -> bool {
        matches!(self, Self::DeclareScript | Self::Script)
    }
}

impl ScriptOutline {
    /// The outline of a text.
    pub fn from_text(text: &str) -> Self {
        let (tokens, open_strings) = tokens::tokens(text);
        let mut outline = Self::default();
        for line in open_strings {
            outline.problem(Severity::Warning, line, "a string is not closed".to_owned());
        }
        let mut rest = tokens.as_slice();
        while let Some((token, after)) = rest.split_first() {
            rest = match Part::from_token(token) {
                Some(part) => outline.part(part, token.line, after),
                None => {
                    if token.kind == TokenKind::Close {
                        let message = "a closing parenthesis closes nothing".to_owned();
                        outline.problem(Severity::Error, token.line, message);
                    }
                    after
                }
            };
        }
        outline
    }

    /// What is wrong with the script as far as an outline shows: parentheses, names and types.
    pub fn check(&self) -> Vec<Finding> {
        let mut findings = Findings::new(FORMAT);
        for severity in [Severity::Error, Severity::Warning] {
            let of_severity = self.problems.iter().filter(|problem| problem.0 == severity);
            let reported =
                of_severity.map(|(_, line, message)| (None, format!("line {line}: {message}")));
            findings.rule(severity, reported);
        }
        let mut n_bodies = BTreeMap::<String, usize>::new();
        for body in &self.bodies {
            let n = n_bodies.entry(body.name.to_ascii_lowercase()).or_default();
            *n = n.saturating_add(1);
        }
        let mut is_declared = BTreeMap::<String, bool>::new();
        for script in &self.declared {
            is_declared.insert(script.name.to_ascii_lowercase(), true);
        }
        let is_again = |body: &&ScriptBody| {
            n_bodies
                .get(&body.name.to_ascii_lowercase())
                .is_some_and(|n| *n > 1)
        };
        let again = self.bodies.iter().filter(is_again);
        let message = |body: &ScriptBody| {
            format!(
                "line {}: script {} has more than one body",
                body.lines.start(),
                body.name
            )
        };
        findings.rule(Severity::Warning, again.map(|body| (None, message(body))));
        let undeclared = self
            .bodies
            .iter()
            .filter(|body| !is_declared.contains_key(&body.name.to_ascii_lowercase()));
        let message = |body: &ScriptBody| {
            format!(
                "line {}: script {} is not declared",
                body.lines.start(),
                body.name
            )
        };
        findings.rule(
            Severity::Warning,
            undeclared.map(|body| (None, message(body))),
        );
        let bodiless = self
            .declared
            .iter()
            .filter(|it| !n_bodies.contains_key(&it.name.to_ascii_lowercase()));
        let message =
            |it: &DeclaredScript| format!("line {}: script {} has no body", it.line, it.name);
        findings.rule(Severity::Warning, bodiless.map(|it| (None, message(it))));
        let arguments = self.declared.iter().flat_map(|script| &script.arguments);
        let is_typed = |it: &&ScriptVariable| {
            TYPES
                .iter()
                .any(|name| it.type_name.eq_ignore_ascii_case(name))
        };
        let untyped = self
            .globals
            .iter()
            .chain(arguments)
            .filter(|it| !is_typed(it));
        let message = |it: &ScriptVariable| {
            format!(
                "line {}: {} is of no known type: {:?}",
                it.line, it.name, it.type_name
            )
        };
        findings.rule(Severity::Warning, untyped.map(|it| (None, message(it))));
        findings.into_list()
    }

    fn problem(&mut self, severity: Severity, line: usize, message: String) {
        self.problems.push((severity, line, message));
    }

    /// Takes a part whose keyword has been taken; returns what follows.
    fn part<'t>(&mut self, part: Part, line: usize, after: &'t [Token<'t>]) -> &'t [Token<'t>] {
        let (name, rest) = match after.split_first() {
            Some((name, rest)) if part.has_name() && name.kind == TokenKind::Name => {
                (name.text, rest)
            }
            _ => ("", after),
        };
        let Some((_, inside)) = rest
            .split_first()
            .filter(|(token, _)| token.kind == TokenKind::Open)
        else {
            self.problem(
                Severity::Error,
                line,
                "an opening parenthesis is missing".to_owned(),
            );
            return rest;
        };
        let (inside, last_line, rest) = match closing(inside) {
            Closing::At(idx) => {
                let (body, rest) = inside.split_at(idx);
                let last_line = rest.first().map_or(line, |token| token.line);
                (body, last_line, rest.get(1..).unwrap_or_default())
            }
            Closing::Missing(idx) => {
                self.problem(
                    Severity::Error,
                    line,
                    "a parenthesis that opens here is not closed".to_owned(),
                );
                let (body, rest) = inside.split_at(idx);
                (body, body.last().map_or(line, |token| token.line), rest)
            }
        };
        let name = name.to_owned();
        let lines = line..=last_line;
        match part {
            Part::GlobalVars => self.globals.extend(variables(inside)),
            Part::DeclareScript => self.declared.push(DeclaredScript {
                name,
                arguments: variables(inside),
                line,
            }),
            Part::Script => self.bodies.push(ScriptBody { name, lines }),
            Part::WorldScript => {
                if self.world_script.replace(lines).is_some() {
                    self.problem(
                        Severity::Warning,
                        line,
                        "there is more than one WorldScript".to_owned(),
                    );
                }
            }
        }
        rest
    }
}

/// Where a part ends.
enum Closing {
    /// At this token, which closes it.
    At(usize),
    /// Before this token, at which the next part or nothing begins.
    Missing(usize),
}

/// Finds the end of a part whose first parenthesis is open.
fn closing(tokens: &[Token<'_>]) -> Closing {
    let mut depth = 1usize;
    for (idx, token) in tokens.iter().enumerate() {
        match token.kind {
            TokenKind::Open => depth = depth.saturating_add(1),
            TokenKind::Close => depth = depth.saturating_sub(1),
            TokenKind::Name if token.is_first_of_line && Part::from_token(token).is_some() => {
                return Closing::Missing(idx);
            }
            TokenKind::Name | TokenKind::Colon | TokenKind::Other => {}
        }
        if depth == 0 {
            return Closing::At(idx);
        }
    }
    Closing::Missing(tokens.len())
}

/// All of `name : type` between other things.
fn variables(tokens: &[Token<'_>]) -> Vec<ScriptVariable> {
    let mut variables = Vec::new();
    let mut rest = tokens;
    while let [first, after @ ..] = rest {
        let is_name = |token: &Token<'_>| token.kind == TokenKind::Name;
        let (type_name, next) = match after {
            [colon, type_name, next @ ..]
                if colon.kind == TokenKind::Colon && is_name(type_name) =>
            {
                (type_name.text, next)
            }
            _ => ("", after),
        };
        if is_name(first) {
            variables.push(ScriptVariable {
                name: first.text.to_owned(),
                type_name: type_name.to_owned(),
                line: first.line,
            });
        }
        rest = if is_name(first) { next } else { after };
    }
    variables
}
