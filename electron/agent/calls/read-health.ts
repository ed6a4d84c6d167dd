import type { Health } from '../../../shared/domain/health.ts';
import { knownFields } from '../../../shared/lib/known-fields.ts';
import type { ServiceClock } from '../service/service-clock.ts';
import type { HealthReads } from '../store/status-reads.ts';
import type { Tables } from '../store/tables.ts';
import type { AgentEvents } from '../events.ts';
import type { Circuits } from '../queue/circuits.ts';
import type { Clock } from '../ports.ts';
import type { WatchedPath } from '../watch/watched-folders.ts';

interface Parts {
  readonly version: string;
  readonly clock: Clock;
  readonly events: AgentEvents;
  readonly tables: Pick<Tables, 'clips' | 'desk' | 'incidents'>;
  readonly reads: HealthReads;
  readonly circuits: Pick<Circuits, 'pauses'>;
  readonly serviceClock: Pick<ServiceClock, 'skewMs'>;
  readonly roots: readonly WatchedPath[];
}

/** Reads how the agent is. */
export interface HealthReader {
  read(): Health;
  stop(): void;
}

/** Makes the reader; the agent counts as started when it is made. */
export function createHealthReader(parts: Parts): HealthReader {
  const { clock, events, tables, reads, circuits, serviceClock, roots } = parts;
  const versions = { agent: parts.version, node: process.versions.node, sqlite: reads.sqliteVersion() };
  const startedAt = iso(clock.now());
  let lastUploadedAt = reads.lastUploadedAt();
  const unsubscribe = events.on(({ event }) => {
    if (event === 'clip.uploaded') lastUploadedAt = clock.now();
  });

  const read = (): Health => ({
    versions,
    startedAt,
    isPaused: tables.desk.isPaused(),
    pausedCircuits: circuits
      .pauses()
      .map(({ circuit, failure, sinceMs }) => ({ circuit, failure, since: iso(sinceMs) })),
    clockSkewMs: serviceClock.skewMs(),
    roots: roots.map(rootHealth),
    queue: {
      ...countQueue(tables),
      databaseBytes: reads.databaseBytes(),
      ...(lastUploadedAt !== undefined && { lastUploadedAt: iso(lastUploadedAt) }),
    },
  });
  return { read, stop: unsubscribe };
}

function rootHealth({ path, watcher }: WatchedPath): Health['roots'][number] {
  const { online: isOnline, settling, failure } = watcher.state();
  return { path, isOnline, settling, ...knownFields<Pick<Health['roots'][number], 'failure'>>({ failure }) };
}

function countQueue({ clips, incidents }: Pick<Tables, 'clips' | 'incidents'>) {
  const rows = new Map(clips.totals().map((row) => [row.state, row]));
  return {
    incidents: incidents.count(),
    unsynced: incidents.countUnsynced(),
    waiting: rows.get('queued')?.clips ?? 0,
    uploaded: rows.get('uploaded')?.clips ?? 0,
    failed: rows.get('failed')?.clips ?? 0,
    waitingBytes: rows.get('queued')?.bytes ?? 0,
  };
}

const iso = (timeMs: number): string => new Date(timeMs).toISOString();
