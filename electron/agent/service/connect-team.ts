import { isOnThisMachine } from '../core/settings/check-base-url.ts';
import type { AgentConfig } from '../settings/agent-config.ts';
import { AgentEvents } from '../events.ts';
import type { Clock, Ports } from '../ports.ts';
import { createCallService } from './call-service.ts';
import { createImageCheck } from './check-image.ts';
import { createHttp, type Http } from './http.ts';
import { createMessages } from './messages.ts';
import { createPeriods } from './periods.ts';
import { createProxyRoute, type ProxyRoute } from './proxy-route.ts';
import { createServiceClock, type ServiceClock } from './service-clock.ts';
import type { TeamService } from './team-service.ts';
import { createUsers } from './users.ts';

/** What the clients of the service are made from. */
export type ServiceConfig = Pick<AgentConfig, 'settings' | 'version' | 'proxyVariables'>;

/** Endpoints 7 to 15 for a host that runs no agent. */
export interface TeamConnection extends TeamService {
  /** Closes its sockets; calls that are under way fail. */
  stop(): void;
}

/** Opens nothing yet: each call connects when it is made, and reads the key then. `stop` it in the end. */
export function connectTeam(
  config: ServiceConfig,
  { clock, secrets }: Pick<Ports, 'clock' | 'secrets'>,
): TeamConnection {
  const route = createProxyRoute(config, { clock, secrets });
  const http = createHttp(httpConfig(config, route), secrets);
  // Nobody listens here: a skewed clock matters to evidence, which this host does not send
  const serviceClock = createServiceClock(clock, new AgentEvents());
  return {
    ...createTeamService(config, { http, route, serviceClock, clock }),
    stop() {
      http.stop();
      route.stop();
    },
  };
}

interface TeamNeeds {
  readonly http: Http;
  readonly route: ProxyRoute;
  readonly serviceClock: ServiceClock;
  readonly clock: Clock;
}

/** The resources of endpoints 7 to 15 over a client that is open already. */
export function createTeamService(
  { settings, version }: ServiceConfig,
  { http, route, serviceClock, clock }: TeamNeeds,
): TeamService {
  const send = createCallService(http, serviceClock);
  const checkImage = createImageCheck({
    clock,
    route,
    allowLoopback: isOnThisMachine(settings.baseUrl),
    userAgent: userAgent(version),
  });
  return {
    periods: createPeriods(send),
    messages: createMessages(send, checkImage),
    users: createUsers(send, settings.users.updateMethod),
  };
}

/** What the client of the service is made of. */
export function httpConfig({ settings, version }: ServiceConfig, route: ProxyRoute) {
  return { baseUrl: settings.baseUrl, auth: settings.auth, userAgent: userAgent(version), route };
}

const userAgent = (version: string): string => `vms-export-agent/${version}`;
