import { existsSync, globSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { describe, expect, it } from 'vitest';
import { findCycles } from './find-cycles.ts';
import { agentFloors, forbiddenImports } from './rooms.ts';
import { rules } from './rules.ts';
import { readFacts } from './source-facts.ts';

const folders = ['shared', 'electron', 'renderer', 'test', 'scripts'].filter((folder) => existsSync(folder));
const paths = globSync(folders.map((folder) => `${folder}/**/*.{ts,tsx}`)).map((path) =>
  path.replaceAll('\\', '/'),
);
const files = paths.map((path) => readFacts(path, readFileSync(path, 'utf8')));

describe('the house', () => {
  it('is read whole: every folder has files, and every file was parsed', () => {
    for (const folder of folders)
      expect(paths.filter((path) => path.startsWith(`${folder}/`))).not.toEqual([]);
    expect(files).toHaveLength(paths.length);
  });

  it('names each style sheet of the pages differently: the names of its classes end in its own', () => {
    const sheets = globSync('renderer/**/*.module.css').map((path) => basename(path));
    expect(new Set(sheets).size).toBe(sheets.length);
  });

  it.each(rules)('keeps to its rule: $name', ({ find }) => {
    expect(files.flatMap((file) => [...find(file)])).toEqual([]);
  });
});

describe('the rules can fail', () => {
  const broken = rules.flatMap((rule) => rule.broken.map(([path, text]) => ({ ...rule, path, text })));
  it.each(broken)('$name; found in $path: $text', ({ find, path, text }) => {
    expect(find(readFacts(path, text))).not.toEqual([]);
  });

  const fine = rules.flatMap((rule) => rule.fine.map(([path, text]) => ({ ...rule, path, text })));
  it.each(fine)('$name; not found in $path: $text', ({ find, path, text }) => {
    expect(find(readFacts(path, text))).toEqual([]);
  });
});

describe('the floors of the agent', () => {
  const names = agentFloors.flat();
  const isBelow = (from: string, to: string): boolean =>
    agentFloors.findIndex((floor) => floor.includes(to)) <
    agentFloors.findIndex((floor) => floor.includes(from));
  const fileIn = (name: string): string => (name.endsWith('.ts') ? name : `${name}/a.ts`);
  const importOf = (from: string, to: string): readonly string[] => {
    const up = from.endsWith('.ts') ? './' : '../';
    const text = `import type { A } from '${up}${fileIn(to)}';`;
    return forbiddenImports(readFacts(`electron/agent/${fileIn(from)}`, text));
  };
  const pairs = names.flatMap((from) => names.filter((to) => to !== from).map((to) => [from, to] as const));

  it('name every room, and no room that is not there', () => {
    const found = new Set(
      paths.filter((path) => path.startsWith('electron/agent/')).map((path) => path.split('/')[2] ?? ''),
    );
    expect([...found].toSorted()).toEqual(names.toSorted());
  });

  it.each(pairs)('%s imports %s only when that lies below it, types too', (from, to) => {
    expect(importOf(from, to)).toHaveLength(isBelow(from, to) ? 0 : 1);
  });
});

describe('imports, types included', () => {
  it('form no cycle in the product', () => {
    const product = files.filter(({ path }) => !path.startsWith('test/'));
    expect(findCycles(product)).toEqual([]);
  });

  it('are known to form one when they do', () => {
    const facts = [
      readFacts('shared/lib/a.ts', "import type { B } from './b.ts';"),
      readFacts('shared/lib/b.ts', "import { c } from '../domain/c.ts';"),
      readFacts('shared/domain/c.ts', "import { a } from '../lib/a.ts';"),
      readFacts('shared/domain/d.ts', "import { a } from '../lib/a.ts';"),
    ];
    expect(findCycles(facts)).toEqual([['shared/domain/c.ts', 'shared/lib/a.ts', 'shared/lib/b.ts']]);
  });
});
