import type { AgentConfig } from '../agent.ts';
import type { AgentEvents } from '../events.ts';
import type { Ports } from '../ports.ts';
import { createTeamService, httpConfig } from './connect-team.ts';
import { createHttp } from './http.ts';
import { createServiceClock, type ServiceClock } from './service-clock.ts';
import type { TeamService } from './team-service.ts';
import { createVmsIncidents, type VmsIncidents } from './vms-incidents.ts';

/** The service as this program knows it: named calls of its resources, and its clock. */
export interface ServiceConnection {
  readonly incidents: VmsIncidents;
  readonly team: TeamService;
  readonly clock: ServiceClock;
  /** Closes its sockets; calls that are under way fail. */
  stop(): void;
}

/** Opens nothing yet: each call connects when it is made, and reads the key then. */
export function connectService(
  config: Pick<AgentConfig, 'settings' | 'version'>,
  { clock, secrets }: Pick<Ports, 'clock' | 'secrets'>,
  events: AgentEvents,
): ServiceConnection {
  const http = createHttp(httpConfig(config), secrets);
  const serviceClock = createServiceClock(clock, events);
  return {
    incidents: createVmsIncidents(http, serviceClock),
    team: createTeamService(config, http, serviceClock, clock),
    clock: serviceClock,
    stop: () => http.stop(),
  };
}
