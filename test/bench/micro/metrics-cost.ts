import { fork } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createHealthReader } from '../../../electron/agent/calls/health.ts';
import { AgentEvents } from '../../../electron/agent/events.ts';
import { createMetrics } from '../../../electron/agent/metrics-file.ts';
import type { Clock, Logger } from '../../../electron/agent/ports.ts';
import { createProxyRoute } from '../../../electron/agent/service/proxy-route.ts';
import { noPolicy } from '../../../electron/agent/settings/policy/policy.ts';
import { createHealthReads, createMetricReads } from '../../../electron/agent/store/status-reads.ts';
import { createSystemClock } from '../../../electron/agent/system-clock.ts';
import { settingsSchema } from '../../../shared/domain/settings.ts';
import { fillQueue, openQueue } from '../queue-rows.ts';

/** Measures the CPU cost of a desk's metrics, made as often as in the product, over a queue of 100,000 clips. */
const INCIDENTS = 1000;
const CLIPS_EACH = 100;
const TIMES = 400;
/** Runs before the measurement: code gets compiled, the collector gets connected. */
const WARM = 50;

const system = createSystemClock();
const logged: unknown[] = [];
const note = (...line: readonly unknown[]): void => void logged.push(line);
const logger: Logger = { debug: note, info: note, warn: note, error: note };

interface Where {
  readonly folder: string;
  readonly textfile?: string;
  readonly url?: string;
}

/** CPU time of making and delivering the metrics once, milliseconds. */
async function cost({ folder, textfile, url }: Where): Promise<number> {
  const { db, tables, close } = openQueue(folder);
  const settings = settingsSchema.parse({ ...(textfile !== undefined && { metrics: { textfile } }) });
  const policy = { ...noPolicy, ...(url !== undefined && { otlp: { url } }) };
  let times = 0;
  let before = process.cpuUsage();
  let used = { user: 0, system: 0 };
  const reached = Promise.withResolvers<void>();
  // The pauses in between take no time
  const clock: Clock = {
    ...system,
    async sleep(delayMs, signal) {
      times += 1;
      if (times === WARM) before = process.cpuUsage();
      if (times < WARM + TIMES) return;
      if (times === WARM + TIMES) used = process.cpuUsage(before);
      reached.resolve();
      return system.sleep(delayMs, signal);
    },
  };
  const health = createHealthReader({
    version: '1.0.0',
    clock,
    events: new AgentEvents(),
    tables,
    settings,
    reads: createHealthReads(db),
    pauses: () => [],
    findings: [],
    serviceClock: { skewMs: () => 0 },
    answerTimes: () => ({ lastMs: undefined, slowSinceMs: undefined, unanswered: undefined }),
    roots: [],
    proof: () => ({
      chain: undefined,
      key: undefined,
      keyProblem: undefined,
      statedAt: undefined,
      systemLog: undefined,
    }),
    line: () => undefined,
    deadlines: { keeps: () => undefined, leaving: () => undefined },
    cleanUp: { state: () => undefined },
    policy: () => undefined,
  });
  const apiKey = async (): Promise<undefined> => undefined;
  const metrics = createMetrics({
    config: { dataDir: folder, policy, settings, version: '1.0.0' },
    clock,
    logger,
    health,
    queue: createMetricReads(db),
    deskId: 'desk',
    route: createProxyRoute({ settings }, { clock: system, secrets: { apiKey } }),
  });
  metrics.start();
  await reached.promise;
  await metrics.stop();
  health.stop();
  close();
  return (used.user + used.system) / 1000 / TIMES;
}

function say(what: string, costMs: number, everyMs: number): void {
  const percent = ((100 * costMs) / everyMs).toFixed(3);
  console.log(
    `${what}: ${costMs.toFixed(2)} ms of the processor every ${everyMs / 1000} s, ${percent} % of one`,
  );
}

const folder = await mkdtemp(join(tmpdir(), 'metrics-cost-'));
const sink = fork(new URL('./discard-sink.ts', import.meta.url));
try {
  const port = await new Promise<number>((resolve) =>
    sink.once('message', (message: { readonly port: number }) => resolve(message.port)),
  );
  const shape = { root: '/exports', incidents: INCIDENTS, clipsEach: CLIPS_EACH, sizeBytes: 1024 };
  await fillQueue({ ...shape, dataDir: folder, realIncidents: 0 });
  say('metrics.textfile', await cost({ folder, textfile: join(folder, 'desk.prom') }), 15_000);
  say('otlp.url', await cost({ folder, url: `http://127.0.0.1:${port}/v1/metrics` }), 30_000);
  if (logged.length > 0)
    console.log(`${logged.length} lines were logged, the first: ${JSON.stringify(logged[0])}`);
} finally {
  sink.disconnect();
  await rm(folder, { recursive: true, force: true });
}
