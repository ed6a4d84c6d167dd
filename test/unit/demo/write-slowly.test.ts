import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { writeSlowly } from '../../demo/write-slowly.ts';
import { eventually } from '../../helpers/eventually.ts';

const bytes = Buffer.from(Array.from({ length: 2000 }, (_, index) => index % 251));
const never = new Promise<never>(() => undefined);
let folder: string;
let plan: { whole: string; target: string; signal: AbortSignal };
let stopping: AbortController;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'write-slowly-'));
  stopping = new AbortController();
  plan = { whole: join(folder, 'whole'), target: join(folder, 'target'), signal: stopping.signal };
  await writeFile(plan.whole, bytes);
});
afterEach(() => rm(folder, { recursive: true }));

const size = async (): Promise<number> => (await stat(plan.target)).size;

describe('writeSlowly', () => {
  it('goes on growing and keeps the last bytes back until it may end', async () => {
    const end = Promise.withResolvers<void>();
    const { begun, ended } = writeSlowly({ ...plan, endAfter: end.promise });
    await begun;
    const before = await size();
    expect(before).toBeGreaterThan(0);
    await eventually(async () => (await size()) > before);
    expect(await size()).toBeLessThan(bytes.length);
    end.resolve();
    await ended;
    expect(await readFile(plan.target)).toEqual(bytes);
  });

  it('says when it wrote the last bytes', async () => {
    const from = Date.now();
    const endedAt = await writeSlowly({ ...plan, endAfter: Promise.resolve() }).ended;
    // After four ticks of a quarter of a second: a timer may be a millisecond early
    expect(endedAt).toBeGreaterThanOrEqual(from + 990);
    expect(endedAt).toBeLessThanOrEqual(Date.now());
    // The file system's clock ticks more coarsely than the program's
    expect((await stat(plan.target)).mtimeMs).toBeGreaterThan(endedAt - 20);
  });

  it('goes on after its pause', async () => {
    const pause = Promise.withResolvers<void>();
    const { begun, ended } = writeSlowly({ ...plan, pauseUntil: pause.promise, endAfter: Promise.resolve() });
    await begun;
    await eventually(async () => (await size()) > bytes.length / 2);
    expect(await size()).toBeLessThan(bytes.length);
    pause.resolve();
    await ended;
    expect(await size()).toBe(bytes.length);
  });

  it('stops when it is told to, in a pause too', async () => {
    const reason = new Error('enough');
    const { begun, ended } = writeSlowly({ ...plan, pauseUntil: never, endAfter: never });
    const outcome = ended.catch((error: unknown) => error);
    await begun;
    stopping.abort(reason);
    expect(await outcome).toMatchObject({ name: 'AbortError', cause: reason });
  });

  it('refuses to write over a file', async () => {
    await writeFile(plan.target, 'evidence');
    const { begun, ended } = writeSlowly({ ...plan, endAfter: Promise.resolve() });
    await expect(begun).rejects.toMatchObject({ code: 'EEXIST' });
    await expect(ended).rejects.toMatchObject({ code: 'EEXIST' });
  });
});
