import { fork, type ChildProcess } from 'node:child_process';
import { mkdtemp, open, rm, truncate } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { createSignedPut, type SignedPut } from '../../../electron/agent/service/signed-put.ts';
import { partRange } from '../../../electron/agent/core/parts/plan-parts.ts';
import { createHashPool, type HashPool } from '../../../electron/agent/files/hashing/hash-pool.ts';
import { createSystemClock } from '../../../electron/agent/system-clock.ts';
import { createBufferPool } from '../../../electron/agent/service/signed-put-body.ts';
import { openFile, type OpenedFile } from '../../../electron/agent/files/opened-file.ts';
import { createRateLimit } from '../../../electron/agent/service/rate-limit.ts';

const MIB = 1024 * 1024;
const { values } = parseArgs({
  options: {
    mib: { type: 'string', default: '2048' },
    part: { type: 'string', default: '16' },
    parts: { type: 'string', default: '4' },
    ahead: { type: 'string', default: '4' },
    runs: { type: 'string', default: '3' },
    only: { type: 'string' },
    sparse: { type: 'boolean', default: false },
  },
});
const sizeBytes = Number(values.mib) * MIB;
const partSizeBytes = Number(values.part) * MIB;
const plan = { partSizeBytes, partCount: Math.ceil(sizeBytes / partSizeBytes) };

/** The work that is done for each byte besides sending it. */
interface Mode {
  readonly name: string;
  readonly sendCrc32: boolean;
  readonly hashCrc32: boolean;
  readonly part: boolean;
  readonly whole: boolean;
  readonly md5: boolean;
}

const off = { sendCrc32: false, hashCrc32: false, part: false, whole: false, md5: false };
const modes: readonly Mode[] = [
  { ...off, name: 'send only' },
  { ...off, name: 'CRC-32 of what is sent', sendCrc32: true },
  { ...off, name: 'part SHA-256', part: true },
  { ...off, name: 'part + whole SHA-256', part: true, whole: true },
  {
    ...off,
    name: 'part + whole SHA-256, CRC-32 twice',
    part: true,
    whole: true,
    sendCrc32: true,
    hashCrc32: true,
  },
  { ...off, name: 'part + whole SHA-256, part MD5', part: true, whole: true, md5: true },
  { name: 'all of it', part: true, whole: true, md5: true, sendCrc32: true, hashCrc32: true },
];

interface Bench {
  readonly put: SignedPut;
  readonly hashes: HashPool;
  readonly source: OpenedFile;
  readonly url: URL;
}

const clock = createSystemClock();
const pool = createBufferPool(clock, 2 * Number(values.parts));
const limiter = createRateLimit(clock, null);

type Hashing = ReturnType<HashPool['hashPart']>;

/** Hashes are requested a few parts ahead of sending, so that MD5 can always process several parts together. */
function hasher(bench: Bench, mode: Mode): (number: number) => Hashing | undefined {
  const asked = new Map<number, Hashing>();
  let last = 0;
  return (number) => {
    if (!mode.part) return undefined;
    while (last < Math.min(plan.partCount, number + Number(values.ahead))) {
      last++;
      const range = partRange(plan, last, sizeBytes);
      const request = { source: bench.source, ...range, md5: mode.md5, crc32: mode.hashCrc32 };
      asked.set(last, bench.hashes.hashPart(request));
    }
    const hashing = asked.get(number);
    asked.delete(number);
    return hashing;
  };
}

async function sendPart(
  bench: Bench,
  mode: Mode,
  number: number,
  hashing: Hashing | undefined,
): Promise<void> {
  const { source, url } = bench;
  const range = partRange(plan, number, sizeBytes);
  const signal = new AbortController().signal;
  const sending = bench.put.put({ url, source, ...range, pool, limiter, signal, withCrc32: mode.sendCrc32 });
  const [sent, hashed] = await Promise.all([sending, hashing]);
  if (sent.kind !== 'answer' || sent.sentBytes !== range.length) throw new Error(JSON.stringify(sent));
  if (hashed?.ok === false) throw new Error(hashed.error.message);
  if (hashed?.value.crc32 !== undefined && hashed.value.crc32 !== sent.crc32)
    throw new Error('CRC-32 differs');
}

async function sendFile(bench: Bench, mode: Mode): Promise<void> {
  const whole = mode.whole ? bench.hashes.wholeHash(bench.source) : undefined;
  const hashOf = hasher(bench, mode);
  let following: Promise<unknown> = Promise.resolve();
  let next = 1;
  async function sender(): Promise<void> {
    while (next <= plan.partCount) {
      const number = next++;
      const end = Math.min(number * partSizeBytes, sizeBytes);
      following = following.then(() => whole?.advance(end));
      await sendPart(bench, mode, number, hashOf(number));
    }
  }
  await Promise.all(Array.from({ length: Number(values.parts) }, sender));
  await following;
  const digest = await whole?.digest();
  if (digest?.ok === false) throw new Error(digest.error.message);
  whole?.close();
}

interface Figures {
  readonly mibPerSecond: number;
  readonly cpuPerGib: number;
  readonly rssMib: number;
}

async function measure(bench: Bench, mode: Mode): Promise<Figures> {
  let peakRss = 0;
  const watching = setInterval(() => (peakRss = Math.max(peakRss, process.memoryUsage.rss())), 20);
  const cpu = process.cpuUsage();
  const startedAt = clock.monotonic();
  await sendFile(bench, mode);
  const seconds = (clock.monotonic() - startedAt) / 1000;
  const { user, system } = process.cpuUsage(cpu);
  clearInterval(watching);
  return {
    mibPerSecond: sizeBytes / MIB / seconds,
    cpuPerGib: (user + system) / 1e6 / (sizeBytes / MIB / 1024),
    rssMib: peakRss / MIB,
  };
}

const median = (numbers: readonly number[]): number =>
  numbers.toSorted((a, b) => a - b)[numbers.length >> 1] ?? 0;

async function makeFile(path: string): Promise<void> {
  const handle = await open(path, 'w');
  const block = Buffer.alloc(MIB);
  for (let index = 0; index < block.length; index++) block[index] = (index * 2_654_435_761) >>> 13;
  for (let index = 0; !values.sparse && index < sizeBytes / MIB; index++) {
    block.writeUInt32LE(index);
    await handle.write(block);
  }
  await handle.close();
  await truncate(path, sizeBytes);
}

async function startSink(): Promise<{ child: ChildProcess; port: number }> {
  const child = fork(new URL('./discard-sink.ts', import.meta.url));
  const port = await new Promise<number>((resolve) =>
    child.once('message', (message: { readonly port: number }) => resolve(message.port)),
  );
  return { child, port };
}

async function main(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'move-bytes-'));
  const sink = await startSink();
  const put = createSignedPut({ clock });
  const hashes = createHashPool({ rootPath: '/exports', clock });
  try {
    const path = join(folder, 'clip.mp4');
    await makeFile(path);
    const opened = await openFile(path, undefined, folder);
    if (!opened.ok) throw new Error(opened.error.message);
    const bench = { put, hashes, source: opened.value, url: new URL(`http://127.0.0.1:${sink.port}/k`) };
    console.log(
      `${values.mib} MiB, parts of ${values.part} MiB, ${values.parts} in flight, idle RSS ${(process.memoryUsage.rss() / MIB).toFixed(0)} MiB`,
    );
    console.log('| beside sending | MiB/s | CPU s/GiB | peak RSS MiB |\n|---|---|---|---|');
    for (const mode of modes.filter((one) => values.only === undefined || one.name.includes(values.only))) {
      const runs: Figures[] = [];
      for (let run = 0; run < Number(values.runs); run++) runs.push(await measure(bench, mode));
      const figure = (pick: (figures: Figures) => number, digits: number): string =>
        median(runs.map(pick)).toFixed(digits);
      console.log(
        `| ${mode.name} | ${figure((one) => one.mibPerSecond, 0)} | ${figure((one) => one.cpuPerGib, 2)} | ${figure((one) => one.rssMib, 0)} |`,
      );
    }
    await opened.value.close();
  } finally {
    put.stop();
    pool.stop();
    await hashes.stop();
    sink.child.disconnect();
    await rm(folder, { recursive: true });
  }
}

await main();
