import { policyOf } from '../../../shared/domain/failure-policy.ts';
import { type Failure, FailureError } from '../../../shared/domain/failure.ts';
import { formatDuration } from '../../../shared/lib/readable-amounts.ts';
import { notSetUp } from '../core/settings/check-connection.ts';
import type { Ports, Clock } from '../ports.ts';
import { addressLine, failedLine, tlsLine, type ConnectionLine } from './check-address.ts';
import { type ServiceConfig, httpConfig } from './connect-service.ts';
import { failureForPerson } from './call-service.ts';
import { LACKS_VIDEO_PERMISSION } from './failures.ts';
import { createProxyRoute, type ProxyRoute } from './proxy-route.ts';
import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { err, type Result } from '../../../shared/lib/result.ts';
import { decodeAnswer } from './decode.ts';
import { createHttp, type Http, type ServiceCall } from './http.ts';

/** Longest wait for the whole test, milliseconds: someone is watching the screen. */
const DEADLINE_MS = 30_000;
/** Difference of the clocks from which a person is warned, milliseconds (service.md gap 27). */
const WARN_SKEW_MS = 60_000;

type CheckPorts = Pick<Ports, 'clock' | 'secrets'>;

/**
 * Tests the connection with the given settings: name, certificate, service with its key, video permission and clock,
 * one line each in this order. Lines that a failed one makes pointless are skipped. Never rejects because of a problem.
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

interface CheckDeps {
  readonly config: ServiceConfig;
  readonly ports: CheckPorts;
  readonly route: ProxyRoute;
}

async function lookAtAll(
  baseUrl: string,
  { config, ports, route }: CheckDeps,
  signal: AbortSignal,
): Promise<readonly ConnectionLine[]> {
  const url = new URL(baseUrl);
  const address = await addressLine(url, route, signal);
  if (address.state === 'failed') return [address, ...skipped('tls', 'service', 'permission', 'clock')];
  const tls = await tlsLine(url, { route, nowMs: ports.clock.now() }, signal);
  if (tls.state === 'failed') return [address, tls, ...skipped('service', 'permission', 'clock')];
  const { users, periods, video } = await probeService(config, ports, route, signal);
  const service = serviceLine(baseUrl, [users, periods], video);
  const permission = service.state === 'ok' ? [permissionLine(video, users)] : skipped('permission');
  return [address, tls, service, ...permission, clockLine([users, periods, video])];
}

function serviceLine(baseUrl: string, open: readonly Probe[], video: Probe): ConnectionLine {
  const answered = [...open, video].filter(({ answer }) => answer.ok).map(({ what }) => what);
  // A key for video only: the rest is refused, but an unknown incident is answered as unknown
  const isVideoOnly = isUnknown(video) && open.some(isRefused);
  if (isVideoOnly) answered.push(video.what);
  if (answered.length > 0) {
    const others = open.filter(({ answer }) => !answer.ok).map(withStatus);
    const not = others.length === 0 ? '' : ` Not to: ${others.join(', ')}.`;
    return { name: 'service', state: 'ok', text: `${baseUrl} responds to: ${answered.join(', ')}.${not}` };
  }
  const [first] = [...open, video].flatMap(({ what, answer }) =>
    answer.ok ? [] : [atAddress(baseUrl, what, forPerson(what, answer.error))],
  );
  return first === undefined
    ? { name: 'service', state: 'failed', text: baseUrl }
    : failedLine('service', first);
}

/** A call with the status of its answer. */
function withStatus(probe: Probe): string {
  const status = statusOf(probe);
  return `${probe.what} (${status === undefined ? 'no response' : `HTTP ${status}`})`;
}

/** A list names no record that could be missing: a 404 is about the service's address. */
function atAddress(baseUrl: string, what: string, failure: Failure): Failure {
  if (failure.status !== 404) return failure;
  const message = `${what}: nothing found at ${baseUrl} (HTTP 404).`;
  return { ...failure, message, advice: 'Check the service address.' };
}

function permissionLine(video: Probe, users: Probe): ConnectionLine {
  if (video.answer.ok || isUnknown(video)) {
    const more = users.answer.ok
      ? " It also gives access to the team's users, so protect it like a password."
      : '';
    return { name: 'permission', state: 'ok', text: `The key has the video permission.${more}` };
  }
  const { error } = video.answer;
  if (!isRefused(video)) return failedLine('permission', forPerson(video.what, error));
  return failedLine('permission', {
    ...error,
    code: 'VIDEO_PERMISSION_MISSING',
    message: LACKS_VIDEO_PERMISSION + error.message,
    advice: 'Ask the operator of the service to add it. Until then, uploads are on hold; nothing is lost.',
  });
}

function clockLine(probes: readonly Probe[]): ConnectionLine {
  const skewMs = probes.find((each) => each.skewMs !== undefined)?.skewMs;
  if (skewMs === undefined)
    return { name: 'clock', state: 'skipped', text: "The service's time is not known." };
  // The header has whole seconds, and the answer took time to arrive
  if (Math.abs(skewMs) <= WARN_SKEW_MS)
    return { name: 'clock', state: 'ok', text: "Within a minute of the service's clock." };
  const direction = skewMs > 0 ? 'behind' : 'ahead of';
  const text = `This PC's clock is ${formatDuration(Math.abs(skewMs))} ${direction} the service's. Correct this PC's clock.`;
  return { name: 'clock', state: 'warning', text };
}

function skipped(...names: readonly ConnectionLine['name'][]): readonly ConnectionLine[] {
  return names.map((name) => ({
    name,
    state: 'skipped',
    text: 'Not checked because another check failed.',
  }));
}

/** Whatever was running when the time was up failed for that reason only. */
function outOfTime(line: ConnectionLine, host: string): ConnectionLine {
  if (line.failure === undefined || policyOf(line.failure.code).answer !== 'none') return line;
  return failedLine(line.name, {
    code: 'API_TIMEOUT',
    message: `The check of ${host} did not finish within ${formatDuration(DEADLINE_MS)}.`,
    advice: 'Check the network and the firewall, then try again.',
    retryable: true,
  });
}

const forPerson = (what: string, failure: Failure): Failure =>
  failureForPerson(failure, { what, endpoint: 'getUsers', isAborted: false });

const isRefused = (probe: Probe): boolean => statusOf(probe) === 401 || statusOf(probe) === 403;

const isUnknown = (probe: Probe): boolean => statusOf(probe) === 404 || statusOf(probe) === 410;

const statusOf = ({ answer }: Probe): number | undefined => (answer.ok ? undefined : answer.error.status);

/** One call to the service and its answer. */
interface Probe {
  readonly what: string;
  readonly answer: Result<unknown, Failure>;
  /** Service time minus local time, milliseconds; undefined without a `Date` header. */
  readonly skewMs: number | undefined;
}

/** The calls of a connection test: two endpoints that any key may use, and one that needs the video permission. */
interface ServiceProbes {
  readonly users: Probe;
  readonly periods: Probe;
  readonly video: Probe;
}

/**
 * Makes three harmless calls with the chosen way of presenting the key (service.md gaps 1 and 3). Never rejects because
 * of a problem.
 */
async function probeService(
  config: ServiceConfig,
  { clock, secrets }: Pick<Ports, 'clock' | 'secrets'>,
  route: ProxyRoute,
  signal: AbortSignal,
): Promise<ServiceProbes> {
  const http = createHttp(httpConfig(config, route), secrets);
  const ask = (what: string, call: ServiceCall) => probe(http, clock, what, call, signal);
  try {
    const users = await ask('GET /users', { endpoint: 'getUsers', query: [['per_page', '1']] });
    const periods = await ask('GET /periods', { endpoint: 'getPeriods' });
    // An id that does not exist: the answer shows whether the call was allowed, and nothing is changed
    const ids = { incidentId: randomUUID() };
    const video = await ask('GET /vms/incidents/{id}', { endpoint: 'getIncident', ids });
    return { users, periods, video };
  } finally {
    http.stop();
  }
}

async function probe(
  http: Http,
  clock: Clock,
  what: string,
  call: ServiceCall,
  signal: AbortSignal,
): Promise<Probe> {
  try {
    const raw = await http.call(call, signal);
    if (!raw.ok) return { what, answer: raw, skewMs: undefined };
    const serviceMs = Date.parse(raw.value.headers.date ?? '');
    return {
      what,
      answer: decodeAnswer(what, raw.value, z.unknown(), clock.now()),
      skewMs: Number.isNaN(serviceMs) ? undefined : serviceMs - clock.now(),
    };
  } catch (error) {
    // The key was removed since it was last read
    if (error instanceof FailureError) return { what, answer: err(error.failure), skewMs: undefined };
    throw error;
  }
}
