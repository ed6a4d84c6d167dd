import { z } from 'zod';
import { faultRuleSchema } from '../faults/fault-rule.ts';
import type { LoggedRequest } from '../request-log.ts';
import { keySchema, settingsSchema } from '../settings.ts';
import type { Simulator } from '../simulator.ts';
import type { StoredObject } from '../storage/backend.ts';

interface ControlInput {
  readonly query: URLSearchParams;
  readonly body: unknown;
}

type ControlCall = (simulator: Simulator, input: ControlInput) => unknown;

const rulesSchema = z.union([faultRuleSchema, z.array(faultRuleSchema)]);
const lineSchema = z.strictObject({ which: z.enum(['service', 'storage', 'both']).default('both') });

/** The calls of the control port, by method and path. */
export const controlCalls: Readonly<Record<string, ControlCall>> = {
  'GET /faults': ({ faults }) => ({ faults: faults.list() }),
  'POST /faults': ({ faults }, { body }) => ({ ids: [rulesSchema.parse(body)].flat().map(faults.add) }),
  'DELETE /faults': ({ faults }, { query }) => removeFaults(faults, query.get('id')),
  'GET /requests': ({ requests }, { query }) => ({ requests: filterRequests(requests.all(), query) }),
  'DELETE /requests': ({ requests }) => (requests.clear(), {}),
  'GET /state': stateOf,
  'GET /team': (simulator) => simulator.team(),
  'POST /keys': ({ setKeys }, { body }) => (setKeys(z.array(keySchema).parse(body)), {}),
  'POST /settings': (simulator, { body }) => {
    simulator.configure(withoutUndefined(settingsSchema.partial().parse(body)));
    return simulator.settings();
  },
  'POST /offline': ({ goOffline }, { body }) =>
    goOffline(lineSchema.parse(body ?? {}).which).then(() => ({})),
  'POST /online': ({ goOnline }, { body }) => goOnline(lineSchema.parse(body ?? {}).which).then(() => ({})),
};

function removeFaults(faults: Simulator['faults'], id: string | null): { readonly removed: number } {
  if (id !== null) return { removed: faults.remove(id) ? 1 : 0 };
  const removed = faults.list().length;
  faults.clear();
  return { removed };
}

/** Filters by any field of a logged request: `?call=putPart&incidentId=...`. */
function filterRequests(
  requests: readonly LoggedRequest[],
  query: URLSearchParams,
): readonly LoggedRequest[] {
  return requests.filter((request) =>
    [...query].every(([name, value]) => String(request[name as keyof LoggedRequest]) === value),
  );
}

async function stateOf(simulator: Simulator) {
  const objects = await Promise.all(
    (await simulator.objects()).map((object) => withDigest(simulator, object)),
  );
  return {
    incidents: [...simulator.incidents().values()],
    objects,
    openUploads: await simulator.openUploads(),
    messages: simulator.messages(),
    invitations: simulator.invitations(),
    settings: simulator.settings(),
  };
}

async function withDigest(simulator: Simulator, object: StoredObject) {
  const sha256 = await simulator.sha256OfObject(object.key).catch(() => null);
  return { ...object, sha256 };
}

function withoutUndefined<T extends object>(value: T): { [K in keyof T]: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(value).filter(([, field]) => field !== undefined)) as never;
}
