import { z } from 'zod';
import type { Failure } from '../../../shared/domain/failure.ts';
import { ok, type Result } from '../../../shared/lib/result.ts';
import { visibleName } from '../../../shared/lib/visible-name.ts';
import type { WireIncident, WireVideo } from '../../../shared/service/incident.ts';
import type { AgentEvents } from '../events.ts';
import type { Ports } from '../ports.ts';
import type { ServiceConnection } from '../service/connect-service.ts';
import type { AgentConfig } from '../settings/load-settings.ts';
import { createTimeStampClient } from '../service/ask-once.ts';
import type { StartFinding } from '../store/desk-id.ts';
import type { Tables } from '../store/tables.ts';
import { createAuditTrail, type AuditTrail } from './audit-trail.ts';
import { createChainHeads, type ChainHeads } from './chain-heads.ts';
import type { PackDeps } from './custody/make-packs.ts';
import { createDeskKeys, createKeyFileStore, type DeskKeys } from './desk-keys.ts';

/** Everything that proves what this desk did. */
export interface Proof {
  readonly trail: AuditTrail;
  readonly heads: ChainHeads;
  readonly keys: DeskKeys;
  /** Dependencies of custody packs. */
  readonly packs: Omit<PackDeps, 'picture'>;
  /** Records that somebody signed in to the console; a full disk locks nobody out. */
  noteSignIn(): void;
  /** Records the start and begins to publish the head. Throws if nothing can be stored. */
  start(): void;
  /** Records the stop. A failure to do so does not prevent the agent from stopping. */
  stop(): Promise<void>;
}

interface Deps {
  readonly config: Pick<AgentConfig, 'dataDir' | 'settings' | 'version'>;
  readonly ports: Ports;
  readonly events: AgentEvents;
  readonly tables: Tables;
  readonly deskId: string;
  /** Problems that the start found in the data directory. */
  readonly findings: readonly StartFinding[];
  readonly service: Pick<ServiceConnection, 'clock' | 'route' | 'team'>;
}

/** Creates the trail, the desk's keys and the publishing of the chain's head. */
export function createProof(deps: Deps): Proof {
  const { config, ports, events, tables, findings, service, deskId } = deps;
  const { dataDir, settings, version } = config;
  const { clock, logger, systemLog } = ports;
  const trail = createAuditTrail({ rows: tables.audit, clock, logger });
  const store = ports.signingKey ?? createKeyFileStore(dataDir);
  const onLost = (lost: string): void =>
    events.emit({ event: 'warning', code: 'KEY_STORE', message: keyLost(lost) });
  const keys = createDeskKeys({ store, tables, clock, onLost });
  const { headChannel: channelId, timestampUrl: url } = settings.evidence;
  const chainId = tables.desk.identity()?.queueId ?? '';
  const clockOffsetMs = (): number | undefined =>
    service.clock.isKnown() ? service.clock.skewMs() : undefined;
  const heads = createChainHeads({
    tables,
    trail,
    keys,
    clock,
    logger,
    events,
    dataDir,
    deskId,
    chainId,
    systemLog,
    isReplacementTold: findings.some(({ action }) => action.startsWith('queue.')),
    send:
      channelId === undefined
        ? undefined
        : (content, signal) => service.team.messages.post({ kind: 'channel', channelId, content }, signal),
  });
  return {
    trail,
    heads,
    keys,
    packs: {
      tables,
      keys,
      heads,
      clock,
      deskId,
      chainId,
      version,
      clockOffsetMs,
      printPdf: ports.printPdf,
      timeStamp:
        url === undefined ? undefined : createTimeStampClient({ url, version, route: service.route }),
    },
    noteSignIn() {
      try {
        trail.note('console.opened', {});
      } catch (error) {
        logger.warn('A sign-in to the console could not be recorded in the chain', { error });
      }
    },
    start() {
      for (const { action, detail } of findings) trail.note(action, detail);
      trail.note('agent.started', { version });
      noteRoots(tables.audit, trail, settings.watch);
      tables.audit.observeClock(clockOffsetMs);
      heads.start();
    },
    async stop() {
      await heads.stop();
      try {
        trail.note('agent.stopped', {});
      } catch (error) {
        logger.warn("The agent's stop could not be recorded in the chain", { error });
      }
    },
  };
}

const watchedSchema = z.object({ folders: z.array(z.string()) });

/** Records which folders are watched from now on and which no longer are; a start without changes adds no row. */
function noteRoots(
  rows: Pick<Tables['audit'], 'lastWatched'>,
  trail: AuditTrail,
  watch: readonly { readonly path: string }[],
): void {
  const folders = watch.map(({ path }) => path).toSorted();
  const last = rows.lastWatched();
  const before = last === undefined ? [] : watchedSchema.parse(JSON.parse(last.detail)).folders;
  if (folders.join('\n') === before.join('\n')) return;
  trail.note('roots.watched', { folders, ended: before.filter((path) => !folders.includes(path)) });
}

const keyLost = (lost: string): string =>
  `The signing key of this desk (${lost.slice(0, 16)}) is gone. The desk now signs with another one. Earlier custody packs can still be checked with the old key's fingerprint. Give the new fingerprint to everyone who checks new packs.`;

/** Result of a comparison with the service. */
export interface StoredCheck {
  /** Clips that this desk sent and the service lists under the same storage key. */
  readonly agreeing: number;
  /** Videos that the service lists but this desk did not send. */
  readonly others: number;
  /** One sentence each. */
  readonly differences: readonly string[];
}

const otherKey = (key: string): string =>
  key === '' ? 'without a storage key' : `under a different storage key (${visibleName(key)})`;

/**
 * Compares what this desk sent of an incident with what the service lists; `get` asks the service. Errors: those of
 * `get`.
 */
export async function compareStored(
  { clips }: Pick<Tables, 'clips'>,
  incidentId: string,
  get: (incidentId: string) => Promise<Result<WireIncident, Failure>>,
): Promise<Result<StoredCheck, Failure>> {
  const answer = await get(incidentId);
  if (!answer.ok) return answer;
  const listed = new Map((answer.value.uploaded_videos ?? []).map((video) => [video.id, video]));
  const failed = new Set((answer.value.failed_videos ?? []).map(({ id }) => id));
  const own = clips.ofIncident(incidentId);
  const differences: string[] = [];
  let agreeing = 0;
  for (const { id, path, state, storageKey } of own) {
    const name = visibleName(path);
    const video = listed.get(id);
    if (state !== 'uploaded') {
      if (video !== undefined) differences.push(`The service lists ${name}, which this desk has not sent.`);
    } else if (video === undefined)
      differences.push(
        failed.has(id)
          ? `The service lists ${name} as failed, but this desk sent it.`
          : `The service does not list ${name}, which this desk sent.`,
      );
    else if (video.storage_key !== storageKey)
      differences.push(`The service lists ${name} ${otherKey(video.storage_key ?? '')}.`);
    else agreeing += 1;
  }
  const ids = new Set<WireVideo['id']>(own.map(({ id }) => id));
  return ok({ agreeing, others: [...listed.keys()].filter((id) => !ids.has(id)).length, differences });
}
