import { isOnThisMachine } from '../core/check-base-url.ts';
import type { AgentConfig } from '../agent.ts';
import { AgentEvents } from '../events.ts';
import type { Clock, Ports } from '../ports.ts';
import { createCallService } from './call-service.ts';
import { createImageCheck } from './check-image.ts';
import { createHttp, type Http } from './http.ts';
import { createMessages } from './messages.ts';
import { createPeriods } from './periods.ts';
import { createServiceClock, type ServiceClock } from './service-clock.ts';
import type { TeamService } from './team-service.ts';
import { createUsers } from './users.ts';

type ServiceConfig = Pick<AgentConfig, 'settings' | 'version'>;

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
  const http = createHttp(httpConfig(config), secrets);
  // Nobody listens here: a skewed clock matters to evidence, which this host does not send
  const serviceClock = createServiceClock(clock, new AgentEvents());
  return { ...createTeamService(config, http, serviceClock, clock), stop: () => http.stop() };
}

/** The resources of endpoints 7 to 15 over a client that is open already. */
export function createTeamService(
  { settings, version }: ServiceConfig,
  http: Http,
  serviceClock: ServiceClock,
  clock: Clock,
): TeamService {
  const send = createCallService(http, serviceClock);
  const checkImage = createImageCheck({
    clock,
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
export function httpConfig({ settings, version }: ServiceConfig) {
  return { baseUrl: settings.baseUrl, auth: settings.auth, userAgent: userAgent(version) };
}

const userAgent = (version: string): string => `vms-export-agent/${version}`;
