import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { readStatements } from '../../../electron/agent/evidence/check-chain.ts';
import { reportPage } from '../../../electron/agent/evidence/custody/report-page.ts';
import { verifyPack } from '../../../electron/agent/evidence/custody/verify-pack.ts';
import { BENCH_TIMEOUT_MS } from '../../helpers/agent-bench.ts';
import { openPackDesk } from '../../helpers/pack-desk.ts';
import { checkers, type Checked, findPython, run } from './checkers.ts';
import { planted, type Planted } from './planted-changes.ts';
import { makeUnsyncedFolder } from '../../helpers/unsynced-folder.ts';

vi.setConfig({ testTimeout: BENCH_TIMEOUT_MS, hookTimeout: BENCH_TIMEOUT_MS });

const incident = {
  id: '11111111',
  clips: { 'cam 1/Gate 4 North.mp4': 'first clip', "we$rd 'näme' \u202e.mp4": 'second clip' },
};
const other = { id: '22222222', title: 'Ramp', clips: { 'ramp.mp4': 'third clip' } };

let home = '';
let good: Planted;
let key = '';
let desk: Awaited<ReturnType<typeof openPackDesk>>;

beforeAll(async () => {
  home = await makeUnsyncedFolder('packs-');
  // As from the desktop app
  desk = await openPackDesk({ printPdf: async () => Buffer.from(`%PDF-1.7\n${'x'.repeat(99)}`) });
  desk.addIncident(incident);
  // A time that file systems can store and dates cannot: it must not break a pack
  desk.db.exec("UPDATE clips SET mtime_ns = '9000000000000000000000' WHERE number = 2");
  await desk.heads.stateNow();
  desk.addIncident(other);
  await desk.heads.stateNow();
  const [pack, second] = await desk.pack([incident.id, other.id], home);
  good = { pack: pack?.folder ?? '', other: second?.folder ?? '', copies: join(home, 'copies') };
  await desk.copies(incident, good.copies);
  key = pack?.key ?? '';
});
afterAll(async () => {
  await desk.close();
  await rm(home, { recursive: true });
});

describe.each(Object.entries(checkers))('%s', (_name, check) => {
  test('finds a good pack good, with the copies of its clips', async () => {
    expect(await check(good, key)).toEqual({ code: 0, said: expect.stringMatching(/^(OK: .*\n)?$/) });
    const spaced = (key.toUpperCase().match(/../g) ?? []).join(':');
    if (check !== checkers.program) expect(await check(good, spaced)).toMatchObject({ code: 0 });
  });

  test('never calls a pack well whose key nobody named', async () => {
    expect(await check(good, '')).toEqual({ code: 1, said: expect.stringContaining(key) });
  });
});

/** Runs Python programs one after the other, each as if newly started: starting Python takes longer than a check. */
const oneAfterAnother = `
import contextlib, io, json, runpy, sys
for line in sys.stdin:
    sys.argv = json.loads(line)
    said = io.StringIO()
    code = 0
    with contextlib.redirect_stdout(said):
        try:
            runpy.run_path(sys.argv[0], run_name="__main__")
        except SystemExit as end:
            code = end.code
    print(json.dumps({"code": code, "said": said.getvalue()}), flush=True)
`;
import { mostlyLong } from '../../helpers/long.ts';

/** `verify.py` as in `checkers`, but one process checks all packs. */
async function openPython() {
  const child = spawn(await findPython(), ['-c', oneAfterAnother], { stdio: ['pipe', 'pipe', 'inherit'] });
  const answers = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  return {
    async check({ pack, copies }: Planted, fingerprint: string): Promise<Checked> {
      child.stdin.write(`${JSON.stringify([join(pack, 'verify.py'), fingerprint, copies])}\n`);
      return JSON.parse((await answers.next()).value ?? '') as Checked;
    },
    close: () => void child.stdin.end(),
  };
}

mostlyLong([3, 1], 1, (some) =>
  test.for(some)(
    `each checker finds one in %i of ${planted.length} planted changes (verify.sh half of them, unless it is all), and says what differs`,
    { timeout: 4 * BENCH_TIMEOUT_MS },
    async (of) => {
      const missed: string[] = [];
      const { check: inPython, close } = await openPython();
      onTestFinished(close);
      const each = { ...checkers, 'verify.py': inPython };
      const chosen = planted.filter((_change, index) => index % of === 0);
      for (const [index, [what, plant, names]] of chosen.entries()) {
        const folder = join(home, `planted-${index}`);
        const places = { ...good, pack: join(folder, 'pack'), copies: join(folder, 'copies') };
        await cp(good.pack, places.pack, { recursive: true });
        await cp(good.copies, places.copies, { recursive: true });
        await plant(places);
        for (const [name, { code, said }] of await Promise.all(
          Object.entries(each)
            .filter(([name]) => name !== 'verify.sh' || of === 1 || index % 2 === 0)
            .map(async ([name, check]) => [name, await check(places, key)] as const),
        ))
          if (code !== 1 || !names.test(said) || said.includes('OK: '))
            missed.push(`${name}: ${what}: ${code} ${said}`);
        await rm(folder, { recursive: true });
      }
      expect(missed).toEqual([]);
      expect(planted.length).toBeGreaterThanOrEqual(100);
    },
  ),
);

test('openssl and sha256sum alone check signature, fingerprint and files', async () => {
  const at = (name: string): string => join(good.pack, name);
  const signature = ['-verify', at('key.pem'), '-signature', at('manifest.sig'), at('manifest.json')];
  expect(await run('openssl', ['dgst', '-sha256', ...signature])).toMatchObject({
    code: 0,
    said: 'Verified OK\n',
  });
  const shell = `openssl pkey -pubin -in '${at('key.pem')}' -outform DER | sha256sum`;
  expect((await run('sh', ['-c', shell])).said).toContain(key);
  expect(await run('sh', ['-c', `cd '${good.pack}' && sha256sum -c --quiet SHA256SUMS`])).toMatchObject({
    code: 0,
  });
});

test('a pack is for its owner alone, and holds nothing of other incidents', async () => {
  expect((await stat(good.pack)).mode & 0o777).toBe(0o700);
  for (const name of await readdir(good.pack)) {
    const facts = await stat(join(good.pack, name));
    expect(facts.mode & 0o777).toBe(facts.isDirectory() ? 0o700 : 0o600);
  }
  const chain = await readFile(join(good.pack, 'chain.txt'), 'utf8');
  expect(chain).toContain('clip.sent');
  expect(chain).not.toContain('users.update');
  expect(chain).not.toContain(other.id);
});

test('the chain leads from the incident to the head by way of the heads that were stated in between', async () => {
  const [pack] = await (async () => {
    desk.addIncident({ id: '33333333', title: 'Busy', clips: { 'a.mp4': 'x' } });
    await desk.heads.stateNow();
    for (let day = 0; day < 3; day += 1) {
      for (let row = 0; row < 200; row += 1) desk.trail.note('users.update', { userId: String(row) });
      await desk.heads.stateNow();
    }
    return desk.pack(['33333333'], home);
  })();
  const lines = (await readFile(join(pack?.folder ?? '', 'chain.txt'), 'utf8')).trimEnd().split('\n');
  expect(lines.length).toBeLessThan(30);
  expect(await verifyPack({ folder: pack?.folder ?? '', trusted: [key], copies: [] })).toMatchObject({
    differences: [],
  });
});

test('a pack of an incident that is still changing agrees with its own head, which was published before', async () => {
  let edits = 0;
  const edit = (): void => {
    const { tables, clock } = active;
    const row = tables.incidents.byId(other.id) ?? expect.fail('no row');
    edits += 1;
    tables.incidents.describe(other.id, { ...row, title: `Ramp ${edits}` }, clock.now());
    tables.history.incident(other.id, { at: clock.now(), facts: { kind: 'told', version: edits } });
  };
  let publishedBefore = '';
  const active = await openPackDesk({
    picture: async () => void edit(),
    async printPdf() {
      edit();
      publishedBefore = await readFile(join(active.dir, 'chain-heads.txt'), 'utf8');
      return undefined;
    },
  });
  try {
    active.addIncident(other);
    // As another process would, between stating the head and reading
    const { read } = active.tables;
    vi.spyOn(active.tables, 'read').mockImplementationOnce((work) => {
      edit();
      return read(work);
    });
    const [pack] = await active.pack([other.id]);
    const places = { pack: pack?.folder ?? '', copies: join(active.dir, 'copies'), other: '' };
    await active.copies(other, places.copies);
    for (const [name, check] of Object.entries(checkers))
      expect(await check(places, pack?.key ?? ''), name).toMatchObject({ code: 0 });
    const manifest = JSON.parse(await readFile(join(places.pack, 'manifest.json'), 'utf8'));
    expect(readStatements(publishedBefore)).toContainEqual(expect.objectContaining(manifest.chain.head));
    expect(manifest.incident).toMatchObject({
      title: 'Ramp 2',
      changes: [{ after: { title: 'Ramp 1' } }, { after: { title: 'Ramp 2' } }],
    });
  } finally {
    await active.close();
  }
});

test('the folder of a pack has a name that every system takes, whatever a sidecar says as the ID', async () => {
  desk.addIncident({ id: 'urn:uuid:6', clips: { 'a.mp4': 'x' } });
  const [pack] = await desk.pack(['urn:uuid:6'], home);
  expect(basename(pack?.folder ?? '')).toMatch(/^custody-[\d-]+-urn_uuid$/);
});

test('the report of a clip that was not hashed shows the SHA-256 stated in the export', async () => {
  const manifest = JSON.parse(await readFile(join(good.pack, 'manifest.json'), 'utf8'));
  const [clip] = manifest.clips;
  const sha256 = { found: null, sent: null, stated: 'a'.repeat(64) };
  const page = reportPage({ ...manifest, clips: [{ ...clip, state: 'queued', sent: null, sha256 }] });
  expect(page).toContain(`SHA-256 (as stated in the export): <code>${sha256.stated}</code>`);
});

test('each pack names the one before, and says what is missing', async () => {
  const manifest = JSON.parse(await readFile(join(good.other, 'manifest.json'), 'utf8'));
  const before = await readFile(join(good.pack, 'manifest.json'));
  expect(manifest.previousPack.manifestSha256).toBe(createHash('sha256').update(before).digest('hex'));
  expect(manifest.missing).toEqual([]);
});
