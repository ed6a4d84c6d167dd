import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { readLock } from '../../../scripts/package/locked-packages.ts';
import { decidedPackages, supplyProblems, type Supply } from '../../../scripts/check-supply.ts';

const right: Supply = {
  npmrc: [
    'strict-allow-scripts=true',
    'save-exact=true',
    'allow-git=none',
    'allow-remote=none',
    'allow-file=none',
    'allow-directory=none',
  ].join('\n'),
  manifest: { dependencies: { got: '16.1.0' }, devDependencies: {}, allowScripts: { node: true } },
  locked: [
    { folder: 'node_modules/got', name: 'got', version: '16.1.0', integrity: 'sha512-AA==' },
    {
      folder: 'node_modules/node',
      name: 'node',
      version: '1.0.0',
      integrity: 'sha512-AA==',
      hasInstallScript: true,
    },
  ],
  decided: [{ name: 'got', reason: 'the client', licence: 'MIT' }],
};
const lockedGot = { folder: 'node_modules/got', name: 'got', version: '16.1.0', integrity: 'sha512-AA==' };

describe('checklist 52: where packages come from', () => {
  test('is right in this project', () => {
    const manifest: unknown = JSON.parse(readFileSync('package.json', 'utf8'));
    const decided = decidedPackages(readFileSync('docs/decisions.md', 'utf8'));
    expect(
      supplyProblems({ npmrc: readFileSync('.npmrc', 'utf8'), manifest, locked: readLock(), decided }),
    ).toEqual([]);
  });

  // The owner of an action can move a tag, but not a commit
  test('is a commit for every action of the workflows, with its version beside it', () => {
    const folder = '.github/workflows';
    const uses = readdirSync(folder).flatMap((name) =>
      [...readFileSync(`${folder}/${name}`, 'utf8').matchAll(/uses:\s*(.+)/g)].map(([, what]) => what),
    );
    expect(uses).not.toEqual([]);
    expect(uses.filter((what) => !/^[\w-]+\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/.test(what ?? ''))).toEqual(
      [],
    );
  });

  test('is right in a small one', () => {
    expect(supplyProblems(right)).toEqual([]);
  });

  test.each<readonly [what: string, change: Partial<Supply>, told: string]>([
    [
      'scripts are let run',
      { npmrc: right.npmrc.replace('strict-allow-scripts=true', '') },
      'strict-allow-scripts',
    ],
    ['git is let in', { npmrc: right.npmrc.replace('allow-git=none', 'allow-git=all') }, 'allow-git is all'],
    [
      'a registry is named',
      { npmrc: `${right.npmrc}\nregistry=https://packages.example.com` },
      'names a registry',
    ],
    ['a token is in it', { npmrc: `${right.npmrc}\n//packages.example.com/:_authToken=x` }, 'holds a secret'],
    [
      'a version is a range',
      { manifest: { dependencies: { got: '^16.1.0' }, devDependencies: {}, allowScripts: { node: true } } },
      'not one exact version',
    ],
    [
      'a version comes from git',
      {
        manifest: {
          dependencies: { got: 'github:x/got' },
          devDependencies: {},
          allowScripts: { node: true },
        },
      },
      'not one exact version',
    ],
    [
      'the lock file has another version',
      { locked: [{ ...lockedGot, version: '16.0.0' }] },
      '16.0.0 in the lock file',
    ],
    ['nobody said why', { decided: [] }, 'does not say why got'],
    [
      'the reason is for something that went away',
      { decided: [...right.decided, { name: 'axios', reason: 'x', licence: 'MIT' }] },
      'lists axios',
    ],
    [
      'the reason is empty',
      { decided: [{ name: 'got', reason: '', licence: 'MIT' }] },
      'no reason or licence for got',
    ],
    [
      'a sum is missing',
      { locked: [{ folder: 'node_modules/got', name: 'got', version: '16.1.0' }] },
      'no SHA-512',
    ],
    ['a sum is weak', { locked: [{ ...lockedGot, integrity: 'sha1-AA==' }] }, 'no SHA-512'],
    [
      'it comes from git',
      { locked: [{ ...lockedGot, resolved: 'git+ssh://git@example.com/got.git#1' }] },
      'comes from git',
    ],
    ['it comes from a file', { locked: [{ ...lockedGot, resolved: 'file:../got' }] }, 'comes from file:'],
    [
      'it comes without encryption',
      { locked: [{ ...lockedGot, resolved: 'http://e.com/got.tgz' }] },
      'comes from http:',
    ],
    ['it is a link', { locked: [{ ...lockedGot, link: true }] }, 'is a link'],
    [
      'a script was not decided about',
      { locked: [{ ...lockedGot, hasInstallScript: true }] },
      'install script',
    ],
  ])('%s: is told', (_what, change, told) => {
    expect(supplyProblems({ ...right, ...change })).toEqual([expect.stringContaining(told)]);
  });
});

describe('the table of decisions', () => {
  test('has several packages in a row, short names, and nothing of other tables', () => {
    const page = [
      '## Other',
      '| `x` | y | z |',
      '## Dependencies',
      '| package | what for | licence | size |',
      '| --- | --- | --- | --- |',
      '| `react`, `react-dom` (pages) | the pages | MIT | 1 MB |',
      '| `@tanstack/react-query`, `-router` (pages) | what was read | MIT | 1 MB |',
      '## Next',
      '| `late` | y | z | 1 |',
    ].join('\n');
    expect(decidedPackages(page).map(({ name, licence }) => [name, licence])).toEqual([
      ['react', 'MIT'],
      ['react-dom', 'MIT'],
      ['@tanstack/react-query', 'MIT'],
      ['@tanstack/react-router', 'MIT'],
    ]);
  });
});
