import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import type { Failure } from '../../../shared/domain/failure.ts';
import type { Settings } from '../../../shared/domain/settings.ts';
import type { Result } from '../../../shared/lib/result.ts';
import type { Ports } from '../ports.ts';
import { decodeAnswer } from './decode.ts';
import { createHttp, type Http } from './http.ts';

/** One thing that a test of the connection showed. */
export interface ServiceCheck {
  readonly name: 'service' | 'permission' | 'clock';
  readonly state: 'ok' | 'warning' | 'failed' | 'skipped';
  readonly text: string;
  readonly failure?: Failure;
}

/** Difference of clocks that is worth a warning, milliseconds (decisions row 27). */
const WARN_SKEW_MS = 60_000;
const CHECK_TIMEOUT_MS = 20_000;

interface Probe {
  readonly result: Result<unknown, Failure>;
  readonly dateMs: number | undefined;
}

/**
 * Asks the service harmless questions with the stored key: `GET /users?per_page=1` and `GET /periods` for the key,
 * an incident that does not exist for the video permission (decisions rows 1 and 3), its `Date` for the clock.
 */
export async function checkService(
  settings: Pick<Settings, 'baseUrl' | 'auth'>,
  ports: Ports,
): Promise<readonly ServiceCheck[]> {
  const http = createHttp({ baseUrl: settings.baseUrl, auth: settings.auth, userAgent: 'vms-export-agent' }, ports.secrets);
  try {
    const users = await ask(http, ports, 'GET users', '/users', [['per_page', '1']]);
    const periods = await ask(http, ports, 'GET periods', '/periods', []);
    const video = await ask(http, ports, 'GET incident', `/vms/incidents/${randomUUID()}`, []);
    const service = serviceLine(settings.baseUrl, users, periods, video);
    const dateMs = users.dateMs ?? periods.dateMs ?? video.dateMs;
    return [service, permissionLine(video, service), clockLine(dateMs, ports.clock.now())];
  } finally {
    http.stop();
  }
}

async function ask(
  http: Http,
  { clock }: Ports,
  what: string,
  path: string,
  query: readonly (readonly [string, string])[],
): Promise<Probe> {
  const answer = await http.call({ method: 'GET', path, query }, AbortSignal.timeout(CHECK_TIMEOUT_MS));
  if (!answer.ok) return { result: answer, dateMs: undefined };
  const dateMs = Date.parse(answer.value.headers.date ?? '');
  return {
    result: decodeAnswer(what, answer.value, z.unknown(), clock.now()),
    dateMs: Number.isNaN(dateMs) ? undefined : dateMs,
  };
}

/** The key is good when any endpoint takes it: what else it may do is another question. */
function serviceLine(baseUrl: string, users: Probe, periods: Probe, video: Probe): ServiceCheck {
  const host = new URL(baseUrl).host;
  const answered = [
    ['users', users.result],
    ['periods', periods.result],
  ] as const;
  const good = answered.filter(([, result]) => result.ok).map(([name]) => name);
  if (good.length > 0) {
    return { name: 'service', state: 'ok', text: `${host} answered and took the key (${good.join(', ')}).` };
  }
  if (isKnownToService(video)) {
    return { name: 'service', state: 'ok', text: `${host} answered and took the key (video incidents only).` };
  }
  const failure = users.result.ok ? undefined : users.result.error;
  return { name: 'service', state: 'failed', text: failure?.message ?? 'No answer.', ...(failure && { failure }) };
}

/** A 404 for an incident that does not exist is the answer to somebody who may ask. */
function isKnownToService(video: Probe): boolean {
  return video.result.ok || video.result.error.code === 'NOT_FOUND';
}

function permissionLine(video: Probe, service: ServiceCheck): ServiceCheck {
  if (isKnownToService(video)) {
    return { name: 'permission', state: 'ok', text: 'The key has the video permission.' };
  }
  if (service.state !== 'ok' || video.result.ok) {
    return { name: 'permission', state: 'skipped', text: 'Not asked, because the service did not take the key.' };
  }
  const refusal = video.result.error;
  if (refusal.code !== 'KEY_REFUSED') {
    return { name: 'permission', state: 'failed', text: refusal.message, failure: refusal };
  }
  const failure: Failure = {
    ...refusal,
    code: 'VIDEO_PERMISSION_MISSING',
    message: 'This key lacks the video permission.',
    advice: 'Ask the operator of the service to add it.',
  };
  return { name: 'permission', state: 'failed', text: failure.message, failure };
}

function clockLine(dateMs: number | undefined, nowMs: number): ServiceCheck {
  if (dateMs === undefined) return { name: 'clock', state: 'skipped', text: 'The service did not tell its time.' };
  const skewMs = dateMs - nowMs;
  const seconds = Math.round(Math.abs(skewMs) / 1000);
  if (Math.abs(skewMs) <= WARN_SKEW_MS) {
    return { name: 'clock', state: 'ok', text: 'The clock of this PC agrees with the service within a minute.' };
  }
  const direction = skewMs > 0 ? 'behind' : 'ahead of';
  return {
    name: 'clock',
    state: 'warning',
    text: `The clock of this PC is ${seconds} s ${direction} the service's. Evidence times may be argued about: set it.`,
  };
}
