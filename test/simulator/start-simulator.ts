import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createFaultBook, type ActiveFaultBook } from './faults/fault-book.ts';
import { createRandom } from './faults/random.ts';
import { openExchange } from './http/exchange.ts';
import { openListener, type Listener } from './http/listener.ts';
import { serveSafely } from './http/serve-safely.ts';
import { createRequestLog, type WritableRequestLog } from './request-log.ts';
import { createIncidentStore } from './service/incident-store.ts';
import { sampleIncidents } from './service/sample-incidents.ts';
import { serveRequest, type ServiceHandlerContext } from './service/service-handler.ts';
import { createUploadRegister } from './service/upload-register.ts';
import { createTeamStore } from './team/team-store.ts';
import { defaultSettings, type KnownKey, type SimulatorSettings } from './settings.ts';
import { createSimulatorClock } from './simulator-clock.ts';
import { chooseStorage } from './storage/choose-storage.ts';
import { openControl } from './control/control-listener.ts';
import type { Simulator, SimulatorOptions } from './simulator.ts';

/** The key of a fresh simulator. */
const DEMO_KEY = 'vms-demo-key-4f8d2c1a9e7b';
const DEFAULT_SEED = 20_260_802;

/** Starts the service and its storage on loopback, each on a port of its own. */
export async function startSimulator(options: SimulatorOptions = {}): Promise<Simulator> {
  const settings: SimulatorSettings = { ...defaultSettings, ...chosenSettings(options) };
  const clock = createSimulatorClock(() => settings.clockOffsetMs);
  const log = createRequestLog();
  const faults = createFaultBook(createRandom(options.seed ?? DEFAULT_SEED));
  const uploads = createUploadRegister();
  const incidents = createIncidentStore();
  if (options.sampleIncidents) sampleIncidents.forEach(incidents.seed);
  const team = createTeamStore(options.team ?? 'sample', clock.now());
  const folder = options.folder ?? (await mkdtemp(join(tmpdir(), 'vms-simulator-')));
  const storage = await chooseStorage(options, folder, {
    settings,
    clock,
    log,
    faults,
    ownerOf: uploads.ownerOf,
  });
  const apiKey = options.apiKey ?? options.keys?.find((known) => known.videoPermission)?.key ?? DEMO_KEY;
  let keys: readonly KnownKey[] = options.keys ?? [{ key: apiKey, videoPermission: true }];
  const context = { settings, clock, storage, incidents, uploads, team, faults, keys: () => keys };
  const service = await openService(context, log, options.port);
  const simulator: Simulator = {
    baseUrl: `${service.url}/v1`,
    storageUrl: storage.url,
    apiKey,
    folder,
    requests: log,
    faults,
    incidents: () => incidents.incidents,
    putHistory: incidents.history,
    team: team.team,
    messages: team.messages.messages,
    invitations: team.users.invitations,
    objects: storage.objects,
    readObject: storage.readObject,
    sha256OfObject: storage.sha256OfObject,
    openUploads: storage.openUploads,
    setKeys: (known) => void (keys = known),
    settings: () => settings,
    configure: (change) => void Object.assign(settings, change),
    goOffline: (which = 'both') => switchListeners(which, 'offline', service, storage),
    goOnline: (which = 'both') => switchListeners(which, 'online', service, storage),
    stop: async () => undefined,
  };
  const control =
    options.controlPort === undefined || options.controlPort === false
      ? undefined
      : await openControl(simulator, options.controlPort);
  return {
    ...simulator,
    ...(control && { controlUrl: control.url }),
    async stop() {
      faults.clear();
      await Promise.all([control?.offline(), service.offline(), storage.stop()]);
      if (options.folder === undefined) await rm(folder, { recursive: true, force: true });
    },
  };
}

function chosenSettings(options: SimulatorOptions): Partial<SimulatorSettings> {
  const names = Object.keys(defaultSettings) as (keyof SimulatorSettings)[];
  return Object.fromEntries(
    names.flatMap((name) => (options[name] === undefined ? [] : [[name, options[name]]])),
  );
}

function openService(
  context: ServiceHandlerContext & { readonly faults: ActiveFaultBook },
  log: WritableRequestLog,
  port?: number,
): Promise<Listener> {
  return openListener((request, response) => {
    const exchange = openExchange(request, response, { listener: 'service', log, ...context });
    serveSafely(exchange, () => serveRequest(exchange, context));
  }, port);
}

type Switchable = Pick<Listener, 'offline' | 'online'>;

async function switchListeners(
  which: 'service' | 'storage' | 'both',
  to: 'offline' | 'online',
  service: Switchable,
  storage: Switchable,
): Promise<void> {
  if (which !== 'storage') await service[to]();
  if (which !== 'service') await storage[to]();
}
