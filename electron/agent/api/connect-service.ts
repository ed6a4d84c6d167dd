import type { AgentConfig } from '../agent.ts';
import type { AgentEvents } from '../events.ts';
import type { Ports } from '../ports.ts';
import { createHttp } from './http.ts';
import { createServiceClock, type ServiceClock } from './service-clock.ts';
import { createVmsIncidents, type VmsIncidents } from './vms-incidents.ts';

/** The service as this program knows it: named calls of its resources, and its clock. */
export interface ServiceConnection {
  readonly incidents: VmsIncidents;
  readonly clock: ServiceClock;
  /** Closes its sockets; calls that are under way fail. */
  stop(): void;
}

/** Opens nothing yet: each call connects when it is made, and reads the key then. */
export function connectService(
  { settings, version }: Pick<AgentConfig, 'settings' | 'version'>,
  { clock, secrets }: Pick<Ports, 'clock' | 'secrets'>,
  events: AgentEvents,
): ServiceConnection {
  const http = createHttp(
    { baseUrl: settings.baseUrl, auth: settings.auth, userAgent: `vms-export-agent/${version}` },
    secrets,
  );
  const serviceClock = createServiceClock(clock, events);
  return {
    incidents: createVmsIncidents(http, serviceClock),
    clock: serviceClock,
    stop: () => http.stop(),
  };
}
