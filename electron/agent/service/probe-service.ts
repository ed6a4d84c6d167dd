import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { type Failure, FailureError } from '../../../shared/domain/failure.ts';
import { err, type Result } from '../../../shared/lib/result.ts';
import { decodeAnswer } from './decode.ts';
import { httpConfig, type ServiceConfig } from './connect-team.ts';
import { createHttp, type Http, type ServiceCall } from './http.ts';
import type { ProxyRoute } from './proxy-route.ts';
import type { Clock, Ports } from '../ports.ts';

/** One question to the service and its answer. */
export interface Probe {
  readonly what: string;
  readonly answer: Result<unknown, Failure>;
  /** Service time minus local time, milliseconds; undefined without a `Date` header. */
  readonly skewMs: number | undefined;
}

/** What a test of the connection asked: two endpoints that any key may use, and one that needs the video permission. */
export interface ServiceProbes {
  readonly users: Probe;
  readonly periods: Probe;
  readonly video: Probe;
}

/** Asks three harmless questions with the chosen way of presenting the key (service.md gaps 1 and 3). Never rejects for trouble. */
export async function probeService(
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
    // An id that no one has: the answer tells whether the question was allowed, and nothing is changed
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
    // The key was taken away since it was looked at
    if (error instanceof FailureError) return { what, answer: err(error.failure), skewMs: undefined };
    throw error;
  }
}
