import { existsSync, globSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
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
