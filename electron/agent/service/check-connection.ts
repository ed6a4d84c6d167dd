import { policyOf } from '../../../shared/domain/failure-policy.ts';
import type { Failure } from '../../../shared/domain/failure.ts';
import { formatDuration } from '../../../shared/lib/duration.ts';
import { notSetUp } from '../core/settings/missing-setup.ts';
import type { Ports } from '../ports.ts';
import { addressLine, failedLine, tlsLine, type ConnectionLine } from './check-address.ts';
import type { ServiceConfig } from './connect-team.ts';
import { failureForPerson } from './failure-for-person.ts';
import { probeService, type Probe } from './probe-service.ts';
import { createProxyRoute, type ProxyRoute } from './proxy-route.ts';

/** Longest wait for the whole test, milliseconds: someone looks at the screen meanwhile. */
const DEADLINE_MS = 30_000;
/** Difference of the clocks from which a person is told, milliseconds (service.md gap 27). */
const WARN_SKEW_MS = 60_000;

type CheckPorts = Pick<Ports, 'clock' | 'secrets'>;

/**
 * Tests the connection with the settings given: name, certificate, service with its key, video permission and clock,
 * one line each in this order. What a failed line makes pointless is skipped. Never rejects for trouble.
 */
export async function checkConnection(
  config: ServiceConfig,
  ports: CheckPorts,
  signal?: AbortSignal,
): Promise<readonly ConnectionLine[]> {
  const { baseUrl } = config.settings;
  if (baseUrl === undefined)
    return [failedLine('address', notSetUp), ...skipped('tls', 'service', 'permission', 'clock')];
  const ended = new AbortController();
  const deadline = new AbortController();
  const stop = (): void => deadline.abort(signal?.reason);
  signal?.addEventListener('abort', stop, { once: true });
  if (signal?.aborted === true) stop();
  ports.clock.sleep(DEADLINE_MS, ended.signal).then(stop, () => undefined);
  const route = createProxyRoute(config, ports);
  try {
    const lines = await lookAtAll(baseUrl, { config, ports, route }, deadline.signal);
    const { host } = new URL(baseUrl);
    return deadline.signal.aborted ? lines.map((line) => outOfTime(line, host)) : lines;
  } finally {
    signal?.removeEventListener('abort', stop);
    ended.abort();
    route.stop();
  }
}

interface CheckParts {
  readonly config: ServiceConfig;
  readonly ports: CheckPorts;
  readonly route: ProxyRoute;
}

async function lookAtAll(
  baseUrl: string,
  { config, ports, route }: CheckParts,
  signal: AbortSignal,
): Promise<readonly ConnectionLine[]> {
  const url = new URL(baseUrl);
  const address = await addressLine(url, route, signal);
  if (address.state === 'failed') return [address, ...skipped('tls', 'service', 'permission', 'clock')];
  const tls = await tlsLine(url, { route, nowMs: ports.clock.now() }, signal);
  if (tls.state === 'failed') return [address, tls, ...skipped('service', 'permission', 'clock')];
  const { users, periods, video } = await probeService(config, ports, route, signal);
  const service = serviceLine(baseUrl, [users, periods], video);
  const permission = service.state === 'ok' ? [permissionLine(video)] : skipped('permission');
  return [address, tls, service, ...permission, clockLine([users, periods, video])];
}

function serviceLine(baseUrl: string, open: readonly Probe[], video: Probe): ConnectionLine {
  const answered = [...open, video].filter(({ answer }) => answer.ok).map(({ what }) => what);
  // A key for video only: the rest is refused, but an unknown incident is told to be unknown
  const isVideoOnly = isUnknown(video) && open.some(isRefused);
  if (isVideoOnly) answered.push(video.what);
  if (answered.length > 0)
    return { name: 'service', state: 'ok', text: `${baseUrl} answers: ${answered.join(', ')}.` };
  const [first] = [...open, video].flatMap(({ what, answer }) =>
    answer.ok ? [] : [forPerson(what, answer.error)],
  );
  return first === undefined
    ? { name: 'service', state: 'failed', text: baseUrl }
    : failedLine('service', first);
}

function permissionLine(video: Probe): ConnectionLine {
  if (video.answer.ok || isUnknown(video))
    return { name: 'permission', state: 'ok', text: 'The key may use the video endpoints.' };
  const { error } = video.answer;
  if (!isRefused(video)) return failedLine('permission', forPerson(video.what, error));
  return failedLine('permission', {
    ...error,
    code: 'VIDEO_PERMISSION_MISSING',
    message: `This key lacks the video permission (${error.message.replace(/\.$/, '')}).`,
    advice: 'Ask the operator of the service to add it; uploads wait and nothing is lost.',
  });
}

function clockLine(probes: readonly Probe[]): ConnectionLine {
  const skewMs = probes.find((each) => each.skewMs !== undefined)?.skewMs;
  if (skewMs === undefined) return { name: 'clock', state: 'skipped', text: 'The service told no time.' };
  // The header has whole seconds, and the answer was under way
  if (Math.abs(skewMs) <= WARN_SKEW_MS)
    return { name: 'clock', state: 'ok', text: `Within ${formatDuration(WARN_SKEW_MS)} of the service's.` };
  const direction = skewMs > 0 ? 'behind' : 'ahead of';
  const text = `This clock is ${formatDuration(Math.abs(skewMs))} ${direction} the service's; set it.`;
  return { name: 'clock', state: 'warning', text };
}

function skipped(...names: readonly ConnectionLine['name'][]): readonly ConnectionLine[] {
  return names.map((name) => ({
    name,
    state: 'skipped',
    text: 'Not checked because of what is said above.',
  }));
}

/** What was under way when the time was over failed for that reason and no other. */
function outOfTime(line: ConnectionLine, host: string): ConnectionLine {
  if (line.failure === undefined || policyOf(line.failure.code).answer !== 'none') return line;
  return failedLine(line.name, {
    code: 'API_TIMEOUT',
    message: `${host} did not answer within ${formatDuration(DEADLINE_MS)}.`,
    advice: 'Check the network and whether a firewall drops connections, and try again.',
    retryable: true,
  });
}

const forPerson = (what: string, failure: Failure): Failure =>
  failureForPerson(failure, { what, endpoint: 'getUsers', isAborted: false });

const isRefused = (probe: Probe): boolean => statusOf(probe) === 401 || statusOf(probe) === 403;

const isUnknown = (probe: Probe): boolean => statusOf(probe) === 404 || statusOf(probe) === 410;

const statusOf = ({ answer }: Probe): number | undefined => (answer.ok ? undefined : answer.error.status);
