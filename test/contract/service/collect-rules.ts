import { globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseSync, Visitor } from 'vite';

/**
 * One rule of docs/service.md with the test that shows it. The title of the test is `place | subject | text`: the
 * section ("8" for an endpoint), which field or part of it, what holds. For an open question it is
 * `place | not shown: subject | gap | text`, with the row of "Gaps" that answers it ("none" where nothing depends on it).
 */
export interface Rule {
  readonly title: string;
  readonly place: string;
  readonly subject: string;
  readonly text: string;
  /** Undefined where the service itself states it. */
  readonly gap: string | undefined;
  /** Name of the test file in this folder. */
  readonly file: string;
}

const folder = fileURLToPath(new URL('.', import.meta.url));
/** Tests of the coverage itself. */
const ABOUT_COVERAGE = 'coverage.test.ts';
const GAP = 'not shown: ';

/** The page that describes the service. */
export const readServicePage = (): string => readFileSync(join(folder, '../../../docs/service.md'), 'utf8');

/** The sections of the page in order; an endpoint is identified by its number alone. */
export const placesOf = (page: string): readonly string[] =>
  [...page.matchAll(/^#{2,3} (?:(\d+)\. )?(.+)$/gm)].map(([, number, name]) => number ?? name ?? '');

/** Every rule that the tests of this folder show, by file and in order. Throws for a test that shows none. */
export function collectRules(): readonly Rule[] {
  const files = globSync('*.test.ts', { cwd: folder, exclude: [ABOUT_COVERAGE] }).toSorted();
  const rules = files.flatMap((file) => rulesIn(file, readFileSync(join(folder, file), 'utf8')));
  const titles = new Set<string>();
  for (const { title, file } of rules) {
    if (titles.has(title)) throw new Error(`${file}: another test has the title "${title}"`);
    titles.add(title);
  }
  return rules;
}

type Call = Parameters<Required<ConstructorParameters<typeof Visitor>[0]>['CallExpression']>[0];

function rulesIn(file: string, text: string): readonly Rule[] {
  const { program, errors } = parseSync(file, text, { lang: 'ts' });
  if (errors.length > 0) throw new Error(`${file} cannot be parsed: ${errors[0]?.message}`);
  const rules: Rule[] = [];
  new Visitor({
    CallExpression(node) {
      if (isTest(node)) rules.push(ruleOf(titleOf(node, file), basename(file)));
    },
  }).visit(program);
  return rules;
}

/** Whether the call is `it(...)` or a variant such as `it.concurrent(...)`: skipped tests must be seen too. */
function isTest({ callee }: Call): boolean {
  const named = callee.type === 'MemberExpression' ? callee.object : callee;
  return named.type === 'Identifier' && (named.name === 'it' || named.name === 'test');
}

function titleOf({ callee, arguments: [first] }: Call, file: string): string {
  const isPlain =
    callee.type === 'Identifier' ||
    (callee.type === 'MemberExpression' &&
      callee.property.type === 'Identifier' &&
      callee.property.name === 'concurrent');
  if (isPlain && first?.type === 'Literal' && typeof first.value === 'string') return first.value;
  throw new Error(`${file}: a rule is shown by it() or it.concurrent() with a plain text as its title`);
}

function ruleOf(title: string, file: string): Rule {
  const [place = '', subject = '', third = '', fourth = '', ...more] = title.split(' | ');
  const isGap = subject.startsWith(GAP);
  const text = isGap ? fourth : third;
  if (text === '' || more.length > 0 || (!isGap && fourth !== ''))
    throw new Error(`${file}: "${title}" is not of the form place | subject | text`);
  return {
    title,
    place,
    subject: isGap ? subject.slice(GAP.length) : subject,
    text,
    gap: isGap ? third : undefined,
    file,
  };
}
