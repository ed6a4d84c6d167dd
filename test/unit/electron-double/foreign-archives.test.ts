import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { archiveOf } from '../../electron-double/foreign-archives.ts';

const register = resolve('test/electron-double/register.ts');
let home = '';

beforeAll(() => {
  home = mkdtempSync(join(tmpdir(), 'foreign-archives-'));
  writeFileSync(join(home, 'good.asar'), archiveOf({ 'a.txt': Buffer.from('inside'), b: Buffer.alloc(0) }));
  writeFileSync(join(home, 'bad.asar'), 'not one');
  mkdirSync(join(home, 'real.asar'));
  writeFileSync(join(home, 'real.asar', 'c.txt'), 'beside');
});
afterAll(() => rmSync(home, { recursive: true, force: true }));

/** The output of a script that uses the double's file functions. */
function run(script: string): string {
  const head = `import fs from 'node:fs'; import * as promises from 'node:fs/promises';
    const at = (name) => ${JSON.stringify(home)} + '/' + name;
    const plain = process.getBuiltinModule('original-fs');`;
  const { stdout, stderr } = spawnSync(
    process.execPath,
    ['--import', register, '--input-type=module', '--eval', `${head} console.log(String(${script}))`],
    { encoding: 'utf8' },
  );
  return `${stdout}${stderr}`.trim();
}

test.each([
  ['an archive is a folder', `fs.lstatSync(at('good.asar')).isDirectory()`, 'true'],
  [
    'without numbers beyond 2^53',
    `(await promises.lstat(at('good.asar'), { bigint: true })).mtimeNs`,
    'undefined',
  ],
  ['it lists what it holds', `await promises.readdir(at('good.asar'))`, 'a.txt,b'],
  ['which can be read', `fs.readFileSync(at('good.asar/a.txt'), 'utf8')`, 'inside'],
  ['it cannot be opened', `await promises.open(at('good.asar')).catch((error) => error.code)`, 'ENOENT'],
  ['another file is an error without a number', `fs.lstatSync(at('bad.asar'))`, `Error: Invalid package`],
  ['also where nothing is', `await promises.stat(at('none.asar/x'))`, 'Error: Invalid package'],
  ['a folder is one', `await promises.readdir(at('real.asar'))`, 'c.txt'],
  [
    'but it was asked for before it was there',
    `(fs.existsSync(at('late.asar')), fs.mkdirSync(at('late.asar')), fs.lstatSync(at('late.asar')))`,
    'Error: Invalid package',
  ],
  [
    'others are removed by the system',
    `(fs.writeFileSync(at('gone.txt'), ''), fs.unlinkSync(at('gone.txt')), fs.existsSync(at('gone.txt')))`,
    'false',
  ],
])('%s', (_what, script, said) => {
  expect(run(script)).toContain(said);
});

test.each([
  ['lists', `(await plain.promises.readdir(at('.'))).includes('good.asar')`],
  ['looks', `(await plain.promises.lstat(at('bad.asar'), { bigint: true })).size === 7n`],
  ['opens', `plain.readFileSync(at('bad.asar'), 'utf8') === 'not one'`],
  ['streams', `(await plain.createReadStream(at('bad.asar')).toArray()).join() === 'not one'`],
])('the original file functions know no archives: %s', (_what, script) => {
  expect(run(script)).toBe('true');
});
