/** Proof for the command line, whether or not an agent owns the data directory. */
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { fs } from '../files/plain-fs.ts';
import { type Failure, FailureError } from '../../../shared/domain/failure.ts';
import { err, ok, type Result } from '../../../shared/lib/result.ts';
import { AgentEvents } from '../events.ts';
import { type AuditDetail, createAuditTrail } from '../evidence/audit-trail.ts';
import { createChainHeads, createStatementFile } from '../evidence/chain-heads.ts';
import {
  chainBefore,
  checkChain,
  type ChainState,
  readStatements,
  replacedBy,
} from '../evidence/check-chain.ts';
import { type MadePack, makePacks } from '../evidence/custody/make-packs.ts';
import { type PackCheck, verifyPack } from '../evidence/custody/verify-pack.ts';
import { createDeskKeys, createKeyFileStore, type DeskKey, type DeskKeys } from '../evidence/desk-keys.ts';
import { compareStored, type StoredCheck } from '../evidence/proof.ts';
import { createRootGates } from '../files/root-gate.ts';
import type { Ports } from '../ports.ts';
import { createProxyRoute, type ProxyConfig } from '../service/proxy-route.ts';
import { createTimeStampClient } from '../service/ask-once.ts';
import { connectService } from '../service/connect-service.ts';
import type { AgentConfig } from '../settings/load-settings.ts';
import { DATABASE_FILE, openDbBeside } from '../store/open-db.ts';
import { sqliteFailure } from '../store/store-failures.ts';
import { createTables, type Tables } from '../store/tables.ts';
import { readThumbnail } from './clip-files.ts';

type ProofPorts = Pick<Ports, 'clock' | 'logger' | 'systemLog'>;

/** A desk's queue as another process sees it. */
interface OpenDesk {
  readonly tables: Tables;
  readonly deskId: string;
  readonly chainId: string;
  readonly keys: DeskKeys;
}

/** Opens the queue while `work` runs. Errors: NOT_FOUND if there is none; those of `openDbBeside`; DATA_FOLDER; KEY_STORE. */
async function withDesk<T>(
  dataDir: string,
  { clock }: Pick<Ports, 'clock'>,
  work: (desk: OpenDesk) => Promise<Result<T, Failure>>,
): Promise<Result<T, Failure>> {
  const file = join(dataDir, DATABASE_FILE);
  if (!fs.existsSync(file)) return err(noQueue(dataDir));
  const opened = openDbBeside(file);
  if (!opened.ok) return opened;
  try {
    const tables = createTables(opened.value);
    const { deskId = '', queueId } = tables.desk.identity() ?? {};
    const store = createKeyFileStore(dataDir);
    const keys = createDeskKeys({ store, tables, clock, mayReplace: false, onLost: () => undefined });
    return await work({ tables, deskId, chainId: queueId ?? '', keys });
  } catch (error) {
    if (error instanceof FailureError) return err(error.failure);
    const failure = sqliteFailure(dataDir, error);
    if (failure !== undefined) return err(failure);
    throw error;
  } finally {
    opened.value.close();
  }
}

/** The packs to make, and where. */
interface PackRequest {
  readonly incidentIds: readonly string[];
  /** Folder in which each pack gets its own folder, absolute. */
  readonly place: string;
  readonly version: string;
  /** Settings that name the time-stamp service; undefined: no time-stamps. */
  readonly settings?: ProxyConfig | undefined;
}

/** Makes custody packs from a data directory. Errors: those of `makePacks`. */
function makeStoredPacks(
  dataDir: string,
  { incidentIds, place, version, settings }: PackRequest,
  ports: ProofPorts & Pick<Ports, 'secrets'>,
  signal: AbortSignal,
): Promise<Result<readonly MadePack[], Failure>> {
  const { clock, logger, systemLog } = ports;
  const url = settings?.settings.evidence.timestampUrl;
  const route = settings && url !== undefined ? createProxyRoute(settings, ports) : undefined;
  const timeStamp = url === undefined || !route ? undefined : createTimeStampClient({ url, version, route });
  return withDesk(dataDir, ports, async (desk) => {
    const { tables, keys, deskId, chainId } = desk;
    const gates = createRootGates(clock, () => undefined);
    const heads = createChainHeads({
      ...desk,
      trail: createAuditTrail({ rows: tables.audit, clock, logger }),
      clock,
      logger,
      events: new AgentEvents(),
      dataDir,
      systemLog,
      isReplacementTold: true,
      send: undefined,
    });
    const pictures = { lost: () => undefined };
    const frame = { tables, keys, heads, clock, deskId, chainId, version, clockOffsetMs: () => undefined };
    try {
      return await makePacks(
        {
          ...frame,
          timeStamp,
          async picture(clipId, until) {
            const image = await readThumbnail({ tables, gates, dataDir, pictures }, clipId, until);
            return image.ok ? image.value : undefined;
          },
        },
        incidentIds,
        place,
        signal,
      );
    } finally {
      route?.stop();
      gates.closeAll();
    }
  });
}

/**
 * Checks a pack. Without `trusted`, the keys of the desk in `dataDir` are trusted. The pack is also compared with that
 * desk's chain if it comes from there.
 */
async function verifyStoredPack(
  dataDir: string,
  pack: { readonly folder: string; readonly copies: readonly string[]; readonly trusted: readonly string[] },
  ports: Pick<Ports, 'clock'>,
): Promise<PackCheck> {
  const desk = await withDesk(dataDir, ports, async ({ tables, chainId }) =>
    ok({
      chainId,
      keys: tables.deskKeys.all().map(({ fingerprint }) => fingerprint),
      rowAt: new Map(
        tables.audit
          .anchoredAfter(0)
          .map(({ sequence, hash }): readonly [number, string] => [sequence, hash]),
      ),
    }),
  );
  const known = desk.ok ? desk.value : undefined;
  const trusted = pack.trusted.length > 0 ? pack.trusted : (known?.keys ?? []);
  const check = await verifyPack({ ...pack, trusted });
  const { manifest } = check;
  if (manifest === undefined || known === undefined || manifest.chain.id !== known.chainId) return check;
  const { hash, sequence } = manifest.chain.head;
  if (known.rowAt.get(sequence) === hash) return check;
  const differs = `Row ${sequence} of this desk's chain does not match the pack: the row or the pack was changed, or the row is no longer in the chain because of its age or a restored backup.`;
  return { ...check, differences: [...check.differences, differs] };
}

/** Walks the chain of a data directory and compares it with the heads published outside the database. */
function checkStoredChain(dataDir: string, ports: ProofPorts): Promise<Result<ChainState, Failure>> {
  return withDesk(dataDir, ports, async ({ tables, deskId, chainId }) => {
    const texts = [await createStatementFile(dataDir).read(), (await ports.systemLog?.read()) ?? ''];
    const statements = texts.flatMap(readStatements);
    const outside = { deskId, chainId, keys: tables.deskKeys.all(), statements };
    const pause = (): Promise<unknown> => setImmediate();
    const state = await checkChain({ ...outside, reads: tables.audit, now: ports.clock.now(), pause });
    const before = chainBefore(outside);
    // The agent has not started with this database yet, so it has not reported this
    const isNew = before && !tables.audit.hasRow('chain.follows', { chain: before.chainId });
    return ok(isNew === true ? { ...state, findings: [...state.findings, replacedBy(before)] } : state);
  });
}

/** Creates a new signing key, signed by the previous one. Errors: KEY_STORE. */
const renewStoredKey = (dataDir: string, ports: Pick<Ports, 'clock'>): Promise<Result<DeskKey, Failure>> =>
  withDesk(dataDir, ports, ({ keys }) => keys.renew());

/** Records in a data directory's chain what a person did at a terminal; an unused data directory has no chain yet. */
async function noteStored(
  dataDir: string,
  ports: Pick<Ports, 'clock'>,
  action: 'key.trusted',
  detail: AuditDetail,
): Promise<Result<void, Failure>> {
  if (!fs.existsSync(join(dataDir, DATABASE_FILE))) return ok(undefined);
  return withDesk(dataDir, ports, async ({ tables }) => {
    tables.audit.note(ports.clock.now(), action, detail);
    return ok(undefined);
  });
}

/** Compares what a desk sent of an incident with what the service lists. Errors: NOT_FOUND; those of the service. */
function verifyStoredIncident(
  config: AgentConfig,
  ports: Ports,
  incidentId: string,
  signal: AbortSignal,
): Promise<Result<StoredCheck, Failure>> {
  return withDesk(config.dataDir, ports, async ({ tables }) => {
    ports.secrets.useFile?.(config.settings.apiKeyFile);
    const service = connectService(config, ports, new AgentEvents());
    try {
      return await compareStored(tables, incidentId, (id) => service.incidents.get(id, signal));
    } finally {
      service.stop();
    }
  });
}

const noQueue = (dataDir: string): Failure => ({
  code: 'NOT_FOUND',
  message: `There is no queue in ${dataDir}.`,
  advice: "Specify the desk's data directory with --data-dir.",
  retryable: false,
});

/** All functions of this file, for the command line. */
export const storedProof = {
  makePacks: makeStoredPacks,
  verifyPack: verifyStoredPack,
  checkChain: checkStoredChain,
  renewKey: renewStoredKey,
  note: noteStored,
  verifyIncident: verifyStoredIncident,
};

/** See `storedProof`. */
export type StoredProof = typeof storedProof;
