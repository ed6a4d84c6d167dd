import { type Failure, FailureError, failuresInOne } from '../../shared/domain/failure.ts';
import type { AgentSignal } from '../../shared/ipc/events.ts';
import { err, ok, type Result } from '../../shared/lib/result.ts';
import {
  createAgent,
  loadSettingsOrDefaults,
  noProgress,
  trustSystemCertificates,
  type Agent,
  type Policy,
  type Ports,
  type ProxyVariables,
} from '../agent/index.ts';
import type { AppPlaces } from './app-places.ts';

interface Deps {
  readonly places: Pick<AppPlaces, 'settingsFile' | 'dataDir'>;
  readonly version: string;
  /** What the organisation says; without it the agent does not start with less. */
  readonly policy: Promise<Result<Policy, readonly Failure[]>>;
  /** What is wrong with the program itself; until it is known to be whole nothing opens the queue. */
  readonly programProblem: Promise<Failure | undefined>;
  readonly ports: Ports;
  readonly proxyVariables: ProxyVariables;
  /** Called with the agent before it starts, so that nothing it tells is missed. */
  readonly onMade: (agent: Agent) => void;
}

/** The agent of this desk, which the window does not wait for. */
export interface DeskAgent extends Pick<Agent, 'drain' | 'locateClip' | 'playClip' | 'progress' | 'stop'> {
  /** The agent once it runs, or why it does not: PROGRAM_CHANGED, POLICY_INVALID, the CONFIG_ codes, DATA_IN_USE, DB_NEWER. Rejects only for bugs. */
  readonly started: Promise<Result<Agent, Failure>>;
  /** Listens as soon as there is an agent; answers the function that ends it. */
  onSignal(listener: (signal: AgentSignal) => void): () => void;
}

/** Reads the settings, makes the agent, and starts it. */
export function startDeskAgent(deps: Deps): DeskAgent {
  let agent: Agent | undefined;
  const made = makeAgent(deps).then((result) => {
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
      await started;
      await agent?.stop();
    },
  };
}

async function makeAgent(deps: Deps): Promise<Result<Agent, Failure>> {
  const { settingsFile, dataDir } = deps.places;
  const problem = await deps.programProblem;
  if (problem !== undefined) return err(problem);
  const policy = await deps.policy;
  if (!policy.ok) return err(failuresInOne(policy.error));
  // A desk that was never set up has no file yet: its pages lead through the first settings
  const loaded = await loadSettingsOrDefaults(settingsFile, policy.value);
  if (!loaded.ok) return err(failuresInOne(loaded.error));
  const { settings } = loaded.value;
  const { version, ports, proxyVariables } = deps;
  // Before the first connection is opened
  await trustSystemCertificates(ports.logger);
  const config = { settings, settingsFile, dataDir, version, policy: policy.value, proxyVariables };
  return ok(createAgent(config, ports));
}

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
    // Whoever waits for the start hears of it
    () => undefined,
  );
  return () => {
    isOver = true;
    unsubscribe?.();
  };
}
