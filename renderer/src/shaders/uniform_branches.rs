//! No branch of a shader and no loop depends on uniform buffers alone.
//!
//! Mesa's software driver (`update_inline_shader_state` of Mesa 22.3) puts the values of such uniforms into the shader and
//! compiles it again for each draw, as long as that leaves half of it out or, by unrolling a loop, makes it longer.

use std::collections::HashMap;
use std::mem;

use naga::{
    AddressSpace, Block, Expression, Function, Handle, LocalVariable, Module, Span, Statement,
};

use super::tests::{ALL, parse};
use super::{ADAPT_EXPOSURE, MEASURE_LIGHT};

/// What a value depends on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
enum Source {
    /// Numbers in the shader, and what a pipeline overrides.
    Fixed,
    /// These and uniform buffers.
    Uniform,
    /// Anything else: vertices, pixels, textures, storage.
    Varying,
}

type Known = (
    Vec<Source>,
    HashMap<Handle<LocalVariable>, Source>,
    HashMap<Handle<Expression>, Source>,
);
type Inputs = (Handle<Function>, Vec<Source>);

/// Follows values through the calls of a module.
struct Tracer<'a> {
    module: &'a Module,
    /// What functions return, by what they are called with and whether their branches were noted.
    returned: HashMap<(Inputs, bool), Source>,
    /// Branches that depend on uniform buffers alone.
    found: Vec<Span>,
    /// Whether all is known that leads to the function gone through.
    is_noting: bool,
}

/// What is known of a function while its statements are gone through.
struct Scope<'a> {
    function: &'a Function,
    arguments: &'a [Source],
    expressions: Vec<Source>,
    locals: HashMap<Handle<LocalVariable>, Source>,
    calls: HashMap<Handle<Expression>, Source>,
    returned: Source,
}

impl Tracer<'_> {
    /// What a function returns.
    fn trace(&mut self, function: &Function, arguments: &[Source]) -> Source {
        let mut scope = Scope {
            function,
            arguments,
            expressions: vec![Source::Fixed; function.expressions.len()],
            locals: HashMap::new(),
            calls: HashMap::new(),
            returned: Source::Fixed,
        };
        let is_noting = mem::take(&mut self.is_noting);
        loop {
            let before = scope.known();
            scope.evaluate(self.module);
            self.walk(&mut scope, &function.body);
            if before == scope.known() {
                break;
            }
        }
        self.is_noting = is_noting;
        if is_noting {
            self.walk(&mut scope, &function.body);
        }
        scope.returned
    }

    fn walk(&mut self, scope: &mut Scope, block: &Block) {
        for (statement, &span) in block.span_iter() {
            match statement {
                Statement::Block(block) => self.walk(scope, block),
                Statement::If {
                    condition,
                    accept,
                    reject,
                } => {
                    self.branch(scope, *condition, span);
                    self.walk(scope, accept);
                    self.walk(scope, reject);
                }
                Statement::Switch { selector, cases } => {
                    self.branch(scope, *selector, span);
                    for case in cases {
                        self.walk(scope, &case.body);
                    }
                }
                Statement::Loop {
                    body,
                    continuing,
                    break_if,
                } => {
                    self.walk(scope, body);
                    self.walk(scope, continuing);
                    if let Some(condition) = break_if {
                        self.branch(scope, *condition, span);
                    }
                }
                Statement::Return { value: Some(value) } => {
                    scope.returned = scope.returned.max(scope.of(*value));
                }
                Statement::Store { pointer, value } => scope.store(*pointer, *value),
                Statement::Call {
                    function,
                    arguments,
                    result,
                } => {
                    let arguments = arguments.iter().map(|it| scope.of(*it)).collect();
                    let returned = self.call((*function, arguments));
                    if let Some(result) = result {
                        scope.calls.insert(*result, returned);
                    }
                }
                _ => {}
            }
        }
    }

    fn branch(&mut self, scope: &Scope, condition: Handle<Expression>, span: Span) {
        if self.is_noting && scope.of(condition) == Source::Uniform {
            self.found.push(span);
        }
    }

    fn call(&mut self, inputs: Inputs) -> Source {
        let key = (inputs.clone(), self.is_noting);
        if let Some(&returned) = self.returned.get(&key) {
            return returned;
        }
        let module = self.module;
        let returned = self.trace(&module.functions[inputs.0], &inputs.1);
        self.returned.insert(key, returned);
        returned
    }
}

impl Scope<'_> {
    fn known(&self) -> Known {
        (
            self.expressions.clone(),
            self.locals.clone(),
            self.calls.clone(),
        )
    }

    fn of(&self, expression: Handle<Expression>) -> Source {
        self.expressions[expression.index()]
    }

    /// A variable depends on all that is ever stored in it or in a part of it.
    fn store(&mut self, pointer: Handle<Expression>, value: Handle<Expression>) {
        let mut place = pointer;
        let mut source = self.of(value);
        loop {
            match self.function.expressions[place] {
                Expression::LocalVariable(local) => {
                    let known = self.locals.entry(local).or_insert(Source::Fixed);
                    *known = source.max(*known);
                    return;
                }
                Expression::Access { base, index } => {
                    source = source.max(self.of(index));
                    place = base;
                }
                Expression::AccessIndex { base, .. } => place = base,
                _ => return,
            }
        }
    }

    /// Operands come before what is made of them.
    fn evaluate(&mut self, module: &Module) {
        for (handle, expression) in self.function.expressions.iter() {
            self.expressions[handle.index()] = self.evaluated(module, handle, expression);
        }
    }

    fn evaluated(
        &self,
        module: &Module,
        handle: Handle<Expression>,
        expression: &Expression,
    ) -> Source {
        let most = |operands: &[Option<Handle<Expression>>]| {
            let known = operands.iter().flatten().map(|it| self.of(*it));
            known.max().unwrap_or(Source::Fixed)
        };
        match *expression {
            Expression::Literal(_)
            | Expression::Constant(_)
            | Expression::Override(_)
            | Expression::ZeroValue(_) => Source::Fixed,
            Expression::Compose { ref components, .. } => {
                let known = components.iter().map(|it| self.of(*it));
                known.max().unwrap_or(Source::Fixed)
            }
            Expression::FunctionArgument(index) => self.arguments[index as usize],
            Expression::GlobalVariable(variable) => match module.global_variables[variable].space {
                AddressSpace::Uniform => Source::Uniform,
                _ => Source::Varying,
            },
            Expression::LocalVariable(local) => {
                let first = most(&[self.function.local_variables[local].init]);
                self.locals
                    .get(&local)
                    .copied()
                    .unwrap_or(Source::Fixed)
                    .max(first)
            }
            Expression::CallResult(_) => self.calls.get(&handle).copied().unwrap_or(Source::Fixed),
            Expression::Access { base, index } => most(&[Some(base), Some(index)]),
            Expression::AccessIndex { base, .. } => self.of(base),
            Expression::Splat { value, .. } => self.of(value),
            Expression::Swizzle { vector, .. } => self.of(vector),
            Expression::Load { pointer } => self.of(pointer),
            Expression::Unary { expr, .. } | Expression::As { expr, .. } => self.of(expr),
            Expression::Binary { left, right, .. } => most(&[Some(left), Some(right)]),
            Expression::Select {
                condition,
                accept,
                reject,
            } => most(&[Some(condition), Some(accept), Some(reject)]),
            Expression::Relational { argument, .. } => self.of(argument),
            Expression::Math {
                arg,
                arg1,
                arg2,
                arg3,
                ..
            } => most(&[Some(arg), arg1, arg2, arg3]),
            _ => Source::Varying,
        }
    }
}

/// The lines with such branches.
fn uniform_branches(source: &str, module: &Module) -> Vec<String> {
    let mut found = Vec::new();
    for point in &module.entry_points {
        let mut tracer = Tracer {
            module,
            returned: HashMap::new(),
            found: Vec::new(),
            is_noting: true,
        };
        let arguments = vec![Source::Varying; point.function.arguments.len()];
        tracer.trace(&point.function, &arguments);
        let lines = tracer.found.iter().map(|span| {
            let number = span.location(source).line_number as usize;
            source
                .lines()
                .nth(number - 1)
                .unwrap_or_default()
                .trim()
                .to_owned()
        });
        found.extend(lines);
    }
    found
}

#[test]
fn no_branch_depends_on_uniforms_alone() {
    for shader in ALL.into_iter().chain([MEASURE_LIGHT, ADAPT_EXPOSURE]) {
        let found = uniform_branches(shader.source, &parse(&shader));
        assert!(found.is_empty(), "{}: {found:#?}", shader.name);
    }
}

#[test]
fn branches_on_uniforms_are_found_through_calls_locals_and_loops() {
    let source = "
        struct Some { n: u32, heights: vec4<f32> }
        @group(0) @binding(0) var<uniform> some: Some;
        @group(0) @binding(1) var<storage, read> other: Some;
        override SIDES: u32 = 1u;
        fn is_many(n: u32) -> bool { return n > 3u; }
        fn sum(n: u32) -> f32 {
            var sum = 0.0;
            for (var i = 0u; i < n; i++) { sum += some.heights[i]; }
            return sum;
        }
        @fragment
        fn fs_main(@builtin(position) at: vec4<f32>) -> @location(0) vec4<f32> {
            var color = 0.0;
            if is_many(some.n) { color += 1.0; }
            if is_many(other.n) { color += 2.0; }
            if is_many(SIDES) { color += 4.0; }
            if is_many(u32(at.x) + some.n) { color += 8.0; }
            return vec4(color + sum(some.n) + sum(3u) + sum(other.n));
        }";
    let module = naga::front::wgsl::parse_str(source).expect("it is valid");
    assert_eq!(
        uniform_branches(source, &module),
        [
            "if is_many(some.n) { color += 1.0; }",
            "for (var i = 0u; i < n; i++) { sum += some.heights[i]; }",
        ]
    );
}
