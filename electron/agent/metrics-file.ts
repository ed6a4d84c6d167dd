/**
 * The desk's metrics: in a file in OpenMetrics format, which collectors on the host read, and by OTLP to a collector
 * that the policy names (docs/fleet.md). All are gauges, so that the file is in the Prometheus text format too. They
 * contain no names or paths: roots are numbered as in the settings.
 */
import { open } from 'node:fs/promises';
import type { Health } from '../../shared/domain/health.ts';
import type { HealthReader } from './calls/health.ts';
import type { Clock, Logger } from './ports.ts';
import type { AgentConfig } from './settings/load-settings.ts';
import type { Policy } from './settings/policy/policy.ts';
import { replaceFile } from './settings/guarded-path.ts';
import type { ProxyRoute } from './service/proxy-route.ts';
import type { Gauge } from './service/push-metrics.ts';
import type { MetricReads } from './store/status-reads.ts';
import { freeBytes } from './store/store-failures.ts';

/** Time between two writes, milliseconds: collectors look every 15 to 60 s. */
const INTERVAL_MS = 15_000;
/** Time between two pushes, milliseconds: a failure is noticed within a minute. */
const PUSH_INTERVAL_MS = 30_000;
/** Time limit for the last metrics, milliseconds. */
const LAST_MS = 3_000;
/** The first line, which identifies the file as ours. */
const HEAD = '# Written by VMS Export Agent';
/** Collectors run under their own accounts. */
const READABLE = 0o644;

/** What the metrics are computed from. */
interface Facts {
  readonly health: Health;
  readonly queue: ReturnType<MetricReads>;
  readonly freeBytes: number | undefined;
  readonly nowMs: number;
  readonly isRunning: boolean;
}

type Sample = readonly [labels: Readonly<Record<string, string>>, value: number | undefined];

/** The text of the file. Unknown values are left out. */
export function metricsText(facts: Facts): string {
  const lines = gaugesOf(facts).flatMap(({ name, help, samples }) => [
    `# HELP ${name} ${help}`,
    `# TYPE ${name} gauge`,
    ...samples.map(([labels, value]) => `${name}${labelText(labels)} ${value}`),
  ]);
  return `${[HEAD, ...lines, '# EOF'].join('\n')}\n`;
}

/** All gauges whose values are known now. */
export function gaugesOf(facts: Facts): readonly Gauge[] {
  const { health, queue, freeBytes, nowMs, isRunning } = facts;
  const gauges: Gauge[] = [];
  function gauge(name: string, help: string, samples: readonly Sample[]): void {
    const known = samples.flatMap(([labels, value]) =>
      value === undefined ? [] : [[labels, value] as const],
    );
    if (known.length > 0) gauges.push({ name: `vms_export_${name}`, help, samples: known });
  }
  const one = (value: number | undefined): readonly Sample[] => [[{}, value]];

  gauge(
    'up',
    'Whether the agent is running. A 1 older than a minute means that the agent was killed, is not responding or cannot deliver its metrics.',
    one(isRunning ? 1 : 0),
  );
  gauge('written_timestamp_seconds', 'When these metrics were collected.', one(seconds(nowMs)));
  gauge('version', 'The version of the agent.', [[{ version: health.versions.agent }, 1]]);
  gauge('clips', 'Clips in the queue database by state, except those left out.', [
    [{ state: 'waiting' }, health.queue.waiting],
    [{ state: 'uploaded' }, health.queue.uploaded],
    [{ state: 'failed' }, health.queue.failed],
  ]);
  gauge('waiting_bytes', 'Bytes of waiting clips.', one(health.queue.waitingBytes));
  gauge(
    'oldest_waiting_seconds',
    'Age of the clip that has waited longest; 0 when none is waiting.',
    one(ageOf(queue.oldestWaitingAt, nowMs)),
  );
  gauge(
    'last_sent_timestamp_seconds',
    'When a clip was last sent.',
    one(secondsOf(health.queue.lastUploadedAt)),
  );
  gauge(
    'failed_clips',
    'Failed clips by failure code, except those left out.',
    queue.failures.map(({ code, clips }) => [{ code }, clips]),
  );
  gauge('incidents', 'Incidents whose latest version the service does not have or has refused.', [
    [{ state: 'unsynced' }, health.queue.unsynced],
    [{ state: 'refused' }, health.queue.refused],
  ]);
  gauge(
    'exports',
    'Exports that are not fully queued, by state.',
    Object.entries(health.exports).map(([state, count]) => [{ state }, count]),
  );
  gauge('paused', 'Whether a person has paused all uploads.', one(health.isPaused ? 1 : 0));
  gauge(
    'circuit_open',
    'Whether uploads are on hold because of the service, storage or the disk of this desk, with the failure code.',
    circuits(health),
  );
  gauge(
    'root_online',
    'Whether a watched folder can be read.',
    health.roots.map(({ isOnline }, index) => [rootLabel(index), isOnline ? 1 : 0]),
  );
  gauge(
    'root_scanned_timestamp_seconds',
    'When a watched folder was last scanned completely.',
    health.roots.map(({ scannedAt }, index) => [rootLabel(index), secondsOf(scannedAt)]),
  );
  gauge(
    'root_event_timestamp_seconds',
    'When the system last reported a change in a watched folder.',
    health.roots.map(({ eventAt }, index) => [rootLabel(index), secondsOf(eventAt)]),
  );
  gauge(
    'root_failure',
    'Whether something is wrong with a watched folder, even a readable one, with the failure code.',
    health.roots.map(({ failure }, index) => [
      { ...rootLabel(index), code: failure?.code ?? '' },
      failure === undefined ? 0 : 1,
    ]),
  );
  const { signed } = health.policy ?? {};
  gauge('policy_sequence', 'Sequence number of the signed policy in effect.', one(signed?.sequence));
  gauge(
    'policy_checked_timestamp_seconds',
    'When the signed policy was last confirmed at its address.',
    one(secondsOf(signed?.checkedAt)),
  );
  gauge('clock_offset_seconds', "The service's time minus this PC's.", one(health.clockSkewMs / 1000));
  gauge('disk_free_bytes', 'Free space on the disk of the data directory.', one(freeBytes));
  gauge(
    'start_findings',
    'Problems found in the data directory at the last start.',
    one(health.findings.length),
  );
  return gauges;
}

function circuits({ pausedCircuits }: Health): readonly Sample[] {
  return (['service', 'storage', 'desk'] as const).map((circuit) => {
    const paused = pausedCircuits.find((each) => each.circuit === circuit);
    return [{ circuit, code: paused?.failure.code ?? '' }, paused === undefined ? 0 : 1];
  });
}

const rootLabel = (index: number) => ({ root: String(index + 1) });
const seconds = (timeMs: number): number => timeMs / 1000;
const secondsOf = (isoTime: string | undefined) =>
  isoTime === undefined ? undefined : seconds(Date.parse(isoTime));
const ageOf = (atMs: number | undefined, nowMs: number): number =>
  atMs === undefined ? 0 : Math.max(0, seconds(nowMs - atMs));

function labelText(labels: Readonly<Record<string, string>>): string {
  const pairs = Object.entries(labels).map(([name, value]) => `${name}=${JSON.stringify(value)}`);
  return pairs.length === 0 ? '' : `{${pairs.join(',')}}`;
}

interface Deps {
  readonly config: Pick<AgentConfig, 'dataDir' | 'policy' | 'settings' | 'version'>;
  readonly clock: Clock;
  readonly logger: Pick<Logger, 'warn'>;
  readonly health: Pick<HealthReader, 'read'>;
  readonly queue: MetricReads;
  readonly deskId: string;
  readonly route: ProxyRoute;
}

/** Keeps the metrics up to date wherever the settings send them. */
export interface Metrics {
  start(): void;
  /** The last metrics say that the agent has ended. */
  stop(): Promise<void>;
}

/**
 * Creates the metrics; nothing is written or sent before `start`, or if no setting asks for it. A file that is not ours
 * is never replaced.
 */
export function createMetrics(deps: Deps): Metrics {
  const { config, clock, logger, health, queue } = deps;
  const { textfile } = config.settings.metrics;
  const collector = config.policy?.otlp;
  const stopping = new AbortController();
  const facts = (isRunning: boolean): Facts => ({
    health: health.read(),
    queue: queue(),
    freeBytes: freeBytes(config.dataDir),
    nowMs: clock.now(),
    isRunning,
  });
  const wishes = [
    ...(textfile === undefined ? [] : [{ everyMs: INTERVAL_MS, open: async () => openFile(textfile) }]),
    ...(collector === undefined
      ? []
      : [{ everyMs: PUSH_INTERVAL_MS, open: () => openPush(collector, deps) }]),
  ];
  let running: readonly Promise<void>[] = [];

  async function run({ everyMs, open }: (typeof wishes)[number], signal: AbortSignal): Promise<void> {
    const sink = await open();
    const put = async (isRunning: boolean): Promise<void> => {
      try {
        await sink.put(facts(isRunning));
      } catch (error) {
        logger.warn('The metrics could not be written or sent', { error });
      }
    };
    try {
      for (;;) {
        await put(true);
        await clock.sleep(everyMs, signal);
      }
    } finally {
      await put(false);
      await sink.close?.();
    }
  }

  return {
    start() {
      running = wishes.map((wish) => run(wish, stopping.signal).catch(() => undefined));
    },
    async stop() {
      stopping.abort(new Error('The agent is stopping'));
      const ended = new AbortController();
      // A hung collector must not delay the end
      const late = clock.sleep(LAST_MS, ended.signal).catch(() => undefined);
      await Promise.race([Promise.all(running), late]);
      ended.abort();
    },
  };
}

/** A destination of metrics. */
interface Sink {
  /** Rejects with the reason if they did not arrive. */
  put(facts: Facts): Promise<void>;
  close?(): Promise<void>;
}

const openFile = (path: string): Sink => ({
  async put(facts) {
    if (!(await isOurs(path)))
      throw new Error('The existing metrics file was not written by the agent, so it was not replaced');
    await replaceFile(path, metricsText(facts), { rights: READABLE, needsFolder: true });
  },
});

/** OpenTelemetry's packages are only loaded here, because few desks need them. */
async function openPush(
  { url, headers = [] }: NonNullable<Policy['otlp']>,
  { config, deskId, route }: Deps,
): Promise<Sink> {
  const { createMetricsPush } = await import('./service/push-metrics.ts');
  const { push, stop } = createMetricsPush({ url, headers, version: config.version, deskId, route });
  return {
    async put(facts) {
      const taken = await push(gaugesOf(facts), facts.nowMs);
      if (!taken.ok) throw new Error(`Could not send the metrics to the collector: ${taken.error}`);
    },
    close: stop,
  };
}

/** Also true for a file that does not exist yet, or is empty. */
async function isOurs(path: string): Promise<boolean> {
  try {
    await using handle = await open(path, 'r');
    const { bytesRead, buffer } = await handle.read(Buffer.alloc(HEAD.length), 0, HEAD.length, 0);
    return bytesRead === 0 || buffer.toString('latin1') === HEAD;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return true;
    throw error;
  }
}
