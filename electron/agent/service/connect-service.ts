import { type Failure, FailureError } from '../../../shared/domain/failure.ts';
import { err, ok, type Result } from '../../../shared/lib/result.ts';
import type { AgentEvents } from '../events.ts';
import type { Ports } from '../ports.ts';
import { createTeamService, httpConfig, type ServiceConfig } from './connect-team.ts';
import { createHttp, type Http } from './http.ts';
import { createProxyRoute, type ProxyRoute } from './proxy-route.ts';
import { createServiceClock, type ServiceClock } from './service-clock.ts';
import type { TeamService } from './team-service.ts';
import { createVmsIncidents, type VmsIncidents } from './vms-incidents.ts';

/** Longest wait for the answer to a question that only asks whether anyone is there, milliseconds. */
const PROBE_TIMEOUT_MS = 10_000;

/** The service as this program knows it: named calls of its resources, and its clock. */
export interface ServiceConnection {
  readonly incidents: VmsIncidents;
  readonly team: TeamService;
  readonly clock: ServiceClock;
  /** The way out, for the client of storage too. */
  readonly route: ProxyRoute;
  /** Whether it can be reached: any answer will do. Errors: those of the way there (NETWORK, API_TIMEOUT ...) and of the key. */
  probe(signal: AbortSignal): Promise<Result<void, Failure>>;
  /** Closes its sockets; calls that are under way fail. */
  stop(): void;
}

/** Opens nothing yet: each call connects when it is made, and reads the key then. */
export function connectService(
  config: ServiceConfig,
  { clock, secrets }: Pick<Ports, 'clock' | 'secrets'>,
  events: AgentEvents,
): ServiceConnection {
  const route = createProxyRoute(config, { clock, secrets });
  const http = createHttp(httpConfig(config, route), secrets);
  const serviceClock = createServiceClock(clock, events);
  return {
    incidents: createVmsIncidents(http, serviceClock),
    team: createTeamService(config, { http, route, serviceClock, clock }),
    clock: serviceClock,
    route,
    probe: (signal) => probe(http, signal),
    stop() {
      http.stop();
      route.stop();
    },
  };
}

async function probe(http: Http, signal: AbortSignal): Promise<Result<void, Failure>> {
  try {
    const answer = await http.call({ endpoint: 'getPeriods', timeoutMs: PROBE_TIMEOUT_MS }, signal);
    return answer.ok ? ok(undefined) : answer;
  } catch (error) {
    if (error instanceof FailureError) return err(error.failure);
    throw error;
  }
}
