//! The struct `wf_spec::Spec`: what the kernels ask of a spec, member by member.

use super::body::Scope;
use super::fold::{FoldKind, fold};
use super::grouping;
use super::items::{Functions, closures};
use super::names::Names;
use super::steps;
use super::text::Text;
use crate::ir::{Closure, Form, Named, Operator, Param, ParamKind, Scalar, Spec, Ty};

/// Writes the struct.
pub(super) fn write(out: &mut Text, spec: &Spec, scope: &Scope, functions: &Functions) {
    let members = Members::of(spec, scope, functions);
    out.open("struct Spec");
    members.facts(out);
    members.parameters(out);
    members.map(out);
    if let Some(op) = &spec.op {
        members.operator(out, op);
    }
    members.endings(out);
    members.results(out);
    steps::write(out, spec);
    grouping::words(out, spec, &members.names);
    out.close("};");
}

/// The spec with the names its parameters have as members.
struct Members<'a> {
    spec: &'a Spec,
    scope: &'a Scope,
    functions: &'a Functions,
    /// One a parameter.
    names: Vec<String>,
}

impl<'a> Members<'a> {
    fn of(spec: &'a Spec, scope: &'a Scope, functions: &'a Functions) -> Self {
        let mut names = Names::with(&["V", "Reader", "row", "len", "live"]);
        let names = spec
            .params
            .iter()
            .map(|param| names.fresh(&param.local.name.to_string()))
            .collect();
        Members {
            spec,
            scope,
            functions,
            names,
        }
    }

    /// Parameters of one kind with their members.
    fn of_kind(&self, kind: ParamKind) -> impl Iterator<Item = (&Param, &String)> {
        self.spec
            .params
            .iter()
            .zip(&self.names)
            .filter(move |(param, _)| param.kind == kind)
    }

    fn has(&self, kind: ParamKind) -> bool {
        self.of_kind(kind).next().is_some()
    }

    fn ty(&self, ty: &Ty) -> String {
        self.scope.types.ty(ty)
    }

    /// Types and constants that kernels are chosen by.
    fn facts(&self, out: &mut Text) {
        let spec = self.spec;
        out.line(format!("using Mapped = {};", self.ty(&spec.map.ret)));
        if !matches!(spec.form, Form::Filter { .. }) {
            out.line(format!("using State = {};", self.ty(&spec.state)));
        }
        out.line(format!("using Result = {};", self.ty(&spec.result)));
        let kind = match fold(spec) {
            FoldKind::Striped => "striped",
            FoldKind::Blocked => "blocked",
            FoldKind::Lane => "lane",
            FoldKind::Tile => "tile",
        };
        out.line(format!("static constexpr wf::Fold fold = wf::Fold::{kind};"));
        let apply = matches!(spec.form, Form::Reduce { apply: Some(_), .. });
        let (exclusive, reverse) = match spec.form {
            Form::Scan {
                exclusive, reverse, ..
            } => (exclusive, reverse),
            _ => (false, false),
        };
        let flags = [
            ("any_order", spec.any_order),
            ("has_init", spec.init.is_some()),
            ("has_apply", apply),
            ("has_live", self.has(ParamKind::Live)),
            ("has_columns", self.has(ParamKind::PerColumn)),
            ("exclusive", exclusive),
            ("reverse", reverse),
        ];
        for (name, value) in flags {
            out.line(format!("static constexpr bool {name} = {value};"));
        }
        grouping::facts(out, spec);
        let width = spec.width.map_or(0, warpfold_lanes::Width::lanes);
        out.line(format!(
            "static constexpr int width = {width};  // 0: the schedule's choice"
        ));
    }

    /// `Args`, `Row`, `Items`, `Columns` and what fills them.
    fn parameters(&self, out: &mut Text) {
        out.gap();
        out.line("// What a launch passes, in the order of the function's parameters.");
        out.braces("struct Args", "};", |out| {
            for (param, name) in self.spec.params.iter().zip(&self.names) {
                let ty = self.ty(&param.local.ty);
                match param.kind {
                    ParamKind::Uniform => out.line(format!("{ty} {name};")),
                    ParamKind::Index | ParamKind::Row | ParamKind::Len => {}
                    ParamKind::Plain | ParamKind::PerColumn | ParamKind::PerRow | ParamKind::Live => {
                        out.line(format!("const {ty}* {name};"));
                    }
                }
            }
        });
        let mut row = vec!["row".to_owned(), "len".to_owned()];
        out.line("// What is the same for a whole row: its number, its elements, its own values.");
        out.braces("struct Row", "};", |out| {
            out.line("wf::u64 row;");
            out.line("wf::u64 len;");
            for (_, name) in self.of_kind(ParamKind::Live) {
                out.line("wf::u32 live;");
                row.push(format!("args.{name}[row]"));
            }
            for (param, name) in self.of_kind(ParamKind::PerRow) {
                out.line(format!("{} {name};", self.ty(&param.local.ty)));
                row.push(format!("args.{name}[row]"));
            }
        });
        let args = if row.len() > 2 {
            "const Args& args"
        } else {
            "const Args&"
        };
        out.braces(
            format!("static WF_FN Row row({args}, wf::u64 row, wf::u64 len)"),
            "}",
            |out| {
                out.line(format!("return {{{}}};", row.join(", ")));
            },
        );
        self.packs(out, "Items", "items", ParamKind::Plain);
        self.packs(out, "Columns", "columns", ParamKind::PerColumn);
    }

    /// A struct of V elements of each parameter of a kind, and the function that reads them.
    fn packs(&self, out: &mut Text, name: &str, function: &str, kind: ParamKind) {
        out.gap();
        out.line("template <int V>");
        out.braces(format!("struct {name}"), "};", |out| {
            for (param, member) in self.of_kind(kind) {
                out.line(format!("wf::Pack<{}, V> {member};", self.ty(&param.local.ty)));
            }
        });
        let some = self.has(kind);
        let params = if some {
            "const Args& args, const Reader& read"
        } else {
            "const Args&, const Reader&"
        };
        out.line("template <int V, class Reader>");
        out.braces(
            format!("static WF_FN {name}<V> {function}({params})"),
            "}",
            |out| {
                if !some {
                    return out.line("return {};");
                }
                out.line(format!("{name}<V> packs;"));
                for (_, member) in self.of_kind(kind) {
                    out.line(format!("packs.{member} = read.template get<V>(args.{member});"));
                }
                out.line("return packs;");
            },
        );
    }

    /// The value of a parameter, for element `i` of the packs at hand.
    fn argument(&self, index: usize) -> String {
        let (param, name) = (&self.spec.params[index], &self.names[index]);
        let narrowed = |value: &str| match param.local.ty {
            Ty::Scalar(Scalar::U32) => format!("static_cast<wf::u32>({value})"),
            _ => value.to_owned(),
        };
        match param.kind {
            ParamKind::Plain => format!("items.{name}.v[i]"),
            ParamKind::PerColumn => format!("columns.{name}.v[i]"),
            ParamKind::PerRow => format!("row.{name}"),
            ParamKind::Uniform => format!("args.{name}"),
            ParamKind::Index => narrowed("index"),
            ParamKind::Row => narrowed("row.row"),
            ParamKind::Len => narrowed("row.len"),
            ParamKind::Live => "row.live".to_owned(),
        }
    }

    /// `name(first, the parameters it captures…)`.
    fn call(&self, name: &str, first: Option<&str>, captures: impl IntoIterator<Item = usize>) -> String {
        let captured = captures.into_iter().map(|index| self.argument(index));
        let args: Vec<String> = first.map(str::to_owned).into_iter().chain(captured).collect();
        format!("wf_spec::{name}({})", args.join(", "))
    }

    /// A member of one element: everything the language lets it see.
    fn of_element(out: &mut Text, ret: &str, name: &str, state: Option<&str>, value: &str) {
        let state = state.map_or(String::new(), |state| format!("const State& {state}, "));
        let (template, divide) = if name == "apply" {
            ("template <int V, class Divide>", "const Divide& divide, ")
        } else {
            ("template <int V>", "")
        };
        out.line(template);
        out.line(format!(
            "static WF_FN {ret} {name}({divide}{state}const Items<V>& items, const Columns<V>& columns, int i,"
        ));
        let pad = " ".repeat("static WF_FN ".len() + ret.len() + name.len() + 2);
        out.open(format!("{pad}const Row& row, const Args& args, wf::u64 index)"));
        out.line(format!("return {value};"));
        out.close("}");
    }

    fn map(&self, out: &mut Text) {
        let value = self.call(&self.functions.map, None, 0..self.spec.params.len());
        out.gap();
        match self.spec.form {
            Form::Filter { .. } => {
                Self::of_element(out, "bool", "keeps", None, &value);
                let (_, _, keep) = closures(self.spec);
                let kept = match (keep, &self.functions.keep) {
                    (Some(closure), Some(name)) => self.call(name, None, closure.captures.iter().copied()),
                    _ => self.plain_elements(),
                };
                Self::of_element(out, "Result", "kept", None, &kept);
            }
            _ => Self::of_element(out, "Mapped", "map", None, &value),
        }
    }

    /// The element of every plain parameter: what a filter without `keep` stores.
    fn plain_elements(&self) -> String {
        let elements: Vec<String> = self
            .of_kind(ParamKind::Plain)
            .map(|(_, name)| format!("items.{name}.v[i]"))
            .collect();
        match elements.as_slice() {
            [one] => one.clone(),
            _ => format!("Result{{{}}}", elements.join(", ")),
        }
    }

    /// `lift`, `identity`, `init`, `combine`, `fold_lane`.
    fn operator(&self, out: &mut Text, op: &Operator) {
        let spec = self.spec;
        let library = match op {
            Operator::Named(named) => Some(library_operator(*named, &spec.state, |ty| self.ty(ty))),
            Operator::Custom(_) => None,
        };
        let lift = match &library {
            Some(op) => format!("wf::{op}::lift(mapped, index)"),
            None => "mapped".to_owned(),
        };
        let combine = match (&library, &self.functions.combine) {
            (Some(op), _) => format!("wf::{op}::combine(left, right)"),
            (None, name) => format!("wf_spec::{}(left, right)", name.as_deref().unwrap_or_default()),
        };
        let index = if library.is_some() {
            "wf::u64 index"
        } else {
            "wf::u64"
        };
        let identity = match (&spec.identity, &library) {
            (Some(value), _) => self.scope.types.value(value, &spec.state),
            (None, Some(op)) => format!("wf::{op}::identity()"),
            (None, None) => "State{}".to_owned(),
        };
        let init = spec.init.as_ref().map_or("identity()".to_owned(), |init| {
            self.scope.types.value(init, &spec.state)
        });
        out.gap();
        out.line(format!(
            "static WF_FN State lift(const Mapped& mapped, {index}) {{ return {lift}; }}"
        ));
        out.line(format!("static WF_FN State identity() {{ return {identity}; }}"));
        out.line(format!("static WF_FN State init() {{ return {init}; }}"));
        out.line(format!(
            "static WF_FN State combine(const State& left, const State& right) {{ return {combine}; }}"
        ));
        match (fold(spec), library) {
            (FoldKind::Lane, Some(op)) => {
                out.line("template <int TURNS, int V>");
                let params = "const Mapped (&m)[TURNS][V], wf::u64 first, wf::u64 stride, wf::u64 limit";
                out.braces(format!("static WF_FN State fold_lane({params})"), "}", |out| {
                    out.line(format!("return wf::{op}::fold_lane(m, first, stride, limit);"));
                });
            }
            (FoldKind::Tile, Some(op)) => out.line(format!("using Table = wf::{op};")),
            _ => {}
        }
    }

    /// `finish`, `finish_at`, `apply`.
    fn endings(&self, out: &mut Text) {
        let (finish, apply, _) = closures(self.spec);
        let call = |closure: Option<&Closure>, name: &Option<String>, state: &str| match (closure, name) {
            (Some(closure), Some(name)) => self.call(name, Some(state), closure.captures.iter().copied()),
            _ if self.is_first_or_last() => format!("{state}.f1"),
            _ => state.to_owned(),
        };
        match self.spec.form {
            Form::Reduce { .. } if apply.is_some() => {
                let first = if self.functions.divides {
                    "divide, total"
                } else {
                    "total"
                };
                let value = call(apply, &self.functions.apply, first);
                out.gap();
                Self::of_element(out, "Result", "apply", Some("total"), &value);
            }
            Form::Reduce { .. } => {
                let value = call(finish, &self.functions.finish, "state");
                out.gap();
                out.open("static WF_FN Result finish(const State& state, const Row& row, const Args& args)");
                out.line(format!("return {value};"));
                out.close("}");
            }
            Form::Scan { .. } => {
                let value = call(finish, &self.functions.finish, "state");
                out.gap();
                Self::of_element(out, "Result", "finish_at", Some("state"), &value);
            }
            Form::Filter { .. } | Form::Shuffle { .. } => {}
        }
    }

    fn is_first_or_last(&self) -> bool {
        matches!(self.spec.op, Some(Operator::Named(Named::First | Named::Last)))
    }

    /// `Results` and `store`: a tuple comes apart, one array a field.
    fn results(&self, out: &mut Text) {
        let fields: Vec<(String, String)> = match &self.spec.result {
            Ty::Tuple(fields) => fields
                .iter()
                .enumerate()
                .map(|(i, ty)| (self.ty(ty), format!(".f{i}")))
                .collect(),
            whole => vec![(self.ty(whole), String::new())],
        };
        out.gap();
        out.braces("struct Results", "};", |out| {
            for (i, (ty, _)) in fields.iter().enumerate() {
                out.line(format!("{ty}* r{i};"));
            }
        });
        out.line("template <int V, class Writer>");
        let params = "const Results& results, const Result (&values)[V], const Writer& write";
        out.braces(format!("static WF_FN void store({params})"), "}", |out| {
            for (i, (ty, _)) in fields.iter().enumerate() {
                out.line(format!("wf::Pack<{ty}, V> p{i};"));
            }
            out.line("#pragma unroll");
            out.braces("for (int i = 0; i < V; ++i)", "}", |out| {
                for (i, (_, field)) in fields.iter().enumerate() {
                    out.line(format!("p{i}.v[i] = values[i]{field};"));
                }
            });
            for i in 0..fields.len() {
                out.line(format!("write.template put<V>(results.r{i}, p{i});"));
            }
        });
    }
}

/// The library's type for an operator of the table, with the element type it works on.
fn library_operator(named: Named, state: &Ty, spelled: impl Fn(&Ty) -> String) -> String {
    let field = |index: usize| match state {
        Ty::Tuple(fields) => spelled(&fields[index]),
        other => spelled(other),
    };
    let (name, element) = match named {
        Named::Any => return "Any".to_owned(),
        Named::All => return "All".to_owned(),
        Named::Count => return "Count".to_owned(),
        Named::Ballot => return "Ballot".to_owned(),
        Named::Sum => ("Sum", spelled(state)),
        Named::Product => ("Product", spelled(state)),
        Named::Min => ("Min", spelled(state)),
        Named::Max => ("Max", spelled(state)),
        Named::Minimum => ("Minimum", spelled(state)),
        Named::Maximum => ("Maximum", spelled(state)),
        Named::And => ("And", spelled(state)),
        Named::Or => ("Or", spelled(state)),
        Named::Xor => ("Xor", spelled(state)),
        Named::Argmin => ("Argmin", field(0)),
        Named::Argmax => ("Argmax", field(0)),
        Named::First => ("First", field(1)),
        Named::Last => ("Last", field(1)),
        Named::Softmax => ("Softmax", field(0)),
        Named::Welford => ("Welford", field(0)),
        Named::Affine => ("Affine", field(0)),
    };
    format!("{name}<{element}>")
}
