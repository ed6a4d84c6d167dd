import { execFileSync } from 'node:child_process';
import { chmod, link, mkdir, rm, symlink, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Failure } from '../../../../shared/domain/failure.ts';
import type { Result } from '../../../../shared/lib/result.ts';
import type { InspectedExport } from '../../../../electron/agent/files/inspect-export.ts';
import { scanRoot, type RootScan, type ScanRequest } from '../../../../electron/agent/watch/scan-root.ts';
import { noSmallDisk } from '../../../helpers/small-disk.ts';
import { scanUnderPermissions } from '../../../helpers/under-permissions.ts';
import { realClockDesk, type WatchDesk } from '../../../helpers/watch-desk.ts';
import { mostlyLong } from '../../../helpers/long.ts';

let desk: WatchDesk;
beforeEach(async () => {
  desk = await realClockDesk();
});
afterEach(() => desk.close());

interface Seen {
  readonly answer: Result<RootScan, Failure>;
  readonly looks: ReadonlyMap<string, InspectedExport>;
  readonly unchanged: readonly string[];
}

async function scan(overrides: Partial<ScanRequest> = {}): Promise<Seen> {
  const looks = new Map<string, InspectedExport>();
  const unchanged: string[] = [];
  const answer = await scanRoot({
    gate: desk.gate,
    rootId: 'root-1',
    rootPath: desk.root,
    memory: { identity: undefined, exports: new Map() },
    now: Date.now,
    onExport: async (one) => {
      if (one.kind === 'seen') looks.set(one.seen.ref.exportPath, one.seen);
      if (one.kind === 'unchanged') unchanged.push(one.exportPath);
    },
    ...overrides,
  });
  return { answer, looks, unchanged };
}

const pathsOf = (look: InspectedExport | undefined): readonly string[] =>
  (look?.files ?? []).map((file) => file.path).toSorted();
const codesOf = (look: InspectedExport | undefined): Readonly<Record<string, string>> =>
  Object.fromEntries((look?.problems ?? []).map((problem) => [problem.path, problem.failure.code]));
const codeOf = (answer: Result<unknown, Failure>): string => (answer.ok ? 'ok' : answer.error.code);

describe('scan of a root', () => {
  it('takes each child folder for one export, with the files of its subfolders', async () => {
    await desk.write('Gate 4/a.mp4', '12345');
    await desk.write('Gate 4/cam 1/2026/b.mp4');
    await desk.write('Goal/c.mp4');
    const { answer, looks } = await scan();
    expect(codeOf(answer)).toBe('ok');
    expect([...looks.keys()].toSorted()).toEqual(['Gate 4', 'Goal']);
    expect(pathsOf(looks.get('Gate 4'))).toEqual(['a.mp4', 'cam 1/2026/b.mp4']);
    const file = looks.get('Gate 4')?.files.find((one) => one.path === 'a.mp4');
    expect(file).toMatchObject({ kind: 'file', sizeBytes: 5, links: 1 });
    expect(file?.mtimeNs).toMatch(/^\d{19}$/);
    const ref = looks.get('Goal')?.ref;
    expect(ref).toMatchObject({ rootId: 'root-1', rootPath: desk.root, exportPath: 'Goal' });
    expect(Math.abs((ref?.mtimeMs ?? 0) - Date.now())).toBeLessThan(60_000);
  });

  it('names loose files, and leaves hidden and system names out without a word', async () => {
    await desk.write('loose.mp4');
    await desk.write('.hidden.mp4');
    await desk.write('.git/x.mp4');
    await desk.write('@eaDir/x.mp4');
    await desk.write('Copying.tmp/x.mp4');
    await desk.write('Gate/Thumbs.db');
    await desk.write('Gate/.DS_Store');
    await desk.write('Gate/.cache/x.mp4');
    await desk.write('Gate/a.mp4.part');
    const { answer, looks } = await scan();
    expect([...looks.keys()]).toEqual(['Gate']);
    expect(pathsOf(looks.get('Gate'))).toEqual(['a.mp4.part']);
    expect(answer.ok && answer.value.problems.map(({ path, failure }) => [path, failure.code])).toEqual([
      ['loose.mp4', 'FILE_SKIPPED'],
    ]);
  });

  it('checklist 36: never follows or opens links, pipes, sockets and devices', async () => {
    await desk.write('Gate/a.mp4');
    await mkdir(join(desk.base, 'elsewhere'));
    await writeFile(join(desk.base, 'elsewhere', 'secret.mp4'), 'x');
    const at = (name: string): string => join(desk.root, 'Gate', name);
    await symlink(join(desk.base, 'elsewhere', 'secret.mp4'), at('link.mp4'));
    await symlink(at('loop.mp4'), at('loop.mp4'));
    await symlink('/dev/zero', at('zero.mp4'));
    await symlink(join(desk.base, 'elsewhere'), at('folder'));
    await symlink(join(desk.base, 'elsewhere'), join(desk.root, 'linked export'));
    execFileSync('mkfifo', [at('pipe.mp4')]);
    await link(at('a.mp4'), at('hard.mp4'));
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(at('socket.mp4'), resolve));
    const hasDevice = makeDevice(at('device.mp4'));
    const { answer, looks } = await scan();
    server.close();
    expect(codesOf(looks.get('Gate'))).toEqual({
      'link.mp4': 'FILE_LINK',
      'loop.mp4': 'FILE_LINK',
      'zero.mp4': 'FILE_LINK',
      folder: 'FILE_LINK',
      'pipe.mp4': 'FILE_NOT_REGULAR',
      'socket.mp4': 'FILE_NOT_REGULAR',
      ...(hasDevice ? { 'device.mp4': 'FILE_NOT_REGULAR' } : {}),
    });
    const files = looks.get('Gate')?.files.filter((file) => file.kind === 'file') ?? [];
    expect(files.map((file) => [file.path, file.links]).toSorted()).toEqual([
      ['a.mp4', 2],
      ['hard.mp4', 2],
    ]);
    expect([...looks.keys()]).toEqual(['Gate']);
    expect(answer.ok && answer.value.problems[0]?.failure.code).toBe('FILE_LINK');
  });

  it('takes a folder with the name of a clip for a folder', async () => {
    await desk.write('Gate/clip.mp4/inner.mp4');
    expect(pathsOf((await scan()).looks.get('Gate'))).toEqual(['clip.mp4/inner.mp4']);
  });

  it('input A23, input A24, checklist 42: keeps NFC and NFD twins and names in two cases apart', async () => {
    for (const name of ['Tor\u00e9.mp4', 'Tore\u0301.mp4', 'A.mp4', 'a.mp4'])
      await desk.write(`Gate/${name}`);
    expect(pathsOf((await scan()).looks.get('Gate'))).toEqual([
      'A.mp4',
      'Tore\u0301.mp4',
      'Tor\u00e9.mp4',
      'a.mp4',
    ]);
  });

  it('takes odd names as they are', async () => {
    const names = [
      'a\nb.mp4',
      'a\u202egpj.mp4',
      '<img src=x>.mp4',
      '-rf.mp4',
      '=cmd|calc.mp4',
      'x.mp4.',
      'CON.mp4',
      'x..\\..\\evil.mp4',
      '%2e%2e%2fb.mp4',
    ];
    for (const name of names) await desk.write(`Gate/${name}`);
    const look = (await scan()).looks.get('Gate');
    expect(pathsOf(look)).toEqual(names.toSorted());
    expect(look?.problems).toEqual([]);
  });

  it('checklist 41: reports names that are not valid text with their bytes, and takes the rest', async () => {
    await desk.write('Gate/a.mp4');
    await writeFile(
      Buffer.concat([Buffer.from(`${desk.root}/Gate/`), Buffer.from([0x66, 0xfc, 0x2e, 0x6d])]),
      'x',
    );
    await mkdir(Buffer.concat([Buffer.from(`${desk.root}/`), Buffer.from([0xff])]));
    const { answer, looks } = await scan();
    expect(codesOf(looks.get('Gate'))).toEqual({ '<66fc2e6d>': 'FILE_NAME_UNREADABLE' });
    expect(looks.get('Gate')?.problems[0]?.failure.message).toContain('66fc2e6d');
    expect(pathsOf(looks.get('Gate'))).toEqual(['a.mp4']);
    expect(answer.ok && answer.value.problems[0]?.failure.code).toBe('FILE_NAME_UNREADABLE');
  });

  it('fault 42, input B7: goes 32 folders deep and names the one below', async () => {
    const deep = (levels: number): string =>
      Array.from({ length: levels }, (_, index) => `d${index + 1}`).join('/');
    await desk.write(`Gate/${deep(32)}/last.mp4`);
    await desk.write(`Gate/${deep(33)}/beyond.mp4`);
    const look = (await scan()).looks.get('Gate');
    expect(pathsOf(look)).toEqual([`${deep(32)}/last.mp4`]);
    expect(codesOf(look)).toEqual({ [deep(33)]: 'FOLDER_TOO_DEEP' });
  });

  it.skipIf(noSmallDisk !== undefined)(
    `input B6: names a folder that leads back to one above it (${noSmallDisk ?? 'bind mount'})`,
    async () => {
      await desk.write('Gate/a.mp4');
      const back = join(desk.root, 'Gate', 'cam 1', 'back');
      await mkdir(back, { recursive: true });
      execFileSync('mount', ['--bind', join(desk.root, 'Gate'), back]);
      try {
        const look = (await scan()).looks.get('Gate');
        expect(pathsOf(look)).toEqual(['a.mp4']);
        expect(codesOf(look)).toEqual({ 'cam 1/back': 'FOLDER_CYCLE' });
      } finally {
        execFileSync('umount', ['--lazy', back]);
      }
    },
  );

  it('fault 42, input A25: names what lies at a path of more than 4,096 bytes, and takes the rest', async () => {
    await desk.write('Gate/a.mp4');
    const level = 'd'.repeat(250);
    // The system does not accept a path of this length, so it is built step by step
    const script = 'cd "$1" && for i in $(seq 17); do mkdir "$2" && cd "$2"; done; printf x > far.mp4';
    execFileSync('bash', ['-c', script, 'bash', join(desk.root, 'Gate'), level]);
    const { answer, looks } = await scan();
    expect(codeOf(answer)).toBe('ok');
    const look = looks.get('Gate');
    expect(pathsOf(look)).toEqual(['a.mp4']);
    expect(Object.values(codesOf(look))).toEqual(['FILE_NAME_UNREADABLE']);
    expect(look?.problems[0]?.failure.message).toContain('too long for this system');
    execFileSync('rm', ['-rf', join(desk.root, 'Gate')]);
  });

  it('names at most a hundred skipped entries of one export', async () => {
    await mkdir(join(desk.root, 'Gate'));
    for (let index = 0; index < 150; index += 1)
      await symlink('nowhere', join(desk.root, 'Gate', `l${index}.mp4`));
    const problems = (await scan()).looks.get('Gate')?.problems ?? [];
    expect(problems).toHaveLength(101);
    expect(problems.at(-1)?.failure.message).toContain('only the first 100');
  });

  it.skipIf(process.platform === 'win32')(
    'scans what may be listed, and says of what it is the rest',
    async () => {
      await desk.write('Gate/a.mp4');
      await desk.write('Gate/closed/b.mp4');
      await desk.write('Goal/c.mp4');
      const closed = [join(desk.root, 'Gate', 'closed'), join(desk.root, 'Goal')];
      for (const folder of closed) await chmod(folder, 0o000);
      const { code, looks } = scanUnderPermissions(desk.root);
      for (const folder of closed) await chmod(folder, 0o755);
      expect(code).toBe('ok');
      expect(looks).toHaveLength(2);
      const [look, whole] = ['Gate', 'Goal'].map((name) => looks.find((one) => one.ref.exportPath === name));
      expect(pathsOf(look)).toEqual(['a.mp4']);
      expect(codesOf(look)).toEqual({ 'closed/': 'FOLDER_NO_ACCESS' });
      expect(look?.unseen).toEqual(['closed/']);
      expect([look, whole].map((one) => one?.problems[0]?.failure.message)).toEqual([
        `The folder ${closed[0]} cannot be listed; the rest of the export is sent.`,
        `The folder ${closed[1]} cannot be listed; nothing new in it is sent.`,
      ]);
    },
  );

  it('does not look into folders whose stamps are unchanged', async () => {
    await desk.write('A/sub/a.mp4');
    const later = (): number => Date.now() + 60_000;
    const first = await scan({ now: later });
    const stamps = first.looks.get('A')?.stamps;
    expect(stamps).toHaveLength(2);
    expect((await scan({ now: later, stampsOf: () => stamps })).unchanged).toEqual(['A']);
    await desk.write('A/sub/b.mp4');
    const second = await scan({ now: later, stampsOf: () => stamps });
    expect(pathsOf(second.looks.get('A'))).toEqual(['sub/a.mp4', 'sub/b.mp4']);
  });

  it('does not trust the stamp of a folder that changed just now', async () => {
    await desk.write('A/a.mp4');
    expect((await scan()).looks.get('A')?.stamps).toBeUndefined();
  });

  mostlyLong([4_000, 20_000], 1, (some) =>
    it.for(some)('fault 42, input B8: lists %i files in slices, each once and by its name', async (count) => {
      const folder = join(desk.root, 'Tür');
      await mkdir(folder);
      // Long names make the folder itself large
      const name = `${'x'.repeat(60)}, number %06.0f é.mp4`;
      const make = 'cd "$1" && seq -f "$2" 1 $3 | xargs -d "\\n" touch';
      execFileSync('sh', ['-c', make, 'sh', folder, name, `${count}`]);
      const paths = pathsOf((await scan()).looks.get('Tür'));
      expect(paths).toHaveLength(count);
      expect(new Set(paths).size).toBe(count);
      expect(paths[0]).toContain('é.mp4');
      await rm(folder, { recursive: true });
    }),
  );

  it('looks at many entries in one operation of the gate', async () => {
    for (let index = 0; index < 300; index += 1) await desk.write(`Gate/camera-${index}.ts`);
    let operations = 0;
    const gate: ScanRequest['gate'] = {
      ...desk.gate,
      run(...given) {
        operations += 1;
        return desk.gate.run(...given);
      },
    };
    const { looks } = await scan({ gate });
    expect(looks.get('Gate')?.files).toHaveLength(300);
    // five groups of entries; more only on a slow disk
    expect(operations).toBeLessThan(100);
  });
});

function makeDevice(path: string): boolean {
  try {
    execFileSync('mknod', [path, 'c', '1', '5'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}
