import { parseSync, Visitor } from 'vite';

/** The facts about one source file that the rules need. Comments and the contents of strings never count as code. */
export interface SourceFacts {
  /** Path from the project's root, with slashes. */
  readonly path: string;
  readonly lineCount: number;
  /** Every module that the file refers to: imports, re-exports, dynamic imports, types. */
  readonly imports: readonly string[];
  readonly hasDefaultExport: boolean;
  /** `Date.now`, `Math.random` ... and bare calls such as `setTimeout`; `new Date` stands for one without arguments. */
  readonly uses: ReadonlySet<string>;
  readonly strings: readonly string[];
  /** Methods that are called, on any object; `exec()` is one that is called with a text. */
  readonly calls: ReadonlySet<string>;
  /** Properties that are assigned, on any object, and attributes of JSX elements. */
  readonly assigned: ReadonlySet<string>;
  /** Names that are constructed with arguments; `RegExp(computed)` is one whose pattern is not a literal. */
  readonly made: ReadonlySet<string>;
  /** Texts that something is compared with: by an operator, a case, `has()` or `includes()`. */
  readonly compared: ReadonlySet<string>;
  /** The names of properties in object literals. */
  readonly keys: ReadonlySet<string>;
  /** Texts that are in the same array, alone or as the first item of an entry. */
  readonly lists: readonly TextList[];
}

/** `isPure`: the array contains only texts. */
interface TextList {
  readonly texts: readonly string[];
  readonly isPure: boolean;
}

type Node = Parameters<Required<ConstructorParameters<typeof Visitor>[0]>['MemberExpression']>[0];

function memberName(node: Node): string | undefined {
  if (node.object.type !== 'Identifier' || node.property.type !== 'Identifier' || node.computed)
    return undefined;
  return `${node.object.name}.${node.property.name}`;
}

/** The shapes of a visited node; only the fields that are read here. */
interface Expression {
  readonly type: string;
  readonly value?: unknown;
  readonly elements?: readonly (Expression | null)[];
  readonly expression?: unknown;
}
interface Property {
  readonly type: string;
  readonly computed?: boolean;
  readonly key?: { readonly type: string; readonly name?: unknown; readonly value?: unknown };
}

function textOf(node: Expression | null | undefined): string | undefined {
  return node?.type === 'Literal' && typeof node.value === 'string' ? node.value : undefined;
}

function firstTextOf(node: Expression | null): string | undefined {
  return node?.type === 'ArrayExpression' ? textOf(node.elements?.[0]) : textOf(node);
}

function keyOf({ key, computed }: Property): string | undefined {
  if (key === undefined || computed === true) return undefined;
  const name = key.type === 'Identifier' ? key.name : key.value;
  return typeof name === 'string' ? name : undefined;
}

/** Parses one file; throws when it is not valid TypeScript, so that no file is skipped silently. */
export function readFacts(path: string, text: string): SourceFacts {
  const { program, module, errors } = parseSync(path, text, { lang: path.endsWith('x') ? 'tsx' : 'ts' });
  if (errors.length > 0) throw new Error(`${path} cannot be parsed: ${errors[0]?.message}`);
  const imports = module.staticImports.map((each) => each.moduleRequest.value);
  const strings: string[] = [];
  const uses = new Set<string>();
  const calls = new Set<string>();
  const assigned = new Set<string>();
  const made = new Set<string>();
  const compared = new Set<string>();
  const keys = new Set<string>();
  const lists: TextList[] = [];
  const compare = (node: Expression | null | undefined): void => {
    const text = textOf(node);
    if (text !== undefined) compared.add(text);
  };
  const exported = module.staticExports.flatMap((each) => each.entries);
  for (const entry of exported) if (entry.moduleRequest !== null) imports.push(entry.moduleRequest.value);
  const takeSource = (source: { readonly type: string; readonly value?: unknown }): void => {
    if (typeof source.value === 'string') imports.push(source.value);
  };
  new Visitor({
    ImportExpression: (node) => takeSource(node.source),
    TSImportType: (node) => takeSource(node.source),
    MemberExpression(node) {
      const name = memberName(node);
      if (name !== undefined) uses.add(name);
      if (node.object.type === 'Identifier') uses.add(node.object.name);
    },
    CallExpression(node) {
      if (node.callee.type === 'Identifier') uses.add(node.callee.name);
      if (node.callee.type !== 'MemberExpression' || node.callee.property.type !== 'Identifier') return;
      const [first] = node.arguments;
      if (['has', 'includes'].includes(node.callee.property.name)) compare(first);
      const isText =
        first?.type === 'TemplateLiteral' || (first?.type === 'Literal' && typeof first.value === 'string');
      calls.add(`${node.callee.property.name}${isText ? '()' : ''}`);
    },
    AssignmentExpression({ left }) {
      if (left.type !== 'MemberExpression') return;
      if (left.property.type === 'Identifier' && !left.computed) assigned.add(left.property.name);
      if (left.property.type === 'Literal') assigned.add(String(left.property.value));
    },
    BinaryExpression({ operator, left, right }) {
      if (!['===', '!==', '==', '!='].includes(operator)) return;
      compare(left);
      compare(right);
    },
    SwitchCase: ({ test }) => compare(test),
    ArrayExpression({ elements }) {
      const texts = elements.flatMap((element) => firstTextOf(element) ?? []);
      lists.push({ texts, isPure: texts.length === elements.length });
    },
    ObjectExpression({ properties }) {
      for (const property of properties) {
        const key = keyOf(property);
        if (key !== undefined) keys.add(key);
      }
    },
    JSXAttribute({ name }) {
      assigned.add(name.type === 'JSXIdentifier' ? name.name : name.name.name);
    },
    NewExpression(node) {
      if (node.callee.type !== 'Identifier') return;
      const [first] = node.arguments;
      if (first === undefined) uses.add(`new ${node.callee.name}`);
      else made.add(`${node.callee.name}${first.type === 'Literal' ? '' : '(computed)'}`);
    },
    Literal(node) {
      if (typeof node.value === 'string') strings.push(node.value);
    },
    TemplateLiteral: (node) => strings.push(node.quasis.map((part) => part.value.raw).join('?')),
  }).visit(program);
  return {
    path,
    lineCount: text.trimEnd().split('\n').length,
    imports,
    hasDefaultExport: exported.some(
      ({ exportName }) => exportName.kind === 'Default' || exportName.name === 'default',
    ),
    uses,
    strings,
    calls,
    assigned,
    made,
    compared,
    keys,
    lists,
  };
}
