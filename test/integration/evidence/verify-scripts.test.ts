import { execFile } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openPackDesk } from '../../helpers/pack-desk.ts';

let desk: Awaited<ReturnType<typeof openPackDesk>>;
let pack = '';
let key = '';
beforeEach(async () => {
  desk = await openPackDesk();
  desk.addIncident({ id: '11111111', clips: { 'a.mp4': 'first clip' } });
  const [made] = await desk.pack(['11111111']);
  pack = made?.folder ?? '';
  key = made?.key ?? '';
});
afterEach(() => desk.close());

/** Runs a shell command in the pack's folder; its output and exit code. */
const inPack = (line: string): Promise<{ readonly code: number; readonly said: string }> =>
  new Promise((resolve) => {
    execFile('/bin/sh', ['-c', line], { cwd: pack }, (error, said, errors) => {
      resolve({ code: error === null ? 0 : Number(error.code), said: said + errors });
    });
  });

test.each(['python3 verify.py', 'sh verify.sh'])(
  '%s reads rows whose names contain other line breaks',
  async (script) => {
    desk.addIncident({ id: '22222222', clips: { 'Gate\u20284\u0085.mp4': 'second clip' } });
    const [made] = await desk.pack(['22222222']);
    pack = made?.folder ?? '';
    expect(await inPack(`${script} ${key}`)).toEqual({ code: 0, said: expect.stringMatching(/^OK:/) });
  },
);

test('verify.py shows names in an encoding that lacks their letters, and reports an unreadable manifest once', async () => {
  await writeFile(join(pack, '\u0416.txt'), '');
  const { said } = await inPack(`PYTHONIOENCODING=ascii python3 verify.py ${key}`);
  expect(said).toMatch(/^\\u0416\.txt is in the folder/m);
  await writeFile(join(pack, 'manifest.json'), '');
  expect((await inPack(`python3 verify.py ${key}`)).said.match(/cannot be read/g)).toHaveLength(1);
});

test('verify.py runs nothing that is in the pack', async () => {
  const { said: found } = await inPack('python3 -c "import sys; print(sys.executable)"');
  await writeFile(join(pack, 'hashlib.py'), 'print("from the pack")');
  await writeFile(join(pack, 'openssl'), '#!/bin/sh\n', { mode: 0o700 });
  const { code, said } = await inPack(`PATH=. '${found.trim()}' verify.py ${key}`);
  expect(code).toBe(1);
  expect(said).toMatch(/openssl is not installed/);
  expect(said).not.toMatch(/from the pack/);
});

test.each(['python3 verify.py', 'sh verify.sh'])(
  '%s shows names that could steer a terminal, and none can stand for its verdict',
  async (script) => {
    const verdict = 'OK: the signature, all files, all copies given and the chain match.';
    const names = [
      `a\u001b[2K\r${verdict}\u001b[8m`,
      `b\n${verdict}`,
      'c\u009b2K',
      'd\u202e',
      'f\u061cü\u2066\u00ad',
    ];
    for (const name of names) await writeFile(join(pack, name), '');
    await mkdir(join(pack, 'copies'));
    await writeFile(join(pack, 'copies', `e\u001b[2K`), 'another clip');
    const { code, said } = await inPack(`${script} ${key} copies`);
    expect(code).toBe(1);
    expect(said).not.toMatch(/[^\P{Cc}\n]|\p{Cf}/u);
    expect(said.split('\n')).not.toContain(verdict);
    for (const letter of ['a', 'b', 'c', 'd', 'e', 'f']) expect(said).toMatch(new RegExp(`^${letter}`, 'm'));
  },
);
