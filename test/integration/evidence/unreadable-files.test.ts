import { execFileSync, spawnSync } from 'node:child_process';
import { chmod, mkdir, mkdtemp, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { BENCH_TIMEOUT_MS } from '../../helpers/agent-bench.ts';
import { openPackDesk } from '../../helpers/pack-desk.ts';
import { underPermissions } from '../../helpers/under-permissions.ts';

vi.setConfig({ testTimeout: BENCH_TIMEOUT_MS });

const incident = { id: '11111111', clips: { 'Gate 4 North.mp4': 'first clip', 'Gate 5.mp4': 'second clip' } };
const copy = 'stored-1-11111111.mp4';

/** A pack of one incident, and a folder with copies of its clips. */
async function makePack() {
  const home = await mkdtemp(join(tmpdir(), 'packs-'));
  onTestFinished(() => rm(home, { recursive: true }));
  const desk = await openPackDesk();
  onTestFinished(() => desk.close());
  desk.addIncident(incident);
  const [made] = await desk.pack([incident.id], home);
  const copies = join(home, 'copies');
  await desk.copies(incident, copies);
  return { home, pack: made?.folder ?? '', key: made?.key ?? '', copies };
}

/** Script and arguments of each program that checks a pack; the copies come last. */
const checkersOf = (pack: string, key: string) =>
  [
    [process.execPath, resolve('electron/headless.ts'), 'verify', '--fingerprint', key, pack],
    ['python3', join(pack, 'verify.py'), key],
    ['sh', join(pack, 'verify.sh'), key],
  ] as const;

test('names what cannot be read, calls none of it changed or missing, and checks the rest', async () => {
  const { pack, copies, key } = await makePack();
  const folders = [join(copies, 'locked'), join(pack, 'hidden')];
  for (const path of folders) await mkdir(path);
  await writeFile(join(pack, 'clips.txt'), 'x'.repeat(20), { flag: 'a' });
  for (const path of [join(pack, 'report.html'), join(copies, copy), ...folders]) await chmod(path, 0);
  for (const [program, script, argument, ...more] of checkersOf(pack, key)) {
    const [command, args] = underPermissions(script, argument, program);
    const { status, stdout } = spawnSync(command, [...args, ...more, copies], { encoding: 'utf8' });
    expect(status, stdout).toBe(1);
    for (const path of ['report.html', copy]) expect(stdout).toMatch(new RegExp(`${path} cannot be read`));
    expect(stdout).toMatch(/hidden.*cannot be read|folder in the pack cannot be read/i);
    expect(stdout).toMatch(/locked.*cannot be read|folder in .*copies cannot be read/i);
    expect(stdout).toContain('clips.txt is not the file that was packed');
    expect(stdout).not.toMatch(
      /report\.html is not|1-11111111\.mp4 is not|No copy of|The pack cannot be read|OK:/,
    );
  }
  for (const path of folders) await chmod(path, 0o700);
});

test('follows no link and waits for no pipe among the copies', async () => {
  const { home, pack, copies, key } = await makePack();
  await symlink(home, join(copies, 'elsewhere'));
  await symlink(join(copies, copy), join(home, 'link.mp4'));
  execFileSync('mkfifo', [join(copies, 'pipe.mp4')]);
  for (const [program, script, ...args] of checkersOf(pack, key)) {
    const given = [...args, copies, join(home, 'link.mp4')];
    const { status, stdout } = spawnSync(program, [script, ...given], { encoding: 'utf8', timeout: 20_000 });
    const named = [...stdout.matchAll(/([^\s/]+) is neither a regular file nor a folder\./g)];
    expect(named.map(([, name]) => name).toSorted(), stdout).toEqual(['elsewhere', 'link.mp4', 'pipe.mp4']);
    expect([status, stdout]).toEqual([1, expect.not.stringContaining('No copy of')]);
  }
});

test.each(['manifest.json', 'chain.txt'])(
  'waits for no pipe and follows no link in the place of %s in a pack',
  async (name) => {
    const { home, pack, key } = await makePack();
    const aside = join(home, name);
    await rename(join(pack, name), aside);
    for (const place of ['pipe', 'link']) {
      if (place === 'pipe') execFileSync('mkfifo', [join(pack, name)]);
      else await symlink(aside, join(pack, name));
      const [[program, ...args]] = checkersOf(pack, key);
      const { status, stdout } = spawnSync(program, args, { encoding: 'utf8', timeout: 20_000 });
      expect([status, stdout], place).toEqual([1, expect.stringContaining(`${name} is missing`)]);
      await rm(join(pack, name));
    }
  },
);

test('a folder in place of the key file is to be moved, not given another owner', async () => {
  const desk = await openPackDesk();
  onTestFinished(() => desk.close());
  await mkdir(join(desk.dir, 'desk-key.pem'));
  const advice = 'Move it elsewhere and restore the key file from a backup. Uploads continue.';
  expect(await desk.keys.renew()).toMatchObject({ ok: false, error: { code: 'KEY_STORE', advice } });
});
