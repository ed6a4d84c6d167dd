/**
 * The policy of the organisation over the life of a program: read before anything starts, and fetched from its signed
 * address from then on. A stored copy counts immediately, so that a desk starts just as fast without its network.
 */
import { isDeepStrictEqual } from 'node:util';
import type { Failure } from '../../shared/domain/failure.ts';
import type { Health } from '../../shared/domain/health.ts';
import { settingsSchema } from '../../shared/domain/settings.ts';
import { err, ok, type Result } from '../../shared/lib/result.ts';
import type { ProxyVariables } from './core/settings/choose-proxy.ts';
import { layerSettings } from './core/settings/layer-settings.ts';
import type { SignalHub } from './calls/signals.ts';
import type { AgentEvents } from './events.ts';
import type { Clock, Logger } from './ports.ts';
import { askOnce, sentence } from './service/ask-once.ts';
import { createProxyRoute, type ProxyRoute } from './service/proxy-route.ts';
import { systemCode } from './settings/file-advice.ts';
import { createKeyFileSecrets } from './settings/key-file.ts';
import { type AgentConfig, loadSettingsOrDefaults } from './settings/load-settings.ts';
import { policyFailure } from './settings/policy/policy-values.ts';
import type { Policy, SignedSource, SignedState } from './settings/policy/policy.ts';
import { readPolicy, withSigned } from './settings/policy/read-policy.ts';
import {
  isExpired,
  type KeptPolicy,
  keepPolicy,
  LONGEST_POLICY,
  mayFollow,
  readKeptPolicy,
  readSignedPolicy,
} from './settings/policy/signed-policy.ts';

/** Time between two looks at the address, milliseconds, plus up to a quarter: desks that start together spread out. */
const LOOK_MS = 15 * 60_000;
/** Time limit for the whole document, milliseconds. */
const ANSWER_MS = 20_000;

/** What must be known of the desk before its settings are read. */
export interface DeskFacts {
  /** Where the copy is kept. */
  readonly dataDir: string;
  readonly version: string;
  readonly clock: Clock;
  readonly proxyVariables?: ProxyVariables;
  /** Awaited before the first request. */
  readonly trusted?: Promise<void>;
  /** For tests. */
  readonly ca?: string;
}

/** Why there is no newer policy; `isRefusal`: one came that must not be obeyed. */
interface Problem {
  readonly text: string;
  readonly isRefusal: boolean;
}

type Fetched = Result<KeptPolicy, Problem>;

/** How the address is reached. */
interface Way {
  readonly route: ProxyRoute;
  readonly version: string;
  readonly clock: Pick<Clock, 'now'>;
  /** For tests. */
  readonly ca?: string;
}

/** Asks the address once. The answer is checked against `last`, and not stored yet. */
async function fetchPolicy(
  source: SignedSource,
  last: KeptPolicy | undefined,
  { route, version, clock, ca }: Way,
  signal: AbortSignal,
): Promise<Fetched> {
  const { url } = source;
  const question = { url, mostBytes: LONGEST_POLICY, timeoutMs: ANSWER_MS, version, route };
  const answer = await askOnce({ ...question, ...(ca !== undefined && { ca }) }, signal);
  const server = URL.parse(url)?.host ?? url;
  if (!answer.ok)
    return err({ text: `The policy server ${server} ${sentence(answer.error)}`, isRefusal: false });
  const nowMs = clock.now();
  const read = readSignedPolicy(answer.value, source, process.platform);
  const judged = read.ok ? mayFollow(read.value, last, nowMs) : read;
  if (!read.ok || !judged.ok) {
    const why = read.ok ? judged : read;
    return err({
      text: `The policy from ${url} ${why.ok ? '' : why.error}. It was refused.`,
      isRefusal: true,
    });
  }
  return ok({ ...read.value, checkedAt: new Date(nowMs).toISOString() });
}

/**
 * Reads the policy of this PC, and the one at its signed address: the copy on this desk, else the address's answer now.
 * Errors: POLICY_INVALID; NETWORK when there is neither copy nor answer, because a desk never starts with less.
 */
export function readDeskPolicy(desk: DeskFacts): Promise<Result<Policy, readonly Failure[]>> {
  return readPolicy((source, local) => firstPolicy(source, local, desk));
}

/** The policy from its signed address that a desk starts with. Errors as `readDeskPolicy`. */
export async function firstPolicy(
  source: SignedSource,
  local: Policy,
  desk: DeskFacts,
): Promise<Result<KeptPolicy, readonly Failure[]>> {
  const { dataDir, clock, proxyVariables, trusted } = desk;
  const kept = await readKeptPolicy(dataDir, source, process.platform);
  if (kept !== undefined) return ok(kept);
  await trusted;
  const { values } = layerSettings({ managed: local.managed, recommended: local.recommended });
  const userId = process.getuid?.();
  const secrets = createKeyFileSecrets(userId === undefined ? {} : { userId });
  const settings = settingsSchema.parse(values);
  const config = { settings, ...(proxyVariables !== undefined && { proxyVariables }) };
  const route = createProxyRoute(config, { clock, secrets });
  try {
    const fetched = await fetchPolicy(source, undefined, { ...desk, route }, noEnd);
    if (!fetched.ok) return err([startFailure(fetched.error)]);
    await keepPolicy(dataDir, fetched.value);
    return fetched;
  } catch (error) {
    const code = systemCode(error);
    return err([
      policyFailure(
        `The policy cannot be saved in ${dataDir} (${code}).`,
        'Check that the disk is not full and that the agent can write to this directory.',
      ),
    ]);
  } finally {
    route.stop();
  }
}

const noEnd = new AbortController().signal;

function startFailure({ text, isRefusal }: Problem): Failure {
  if (isRefusal)
    return policyFailure(
      text,
      'Correct the policy, sign it again, and publish it at that address. If the policy is correct, check signedPolicy and the clock on this PC, and update the agent.',
    );
  return {
    code: 'NETWORK',
    message: `${text} This PC has no usable copy of the policy.`,
    advice:
      'Check the network and the policy server, then start the agent again. It does not start without its policy.',
    retryable: true,
  };
}

interface FollowerDeps {
  readonly config: Pick<AgentConfig, 'dataDir' | 'policy' | 'settings' | 'settingsFile' | 'version'>;
  readonly clock: Pick<Clock, 'now' | 'random' | 'sleep'>;
  readonly logger: Pick<Logger, 'info' | 'warn' | 'error'>;
  readonly events: Pick<AgentEvents, 'emit'>;
  readonly signals: Pick<SignalHub, 'changed'>;
  readonly route: ProxyRoute;
  /** Restarts the agent under another policy. */
  readonly applySettings: (settings: AgentConfig['settings'], policy: Policy) => void;
  readonly stopping: AbortSignal;
  /** For tests. */
  readonly ca?: string;
}

/** Follows the signed address, if the policy of the PC names one. */
export interface PolicyFollower {
  /** Undefined: nobody manages this desk. */
  state(): Health['policy'];
  start(): void;
}

/** Creates the follower; the address is asked immediately after `start`, and then every quarter of an hour. */
export function createPolicyFollower(deps: FollowerDeps): PolicyFollower {
  const { config, clock, logger, events, signals, stopping } = deps;
  const { policy, dataDir, settingsFile } = config;
  /** The newest policy that came; it may be in force except for what is only read at the start. */
  let newest = policy;
  let signed = policy?.signed;
  let problem: string | undefined;

  function report(text: string | undefined, isRefusal: boolean): void {
    if (text !== undefined && text !== problem) {
      logger.warn("The organisation's policy could not be refreshed", { reason: text });
      if (isRefusal) events.emit({ event: 'warning', code: 'POLICY_INVALID', message: `${text} ${GOES_ON}` });
    }
    problem = text;
    signals.changed('health');
  }

  async function look(applied: SignedState, file: string): Promise<void> {
    const last = await readKeptPolicy(dataDir, applied, process.platform);
    const fetched = await fetchPolicy(applied, last, { ...deps, version: config.version }, stopping);
    if (!fetched.ok) return report(fetched.error.text, fetched.error.isRefusal);
    const next = fetched.value;
    if (next.text !== last?.text) return apply(next, applied, file);
    await keepPolicy(dataDir, next);
    if (next.sequence === applied.sequence) signed = { ...applied, checkedAt: next.checkedAt };
    report(next.sequence === applied.sequence ? undefined : notInForce(next), false);
  }

  async function keepNew(next: KeptPolicy): Promise<void> {
    await keepPolicy(dataDir, next);
    logger.info('The organisation has a new policy', { sequence: next.sequence });
  }

  /** A mere new number needs no restart; a policy that cannot be applied is not stored for the next start either. */
  async function apply(next: KeptPolicy, applied: SignedState, file: string): Promise<void> {
    const whole = {
      ...withSigned(applied, applied.local, next),
      ...(policy !== undefined && { started: startedWith(policy) }),
    };
    if (saysTheSame(whole, policy)) {
      await keepNew(next);
      newest = whole;
      signed = whole.signed;
      return report(undefined, false);
    }
    const loaded = await loadSettingsOrDefaults(file, whole);
    if (!loaded.ok) return report(notInForce(next, loaded.error), true);
    await keepNew(next);
    deps.applySettings(loaded.value.settings, whole);
  }

  async function run(file: string): Promise<void> {
    for (;;) {
      if (signed === undefined) return;
      // The next look may find space on the disk again
      await look(signed, file).catch((error: unknown) => {
        stopping.throwIfAborted();
        logger.error("The organisation's policy could not be refreshed", { error });
      });
      await clock.sleep(LOOK_MS * (1 + clock.random() / 4), stopping);
    }
  }

  return {
    state: () =>
      policyHealth(
        policy,
        signed,
        problem ?? policy?.cleanUpProblem ?? expiry(signed, clock.now()) ?? untilNextStart(newest),
      ),
    start() {
      const half = policy?.cleanUpProblem;
      if (half !== undefined) events.emit({ event: 'warning', code: 'POLICY_INVALID', message: half });
      // The sleep rejects when the agent stops
      if (settingsFile !== undefined) run(settingsFile).catch(() => undefined);
    },
  };
}

const GOES_ON = 'The current policy stays in effect.';
const notInForce = ({ sequence }: KeptPolicy, [problem]: readonly Failure[] = []): string =>
  `The policy with sequence ${sequence} could not be applied${problem === undefined ? '; see the program log in Health for the reason.' : `: ${problem.message}`}`;
const saysTheSame = (one: Policy, other: Policy | undefined): boolean =>
  isDeepStrictEqual(
    [one.managed, one.recommended, one.otlp, one.cleanUp, one.cleanUpProblem],
    [other?.managed, other?.recommended, other?.otlp, other?.cleanUp, other?.cleanUpProblem],
  );
const startedWith = ({ started, updates, console }: Policy): NonNullable<Policy['started']> =>
  started ?? { updates, console };
const untilNextStart = (newest: Policy | undefined): string | undefined => {
  if (newest?.started === undefined) return undefined;
  const { updates, console, started } = newest;
  return isDeepStrictEqual({ updates, console }, started)
    ? undefined
    : "The policy's settings for updates and the console take effect the next time the program starts.";
};
const expiry = (signed: SignedState | undefined, nowMs: number): string | undefined =>
  signed !== undefined && isExpired(signed, nowMs)
    ? `The policy was valid until ${signed.validUntil ?? ''}. It stays in effect until a newer one arrives.`
    : undefined;

function policyHealth(
  policy: Policy | undefined,
  signed: SignedState | undefined,
  problem: string | undefined,
): Health['policy'] {
  if (policy === undefined || policy.places.length === 0) return undefined;
  const { places, count } = policy;
  if (signed === undefined) return { places, settings: count };
  const { url, sequence, issuedAt, checkedAt } = signed;
  const state = { url, sequence, issuedAt, checkedAt, ...(problem !== undefined && { problem }) };
  return { places, settings: count, signed: state };
}
