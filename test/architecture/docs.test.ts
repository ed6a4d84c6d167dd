import { existsSync, globSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { placesOf } from '../contract/service/collect-rules.ts';

const read = (path: string): string => readFileSync(path, 'utf8');
const pages = ['README.md', ...globSync('docs/*.md')];
const { scripts } = z
  .object({ scripts: z.record(z.string(), z.string()) })
  .parse(JSON.parse(read('package.json')));
/** A file's text as one line, without comment markers: a citation may span several lines of a comment. */
const flat = (text: string): string => text.replaceAll(/\s*\n\s*(?:\*|\/\/)?\s*/g, ' ');
const found = (text: string, pattern: RegExp): readonly string[] =>
  [...text.matchAll(pattern)].map(([, first]) => first ?? '');

describe('README and docs', () => {
  it.each(pages)('%s: every link leads somewhere', (page) => {
    const links = found(read(page), /\]\((?!https?:)([^)\s]+)\)/g);
    expect(links.filter((link) => !resolves(page, link))).toEqual([]);
  });

  it.each(pages)('%s: every npm script is there', (page) => {
    const named = found(read(page), /\bnpm run (?:-s )?([\w:-]+)/g);
    expect(named.filter((name) => !Object.hasOwn(scripts, name))).toEqual([]);
  });

  it.each(pages)('%s: every path of the project is there', (page) => {
    const paths = found(
      read(page),
      /`((?:electron|renderer|shared|scripts|test|docs|build|\.github)\/[^`\s]*)`/g,
    );
    expect(paths.filter((path) => !existsSync(path) && globSync(path).length === 0)).toEqual([]);
  });

  it('every npm script that a person runs is named', () => {
    const text = pages.map(read).join('\n');
    const missing = Object.keys(scripts).filter(
      (name) => !new RegExp(`npm (?:run )?${name}\\b(?!:)`).test(text),
    );
    expect(missing).toEqual([]);
  });
});

describe('citations of pages', () => {
  const page = read('docs/service.md');
  const places = placesOf(page);
  /** Pages of the project, one that packaging writes, and one in a test's sample. */
  const known = new Set([...pages.map((path) => basename(path)), 'CHANGELOG.md', 'release-notes.md', 'x.md']);
  const gaps = found(page, /^\| (\d+) +\|/gm);
  const sources = globSync('{shared,electron,renderer,test,scripts}/**/*.{ts,tsx}').filter(
    (path) => path !== 'test/architecture/docs.test.ts',
  );

  it.each([
    'service.md "No section"',
    'service.md gap 99',
    'service.md gaps 1\n * and 99',
    'service.md endpoint 16',
    'service-gaps.md',
  ])('finds what is wrong with %j', (text) => expect(wrong(text)).toHaveLength(1));

  it('name a section, an endpoint or a gap that is there', () => {
    expect(sources.flatMap((path) => wrong(read(path)).map((text) => `${path}: ${text}`))).toEqual([]);
  });

  function wrong(text: string): readonly string[] {
    const line = flat(text);
    const sections = found(line, /service\.md "([^"]+)"/g).filter((name) => !places.includes(name));
    const numbers = (kind: string, there: readonly string[]): readonly string[] =>
      found(
        line,
        new RegExp(
          `(?:service\\.md|service\\.md "\\w+"[,;]?(?: and)?) ${kind}s? (\\d+(?:(?:, | and | to )\\d+)*)`,
          'g',
        ),
      )
        .flatMap((list) => list.split(/, | and | to /))
        .filter((number) => !there.includes(number))
        .map((number) => `${kind} ${number}`);
    const outside = found(line, /\b([\w-]+\.md)\b/g).filter((name) => !known.has(name));
    return [...sections, ...numbers('endpoint', places), ...numbers('gap', gaps), ...outside];
  }
});

describe('docs/security.md', () => {
  // The generated table is checked together with its rows
  const [written = ''] = read('docs/security.md').split('<!-- checklist');
  const rows = written.split('\n').filter((line) => /^\| (?!item|-)/.test(line));

  it.each(rows)('has code and a test in its row: %s', (row) => {
    const [, , where = '', test = ''] = row.split('|');
    expect(where).toMatch(/`[^`]+`/);
    expect(test).toMatch(/`(test|scripts)\/|fails/);
  });

  it("has all twenty items of Electron's checklist", () => {
    const items = rows.flatMap((row) => {
      const numbers = /^\| (\d[\d, to]*) /.exec(row)?.[1] ?? '';
      return numbers.split(', ').flatMap((text) => {
        const [from = 0, to = from] = text
          .split(' to ')
          .filter((part) => part !== '')
          .map(Number);
        return from === 0 ? [] : Array.from({ length: to - from + 1 }, (_, index) => from + index);
      });
    });
    expect(items.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 20 }, (_, index) => index + 1));
  });
});

function resolves(page: string, link: string): boolean {
  const [path = '', anchor] = link.split('#');
  const target = path === '' ? page : join(dirname(page), path);
  if (!existsSync(target)) return false;
  return (
    anchor === undefined ||
    found(read(target), /^#+ (.+)$/gm)
      .map(slugOf)
      .includes(anchor)
  );
}

/** The anchor that GitHub makes from a heading. */
const slugOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-');
