import { globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseSync, Visitor } from 'vite';

/**
 * One sentence of the interface with the test that shows it. The title of the test is `place | subject | text`: where
 * the sentence stands ("8", "Period", "Limits"), which row or part of it, what it says. Where the interface is silent
 * or disagrees with itself it is `place | not shown: subject | row | text`, with the row of decisions that answers
 * ("none" where nothing is built on it).
 */
export interface Rule {
  readonly title: string;
  readonly place: string;
  readonly subject: string;
  readonly text: string;
  /** Undefined where the interface itself speaks. */
  readonly row: string | undefined;
  /** Name of the test file in this folder. */
  readonly file: string;
}

const folder = fileURLToPath(new URL('.', import.meta.url));
/** Tests about the coverage itself. */
const ABOUT_COVERAGE = 'coverage-page.test.ts';
const GAP = 'not shown: ';

/** Every rule that the tests of this folder show, by file and in the order of each. Throws for a test that shows none. */
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

/** `it(...)`, `it.concurrent(...)` and what else there is of it: a test that is skipped has to be seen, too. */
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
    row: isGap ? third : undefined,
    file,
  };
}
