import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createMetrics, metricsText } from '../../../electron/agent/metrics-file.ts';
import { createProxyRoute } from '../../../electron/agent/service/proxy-route.ts';
import { seenStates } from '../../../shared/domain/seen-export.ts';
import { settingsSchema } from '../../../shared/domain/settings.ts';
import type { Health } from '../../../shared/domain/health.ts';
import { createFakeClock } from '../../helpers/fake-clock.ts';

const health: Health = {
  versions: { agent: '1.2.3', node: '24.0.0', sqlite: '3.50.0' },
  startedAt: '2026-05-01T18:00:00.000Z',
  isPaused: false,
  proof: { problems: [] },
  pausedCircuits: [
    {
      circuit: 'desk',
      failure: { code: 'DISK_FULL', message: 'The disk is full.', advice: 'Free some.', retryable: true },
      since: '2026-05-01T18:30:00.000Z',
    },
  ],
  findings: [],
  policy: {
    places: ['/etc/policy.json'],
    settings: 3,
    signed: {
      url: 'https://policy.example.com/north.json',
      sequence: 12,
      issuedAt: '2026-05-01T12:00:00.000Z',
      checkedAt: '2026-05-01T18:15:00.000Z',
    },
  },
  clockSkewMs: -2500,
  answers: {},
  roots: [
    {
      path: '/exports/north',
      isOnline: true,
      settling: 0,
      scannedAt: new Date(1_777_660_100_000).toISOString(),
      eventAt: new Date(1_777_660_090_000).toISOString(),
      failure: { code: 'ROOT_SILENT', message: 'It is silent.', advice: 'Look.', retryable: true },
    },
    { path: '/exports/south', isOnline: false, settling: 0 },
  ],
  exports: Object.fromEntries(seenStates.map((state, index) => [state, index])) as Health['exports'],
  queue: {
    incidents: 4,
    unsynced: 1,
    waiting: 7,
    uploaded: 30,
    failed: 2,
    refused: 0,
    waitingBytes: 4_200_000_000,
    databaseBytes: 1,
    lastUploadedAt: '2026-05-01T18:29:00.000Z',
  },
};
const apiKey = async (): Promise<undefined> => undefined;
const facts = {
  health,
  queue: { oldestWaitingAt: 1_777_660_000_000, failures: [{ code: 'FILE_TOO_LARGE', clips: 2 }] },
  freeBytes: 1_000_000,
};

test('says how the desk is in figures, without a name, a path or an id', () => {
  const text = metricsText({ ...facts, nowMs: 1_777_660_200_500, isRunning: true });
  const samples = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  expect(samples).toEqual([
    'vms_export_up 1',
    'vms_export_written_timestamp_seconds 1777660200.5',
    'vms_export_version{version="1.2.3"} 1',
    'vms_export_clips{state="waiting"} 7',
    'vms_export_clips{state="uploaded"} 30',
    'vms_export_clips{state="failed"} 2',
    'vms_export_waiting_bytes 4200000000',
    'vms_export_oldest_waiting_seconds 200.5',
    'vms_export_last_sent_timestamp_seconds 1777660140',
    'vms_export_failed_clips{code="FILE_TOO_LARGE"} 2',
    'vms_export_incidents{state="unsynced"} 1',
    'vms_export_incidents{state="refused"} 0',
    ...Object.entries(health.exports).map(
      ([state, count]) => `vms_export_exports{state="${state}"} ${count}`,
    ),
    'vms_export_paused 0',
    'vms_export_circuit_open{circuit="service",code=""} 0',
    'vms_export_circuit_open{circuit="storage",code=""} 0',
    'vms_export_circuit_open{circuit="desk",code="DISK_FULL"} 1',
    'vms_export_root_online{root="1"} 1',
    'vms_export_root_online{root="2"} 0',
    'vms_export_root_scanned_timestamp_seconds{root="1"} 1777660100',
    'vms_export_root_event_timestamp_seconds{root="1"} 1777660090',
    'vms_export_root_failure{root="1",code="ROOT_SILENT"} 1',
    'vms_export_root_failure{root="2",code=""} 0',
    'vms_export_policy_sequence 12',
    'vms_export_policy_checked_timestamp_seconds 1777659300',
    'vms_export_clock_offset_seconds -2.5',
    'vms_export_disk_free_bytes 1000000',
    'vms_export_start_findings 0',
  ]);
  expect(text).toMatch(/^# Written by VMS Export Agent\n/);
  expect(text.endsWith('\n# EOF\n')).toBe(true);
  expect(text).not.toMatch(/north|south|exports\//);
});

test('writes at the start and every 15 s, and says at the end that the agent has stopped', async (context) => {
  const { file, clock, metrics } = await madeIn(context);
  metrics.start();
  await expect.poll(() => upIn(file)).toBe('1');
  const first = await readFile(file, 'utf8');
  await clock.untilAsleep();
  await clock.advance(15_000);
  await expect.poll(() => readFile(file, 'utf8')).not.toBe(first);
  expect((await stat(file)).mode & 0o777).toBe(0o644);
  await metrics.stop();
  expect(await upIn(file)).toBe('0');
});

test('has every figure that an alert rule, the dashboard or the manual names', async () => {
  const text = metricsText({ ...facts, nowMs: 0, isRunning: true });
  const known = new Set(text.match(/^vms_export_\w+/gm));
  const rules = await readFile(new URL('../../../build/monitoring/alerts.yml', import.meta.url), 'utf8');
  const manual = await readFile(new URL('../../../docs/fleet.md', import.meta.url), 'utf8');
  const board = await readFile(new URL('../../../build/monitoring/dashboard.json', import.meta.url), 'utf8');
  const inRules = new Set((rules + board).match(/vms_export_\w+/g));
  const inManual = new Set(
    [...manual.matchAll(/^\| (`.*?) \|/gm)].flatMap(([, cell = '']) =>
      [...cell.matchAll(/`(\w+)/g)].map(([, name]) => `vms_export_${name}`),
    ),
  );
  expect([...inRules].filter((name) => !known.has(name))).toEqual([]);
  expect(inManual).toEqual(known);
});

test('replaces no file that it did not write', async (context) => {
  const { file, logged, metrics } = await madeIn(context);
  await writeFile(file, 'evidence');
  metrics.start();
  await expect.poll(() => logged).toHaveLength(1);
  await metrics.stop();
  expect(await readFile(file, 'utf8')).toBe('evidence');
});

test('goes on after a queue that could not be read once', async (context) => {
  let reads = 0;
  const { file, clock, logged, metrics } = await madeIn(context, () => {
    reads += 1;
    if (reads === 1) throw new Error('database is locked');
    return facts.queue;
  });
  metrics.start();
  await expect.poll(() => logged).toHaveLength(1);
  await clock.untilAsleep();
  await clock.advance(15_000);
  await expect.poll(() => upIn(file)).toBe('1');
  await metrics.stop();
});

async function madeIn(
  context: { onTestFinished: (end: () => Promise<void>) => void },
  queue = () => facts.queue,
) {
  const folder = await mkdtemp(join(tmpdir(), 'metrics-'));
  context.onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const file = join(folder, 'desk.prom');
  const clock = createFakeClock();
  const logged: string[] = [];
  const logger = { warn: (message: string) => void logged.push(message) };
  return {
    file,
    clock,
    logged,
    metrics: createMetrics({
      deskId: 'desk-1',
      route: createProxyRoute({ settings: settingsSchema.parse({}) }, { clock, secrets: { apiKey } }),
      config: {
        dataDir: folder,
        version: '1.2.3',
        settings: settingsSchema.parse({ metrics: { textfile: file } }),
      },
      clock,
      logger,
      health: { read: () => health },
      queue,
    }),
  };
}

async function upIn(file: string): Promise<string | undefined> {
  return /^vms_export_up (\d)$/m.exec(await readFile(file, 'utf8').catch(() => ''))?.[1];
}
