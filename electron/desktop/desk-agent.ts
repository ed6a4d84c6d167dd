import { homedir } from 'node:os';
import { join } from 'node:path';
import { type Failure, FailureError, failuresInOne } from '../../shared/domain/failure.ts';
import type { AgentSignal } from '../../shared/ipc/events.ts';
import { err, ok, type Result } from '../../shared/lib/result.ts';
import {
  createAgent,
  loadSettingsOrDefaults,
  noProgress,
  readDeskPolicy,
  trustSystemCertificates,
  type Agent,
  type Policy,
  type Ports,
  type ProxyVariables,
  createKeyFileSecrets,
  createKeyFileStore,
  createSystemLog,
  createLogger,
  createSecretRegister,
  createSystemClock,
  proxySecrets,
  registerSecrets,
  type KeyKeeper,
  type Secrets,
  type SigningKeyStore,
} from '../agent/index.ts';
import type { AppPlaces } from './start-requests.ts';
import type { ElectronApi } from './electron-api.ts';
import { createKeyStore } from './keys/key-store.ts';
import { pauseAfterFaults } from './quitting/end-on-fault.ts';

interface Deps {
  readonly places: Pick<AppPlaces, 'settingsFile' | 'dataDir'>;
  readonly version: string;
  /** The organisation's policy. If it cannot be read, the agent does not start without it. */
  readonly policy: Promise<Result<Policy, readonly Failure[]>>;
  /** The problem with the program itself, if any. Nothing opens the queue until the program is known to be intact. */
  readonly programProblem: Promise<Failure | undefined> | Failure;
  /** Consecutive faults before this start: after them the agent starts later, longer each time. */
  readonly faults: number;
  readonly ports: Ports;
  readonly proxyVariables: ProxyVariables;
  /** Awaited before the first connection is opened (`trustSystemCertificates`). */
  readonly trusted: Promise<void>;
  /** Called with the agent before it starts, so that none of its events are missed. */
  readonly onMade: (agent: Agent) => void;
}

/**
 * Starts reading what the agent needs and what takes a subprocess or a thread some time: the organisation's policy,
 * with that of its signed address, and the system's certificates. Problems do not make either reject.
 */
export function readAhead(
  { dataDir }: Pick<AppPlaces, 'dataDir'>,
  { version, ports, proxyVariables }: Pick<Deps, 'version' | 'ports' | 'proxyVariables'>,
): Pick<Deps, 'version' | 'policy' | 'trusted'> {
  const { clock, logger } = ports;
  const trusted = trustSystemCertificates(logger);
  return { version, policy: readDeskPolicy({ dataDir, version, clock, proxyVariables, trusted }), trusted };
}

/** The agent of this desk, which the window does not wait for. */
export interface DeskAgent extends Pick<Agent, 'drain' | 'locateClip' | 'playClip' | 'progress' | 'stop'> {
  /** The agent once it runs, or why it does not: PROGRAM_CHANGED, POLICY_INVALID, the CONFIG_ codes, DATA_IN_USE, DB_NEWER, or CANCELLED if it was stopped before it was created. Rejects only for bugs. */
  readonly started: Promise<Result<Agent, Failure>>;
  /** Subscribes as soon as there is an agent; returns the function that unsubscribes. */
  onSignal(listener: (signal: AgentSignal) => void): () => void;
}

/** Reads the settings, creates the agent and starts it. */
export function startDeskAgent(deps: Deps): DeskAgent {
  let agent: Agent | undefined;
  const stopping = new AbortController();
  const made = makeAgent(deps, stopping.signal).then((result) => {
    if (!result.ok) return result;
    agent = result.value;
    deps.onMade(agent);
    return result;
  });
  const started = made.then((result) => (result.ok ? start(result.value) : result));
  return {
    started,
    onSignal: (listener) => listenWhenMade(made, listener),
    drain: async () => agent?.drain(),
    progress: () => agent?.progress() ?? noProgress,
    async locateClip(clipId) {
      const running = await started;
      return running.ok ? running.value.locateClip(clipId) : running;
    },
    async playClip(request, signal) {
      return agent?.playClip(request, signal) ?? { status: 404, headers: {} };
    },
    async stop() {
      stopping.abort();
      await started;
      await agent?.stop();
    },
  };
}

async function makeAgent(deps: Deps, stopping: AbortSignal): Promise<Result<Agent, Failure>> {
  const { settingsFile, dataDir } = deps.places;
  // Ends early when the app quits
  await deps.ports.clock.sleep(pauseAfterFaults(deps.faults), stopping).catch(() => undefined);
  const problem = await deps.programProblem;
  if (problem !== undefined) return err(problem);
  const policy = await deps.policy;
  if (!policy.ok) return err(failuresInOne(policy.error));
  // A desk that was never set up has no file yet; its pages guide through the first settings
  const loaded = await loadSettingsOrDefaults(settingsFile, policy.value);
  if (!loaded.ok) return err(failuresInOne(loaded.error));
  const { settings } = loaded.value;
  const { version, ports, proxyVariables } = deps;
  await deps.trusted;
  if (stopping.aborted) return err(quitting);
  const config = { settings, settingsFile, dataDir, version, policy: policy.value, proxyVariables };
  return ok(createAgent(config, ports));
}

const quitting: Failure = {
  code: 'CANCELLED',
  message: 'The app is quitting.',
  advice: 'Start the app again to continue.',
  retryable: true,
};

async function start(agent: Agent): Promise<Result<Agent, Failure>> {
  try {
    await agent.start();
    return ok(agent);
  } catch (error) {
    if (error instanceof FailureError) return err(error.failure);
    throw error;
  }
}

function listenWhenMade(
  made: Promise<Result<Agent, Failure>>,
  listener: (signal: AgentSignal) => void,
): () => void {
  let unsubscribe: (() => void) | undefined;
  let isOver = false;
  made.then(
    (agent) => {
      if (agent.ok && !isOver) unsubscribe = agent.value.signals.on(listener);
    },
    // Reported by `started`
    () => undefined,
  );
  return () => {
    isOver = true;
    unsubscribe?.();
  };
}

/** The real clock, the log, and the key of this account. `write` gets each line of the log, redacted. */
export function createHostPorts(
  { safeStorage }: Pick<ElectronApi, 'safeStorage'>,
  places: Pick<AppPlaces, 'userData' | 'dataDir'>,
  proxyVariables: ProxyVariables,
  write: (line: string) => void,
): Ports {
  const clock = createSystemClock();
  const register = createSecretRegister();
  for (const secret of proxySecrets(proxyVariables)) register.add(secret);
  const rules = () => ({ secrets: register.forms(), homeDir: homedir() });
  const logger = createLogger({ level: 'info', format: 'json', write, clock, rules });
  const userId = process.getuid?.();
  const keyFile = createKeyFileSecrets({
    ...(userId !== undefined && { userId }),
    originFile: join(places.userData, 'key-origins.json'),
  });
  const { platform } = process;
  const store = { safeStorage, platform, clock, logger, register: register.add };
  const keyStore = createKeyStore({ ...store, file: join(places.userData, 'key.json') });
  const signingKey = createSigningKeyStore({
    keyStore: createKeyStore({ ...store, file: join(places.userData, 'desk-key.json') }),
    file: createKeyFileStore(places.dataDir),
  });
  const secrets = createDesktopSecrets({ keyFile: registerSecrets(keyFile, register), keyStore });
  return { clock, logger, secrets, signingKey, systemLog: createSystemLog({ platform, userId }) };
}

interface SecretDeps {
  /** The key file named in the settings; fleets are managed with one. */
  readonly keyFile: Secrets;
  readonly keyStore: Required<Pick<Secrets, 'apiKey' | 'keeper'>>;
}

/** The API key of the desktop app: a key file named in the settings takes precedence over the account's key store. */
export function createDesktopSecrets({
  keyFile,
  keyStore,
}: SecretDeps): Secrets & { readonly keeper: KeyKeeper } {
  let isFileNamed = false;
  const { proxyCredentials, origins } = keyFile;
  return {
    apiKey: () => (isFileNamed ? keyFile.apiKey() : keyStore.apiKey()),
    useFile(apiKeyFile) {
      isFileNamed = apiKeyFile !== undefined;
      keyFile.useFile?.(apiKeyFile);
    },
    ...(proxyCredentials !== undefined && { proxyCredentials }),
    ...(origins !== undefined && { origins }),
    keeper: keyStore.keeper,
  };
}

interface SigningKeyDeps {
  /** Encrypted by the system, as the API key is. */
  readonly keyStore: Required<Pick<Secrets, 'apiKey' | 'keeper'>>;
  /** Used where the system has no trustworthy key store. */
  readonly file: SigningKeyStore;
}

/**
 * The desk's signing key, in this account's key store or, where there is none, in a file that only this account may
 * read. A key that the key store has but does not release is never replaced.
 */
function createSigningKeyStore({ keyStore, file }: SigningKeyDeps): SigningKeyStore {
  const hasStore = async (): Promise<boolean> => (await keyStore.keeper.describe()).keptIn === 'keyStore';
  return {
    async load() {
      try {
        return (await keyStore.apiKey()) ?? ((await hasStore()) ? undefined : await file.load());
      } catch (error) {
        if (error instanceof FailureError) throw new FailureError(locked(error.failure), { cause: error });
        throw error;
      }
    },
    async store(key) {
      if (!(await hasStore())) return file.store(key);
      const stored = await keyStore.keeper.store(key);
      return stored.ok ? stored : err(locked(stored.error));
    },
    keptIn: async () => ((await hasStore()) ? 'keyStore' : 'file'),
  };
}

const locked = ({ code, detail }: Failure): Failure => ({
  code,
  message: "The desk's signing key could not be read from or saved in this account's key store.",
  advice:
    'Check that the key store is unlocked, then restart the app. Uploads continue; custody packs can be saved once the key is available.',
  retryable: true,
  ...(detail !== undefined && { detail }),
});
