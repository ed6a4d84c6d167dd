import { fork } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createSignedPut } from '../../../electron/agent/service/signed-put.ts';
import { createHashPool } from '../../../electron/agent/files/hashing/hash-pool.ts';
import { createSystemClock } from '../../../electron/agent/system-clock.ts';
import { createBufferPool } from '../../../electron/agent/service/signed-put-body.ts';
import { openFile } from '../../../electron/agent/files/opened-file.ts';
import { createRateLimit } from '../../../electron/agent/service/rate-limit.ts';

const FILE_COUNT = 2_000;
const FILE_BYTES = 100 * 1024;
const IN_FLIGHT = 4;
const ROUNDS = 3;

/** Whether SHA-256 and MD5 are computed, and whether the file is checked again after sending. */
interface Mode {
  readonly hashes: 'none' | 'in a thread';
  readonly isChecked: boolean;
}

const modes: readonly Mode[] = [
  { hashes: 'none', isChecked: false },
  { hashes: 'in a thread', isChecked: true },
];

const clock = createSystemClock();
const pool = createBufferPool(clock, 2 * IN_FLIGHT);
const limiter = createRateLimit(clock, null);

async function main(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'small-files-'));
  const sink = fork(new URL('./discard-sink.ts', import.meta.url));
  const port = await new Promise<number>((resolve) =>
    sink.once('message', (message: { readonly port: number }) => resolve(message.port)),
  );
  const hashes = createHashPool({ rootPath: '/exports', clock });
  const put = createSignedPut({ clock });
  const url = new URL(`http://127.0.0.1:${port}/k`);
  const paths = Array.from({ length: FILE_COUNT }, (_unused, index) => join(folder, `${index}.jpg`));
  for (const path of paths) await writeFile(path, Buffer.alloc(FILE_BYTES, path));

  async function sendOne(path: string, mode: Mode): Promise<void> {
    const opened = await openFile(path, undefined, folder);
    if (!opened.ok) throw new Error(opened.error.message);
    const source = opened.value;
    const signal = new AbortController().signal;
    const range = { source, offset: 0, length: FILE_BYTES };
    const sending = put.put({ ...range, url, pool, limiter, signal, withCrc32: false });
    const hashing = mode.hashes === 'in a thread' ? hashes.hashPart({ ...range, md5: true }) : undefined;
    const [sent, hashed] = await Promise.all([sending, hashing]);
    const unchanged = mode.isChecked ? await source.verifyUnchanged() : undefined;
    await source.close();
    if (sent.kind !== 'answer' || hashed?.ok === false || unchanged?.ok === false) {
      throw new Error(JSON.stringify([sent, hashed, unchanged]));
    }
  }

  async function round(mode: Mode): Promise<void> {
    const left = [...paths];
    const cpu = process.cpuUsage();
    const startedAt = clock.monotonic();
    await Promise.all(
      Array.from({ length: IN_FLIGHT }, async () => {
        for (let path = left.pop(); path !== undefined; path = left.pop()) {
          await sendOne(path, mode);
        }
      }),
    );
    const seconds = (clock.monotonic() - startedAt) / 1000;
    const { user, system } = process.cpuUsage(cpu);
    const perFileMs = (user + system) / 1000 / FILE_COUNT;
    console.log(
      `| ${mode.hashes} | ${mode.isChecked ? 'yes' : 'no'} | ${(FILE_COUNT / seconds).toFixed(0)} | ${perFileMs.toFixed(2)} |`,
    );
  }

  try {
    console.log('| hashes | checked after | files/s | CPU ms a file |\n|---|---|---|---|');
    for (const mode of modes) for (let index = 0; index < ROUNDS; index++) await round(mode);
  } finally {
    put.stop();
    pool.stop();
    await hashes.stop();
    sink.disconnect();
    await rm(folder, { recursive: true });
  }
}

await main();
