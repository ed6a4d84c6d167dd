/**
 * Writes dist/licences.txt: `npm run licences`. Fails if a shipped package has no licence text or one that is not
 * allowed.
 */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import { type LockedPackage, readLock, shippedPackages, bundledPackages } from './package/locked-packages.ts';

/** Licences that permit distribution with their notices; any other one needs a decision. */
const allowed = new Set([
  'MIT',
  'ISC',
  'Apache-2.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  '0BSD',
  'Unlicense',
  'BlueOak-1.0.0',
  'Python-2.0',
  'OFL-1.1',
  // Applies file by file: whoever distributes it unmodified must say where the source is.
  'MPL-2.0',
  '(MIT OR CC0-1.0)',
]);
/** Packages that state a licence in package.json but include no text; a stand-in text is used. */
const withoutText = new Set(['@tokenizer/token', 'lazy-val', 'client-only']);
const LICENCE_FILE = /^(licen[cs]e|copying|copyrightnotice|thirdpartynotice|notice)/i;

const HEAD = `Licences of what VMS Export Agent is made of

The program itself is under the MIT licence. Its runtime brings its own notices: LICENSE.electron.txt and
LICENSES.chromium.html beside the program.
`;

const manifestSchema = z.looseObject({
  name: z.string(),
  version: z.string(),
  license: z.string().optional(),
  author: z.union([z.string(), z.looseObject({ name: z.string() })]).optional(),
});

/** Writes one text with the licence of every package. Throws, listing all packages without an allowed licence. */
export function writeLicences(packages: readonly LockedPackage[], file: string, root = '.'): void {
  const read = packages.map((each) => readLicence(each, root));
  const problems = read.flatMap(({ problem }) => (problem === undefined ? [] : [problem]));
  if (problems.length > 0) throw new Error(`Licences:\n  ${problems.join('\n  ')}`);
  const parts = new Map(read.map(({ title, text }) => [title, text]));
  const sorted = [...parts].toSorted(([one], [other]) => one.localeCompare(other, 'en'));
  const line = '-'.repeat(80);
  const body = sorted.map(([title, text]) => `${line}\n${title}\n\n${text.trim()}\n`);
  writeFileSync(file, `${HEAD}\n${body.join('\n')}`);
}

interface ReadLicence {
  readonly title: string;
  readonly text: string;
  readonly problem?: string;
}

function readLicence({ folder }: LockedPackage, root: string): ReadLicence {
  const place = join(root, folder);
  const manifest = manifestSchema.parse(JSON.parse(readFileSync(join(place, 'package.json'), 'utf8')));
  const { name, version, license } = manifest;
  const title = `${name} ${version}`;
  if (license === undefined || !allowed.has(license))
    return { title, text: '', problem: `${title} is under ${license ?? 'no licence'}, which is not allowed` };
  const files = readdirSync(place).filter((each) => LICENCE_FILE.test(each));
  if (files.length > 0)
    return {
      title,
      text: [...sourceOf(license, title), ...files.map((each) => textOf(place, each))].join('\n\n'),
    };
  if (!withoutText.has(name)) return { title, text: '', problem: `${title} brings no licence text` };
  return { title, text: standInText(license, authorOf(manifest.author)) };
}

const sourceOf = (license: string, title: string): readonly string[] =>
  license === 'MPL-2.0'
    ? [`Unchanged. Its source code form is the npm package ${title} and the repository it names.`]
    : [];

const textOf = (place: string, file: string): string => readFileSync(join(place, file), 'utf8').trim();

const authorOf = (author: z.infer<typeof manifestSchema>['author']): string =>
  typeof author === 'string' ? author : (author?.name ?? 'its authors');

const standInText = (license: string, author: string): string =>
  `${license} licence, as its package.json says. Copyright: ${author}

Permission is hereby granted, free of charge, to any person obtaining a copy of this software and associated
documentation files (the "Software"), to deal in the Software without restriction, including without limitation the
rights to use, copy, modify, merge, publish, distribute, sublicense, and/or sell copies of the Software, and to permit
persons to whom the Software is furnished to do so, subject to the following conditions:

The above copyright notice and this permission notice shall be included in all copies or substantial portions of the
Software.

THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR IMPLIED, INCLUDING BUT NOT LIMITED TO THE
WARRANTIES OF MERCHANTABILITY, FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE AUTHORS OR
COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR
OTHERWISE, ARISING FROM, OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE SOFTWARE.`;

/** Where the builder expects the file. */
const LICENCES_FILE = 'dist/licences.txt';

/** Writes the licences of everything in a package. Returns the packages shipped as modules. */
export function writeShippedLicences(): readonly LockedPackage[] {
  const locked = readLock();
  const shipped = shippedPackages(locked);
  writeLicences([...shipped, ...bundledPackages(locked)], LICENCES_FILE);
  return shipped;
}

if (import.meta.main) {
  mkdirSync(dirname(LICENCES_FILE), { recursive: true });
  const shipped = writeShippedLicences();
  console.log(`${LICENCES_FILE} was written; ${shipped.length} packages are shipped as modules.`);
}
