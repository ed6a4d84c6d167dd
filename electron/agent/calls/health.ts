import type { Health } from '../../../shared/domain/health.ts';
import type { Settings } from '../../../shared/domain/settings.ts';
import type { healthCalls } from '../../../shared/ipc/calls/health.ts';
import { knownFields } from '../../../shared/lib/known-fields.ts';
import { ok } from '../../../shared/lib/result.ts';
import { waitsUntil, wasteSince } from '../core/parts/plan-parts.ts';
import type { AgentEvents } from '../events.ts';
import type { AuditTrail } from '../evidence/audit-trail.ts';
import type { ProofState } from '../evidence/chain-heads.ts';
import { rootSilent } from '../files/root-failures.ts';
import { rootDifferent } from '../intake/check-root.ts';
import type { Deadlines } from '../queue/deadlines.ts';
import { WHOLE_DESK } from '../queue/live-uploads.ts';
import { countRetryable } from '../queue/retry-clips.ts';
import { recentLines } from '../log/create-logger.ts';
import type { Clock, Ports } from '../ports.ts';
import { checkConnection } from '../service/check-connection.ts';
import type { AnswerTimes, ServiceClock } from '../service/service-clock.ts';
import type { AgentConfig } from '../settings/load-settings.ts';
import type { ReadDb } from '../store/open-db.ts';
import { createSummaryReads, type HealthReads } from '../store/status-reads.ts';
import type { Tables } from '../store/tables.ts';
import type { WatchedPath } from '../watch/watched-folders.ts';
import { readActivity, makeBundle, problemLines } from './health-reads.ts';
import type { Calls } from './call.ts';
import { type KeyFileInUse, readKeyState } from './keys.ts';
import { seenCounts } from './outline-reads.ts';
import { summaryOf } from './read-status.ts';
import type { UploadReads } from './upload-reads.ts';

interface Deps {
  readonly config: AgentConfig;
  readonly ports: Ports;
  readonly health: HealthReader;
  readonly trail: Pick<AuditTrail, 'lines'>;
  readonly keyFile: Pick<KeyFileInUse, 'path'>;
  readonly reads: UploadReads;
  readonly tables: Tables;
  readonly db: Pick<ReadDb, 'prepare'>;
}

/** Creates the calls about the agent's health and the diagnosis of problems. */
export function createHealthCalls({
  config,
  ports,
  health,
  trail,
  keyFile,
  reads,
  tables,
  db,
}: Deps): Calls<keyof typeof healthCalls> {
  const { secrets, logger } = ports;
  const summary = createSummaryReads(db);
  return {
    'health.get': { handle: () => ok(health.read()) },
    'health.summary': { handle: () => ok(summaryOf(summary())) },
    'connection.check': {
      handle: async (_, signal) => ok({ lines: await checkConnection(config, ports, signal) }),
    },
    'health.activity': { handle: ({ before }) => ok(readActivity(tables, before)) },
    'health.log': { handle: () => ok(recentLines(logger)) },
    'health.bundle': {
      async handle(_, signal) {
        const { apiKeyFile, proxyCredentialsFile, ...settings } = config.settings;
        const files = await makeBundle(
          {
            health: health.read(),
            settings: {
              ...settings,
              namesKeyFile: apiKeyFile !== undefined,
              namesProxyCredentials: proxyCredentialsFile !== undefined,
            },
            key: await readKeyState(secrets, keyFile.path()),
            checks: await checkConnection(config, ports, signal),
            log: recentLines(logger).lines,
            uploads: problemLines(reads),
            audit: trail.lines(),
          },
          secrets,
        );
        return ok({ files });
      },
    },
  };
}

interface ReaderDeps {
  readonly version: string;
  readonly clock: Clock;
  readonly events: AgentEvents;
  readonly tables: Pick<Tables, 'clips' | 'desk' | 'incidents' | 'live' | 'roots' | 'seenExports'>;
  readonly settings: Pick<Settings, 'siteId'> & {
    readonly upload: Pick<Settings['upload'], 'whileWriting' | 'wastedBytesPerDay'>;
  };
  readonly reads: HealthReads;
  /** Circuits on hold. */
  readonly pauses: () => readonly (Omit<Health['pausedCircuits'][number], 'since'> & {
    readonly sinceMs: number;
  })[];
  /** Problems that the start found and fixed. */
  readonly findings: Health['findings'];
  readonly serviceClock: Pick<ServiceClock, 'skewMs'>;
  readonly answerTimes: () => AnswerTimes;
  readonly roots: readonly WatchedPath[];
  readonly proof: () => ProofState;
  /** Current upload limit according to the schedule. */
  readonly line: () => Health['line'];
  readonly deadlines: Pick<Deadlines, 'keeps' | 'leaving'>;
  readonly cleanUp: { state(): Health['cleanUp'] };
  readonly policy: () => Health['policy'];
}

/** Reads the agent's health. */
export interface HealthReader {
  read(): Health;
  stop(): void;
}

/** Creates the reader; this moment counts as the agent's start. */
export function createHealthReader(deps: ReaderDeps): HealthReader {
  const { clock, events, tables, reads, pauses, serviceClock, roots, deadlines } = deps;
  const versions = { agent: deps.version, node: process.versions.node, sqlite: reads.sqliteVersion() };
  const startedMs = clock.now();
  const startedAt = iso(startedMs);
  let lastUploadedAt = reads.lastUploadedAt();
  const unsubscribe = events.on(({ event }) => {
    if (event === 'clip.uploaded') lastUploadedAt = clock.now();
  });

  const read = (): Health => ({
    versions,
    startedAt,
    isPaused: tables.desk.isPaused(),
    pausedCircuits: pauses().map(({ circuit, failure, sinceMs }) => ({
      circuit,
      failure,
      since: iso(sinceMs),
    })),
    findings: deps.findings.map(({ code, message }) => ({ code, message })),
    clockSkewMs: serviceClock.skewMs(),
    answers: answersHealth(deps.answerTimes()),
    proof: proofHealth(deps.proof()),
    roots: roots.map((root) => ({
      ...rootHealth(root, tables, { startedMs, nowMs: clock.now() }),
      ...knownFields<Pick<Health['roots'][number], 'keeps'>>({ keeps: deadlines.keeps(root.path) }),
    })),
    ...(deps.settings.upload.whileWriting === 'auto' &&
      deps.settings.siteId === '' && { ahead: aheadHealth(deps) }),
    ...knownFields<Pick<Health, 'line' | 'leaving' | 'cleanUp' | 'policy'>>({
      line: deps.line(),
      policy: deps.policy(),
      leaving: deadlines.leaving(),
      cleanUp: deps.cleanUp.state(),
    }),
    exports: seenCounts(tables.seenExports.counts()),
    queue: {
      ...countQueue(tables),
      databaseBytes: reads.databaseBytes(),
      ...(lastUploadedAt !== undefined && { lastUploadedAt: iso(lastUploadedAt) }),
    },
  });
  return { read, stop: unsubscribe };
}

function answersHealth({ lastMs, slowSinceMs, unanswered }: AnswerTimes): Health['answers'] {
  return knownFields<Health['answers']>({
    lastMs,
    slowSince: slowSinceMs === undefined ? undefined : iso(slowSinceMs),
    unanswered: unanswered && { since: iso(unanswered.sinceMs), failure: unanswered.failure },
  });
}

function proofHealth({ chain, key, keyProblem, statedAt, systemLog }: ProofState): Health['proof'] {
  const { rows, removed, findings } = chain ?? {};
  return {
    ...(rows !== undefined && removed !== undefined && { rows, removed }),
    problems: findings?.map(({ text }) => text) ?? [],
    ...knownFields<Pick<Health['proof'], 'key' | 'keyProblem' | 'statedAt' | 'systemLog'>>({
      key,
      keyProblem,
      statedAt,
      systemLog,
    }),
  };
}

/** A full scan finishes at least every five minutes; after twice that, the root counts as silent. Milliseconds. */
const SILENT_AFTER_MS = 10 * 60_000;

function rootHealth(
  { id, path, watcher, earlyEnds }: WatchedPath,
  { roots, live }: Pick<Tables, 'live' | 'roots'>,
  { startedMs, nowMs }: { readonly startedMs: number; readonly nowMs: number },
): Health['roots'][number] {
  const state = watcher.state();
  const provedMs = state.lastScanAt ?? startedMs;
  const silent = nowMs - provedMs > SILENT_AFTER_MS ? rootSilent(path, iso(provedMs)) : undefined;
  const failure = state.failure ?? (roots.waiting().includes(path) ? rootDifferent(path) : silent);
  const inFull = earlyEnds.inFull().map(({ container, untilMs }) => ({ container, until: iso(untilMs) }));
  const notAhead = live.resultKinds().flatMap((kind) => {
    const untilMs = kind.rootId === id ? waitsUntil(live.resultsOf(kind), nowMs) : undefined;
    return untilMs === undefined ? [] : [{ container: kind.container, until: iso(untilMs) }];
  });
  return {
    path,
    ...(inFull.length > 0 && { inFull }),
    ...(notAhead.length > 0 && { notAhead }),
    isOnline: state.online,
    settling: state.settling,
    ...knownFields<Pick<Health['roots'][number], 'failure' | 'scannedAt' | 'eventAt'>>({
      failure,
      scannedAt: state.lastScanAt === undefined ? undefined : iso(state.lastScanAt),
      eventAt: state.lastEventAt === undefined ? undefined : iso(state.lastEventAt),
    }),
  };
}

/** What sending clips while they are being written has cost. */
function aheadHealth({ tables: { live }, clock, settings }: ReaderDeps): NonNullable<Health['ahead']> {
  const now = clock.now();
  const refusedMs = waitsUntil(live.resultsOf(WHOLE_DESK), now);
  return {
    wastedBytes: live.voidSince(wasteSince(now)),
    limitBytes: settings.upload.wastedBytesPerDay,
    ...(refusedMs !== undefined && { refusedUntil: iso(refusedMs) }),
  };
}

function countQueue({ clips, incidents }: Pick<Tables, 'clips' | 'incidents'>) {
  const rows = new Map(clips.totals().map((row) => [row.state, row]));
  return {
    incidents: incidents.count(),
    unsynced: incidents.countUnsynced(),
    refused: incidents.countRefused(),
    waiting: rows.get('queued')?.clips ?? 0,
    uploaded: rows.get('uploaded')?.clips ?? 0,
    failed: rows.get('failed')?.clips ?? 0,
    ...knownFields<Pick<Health['queue'], 'retryable'>>({ retryable: countRetryable(clips) }),
    waitingBytes: rows.get('queued')?.bytes ?? 0,
  };
}

const iso = (timeMs: number): string => new Date(timeMs).toISOString();
