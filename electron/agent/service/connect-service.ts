import { FailureError, type Failure } from '../../../shared/domain/failure.ts';
import type { NewMessage, PostedMessage } from '../../../shared/domain/chat-message.ts';
import { err, ok, type Result } from '../../../shared/lib/result.ts';
import { AgentEvents } from '../events.ts';
import type { Ports, Clock } from '../ports.ts';
import { createHttp, type Http } from './http.ts';
import { honourRetryAfter } from './honour-retry-after.ts';
import { createProxyRoute, type ProxyRoute } from './proxy-route.ts';
import { createServiceClock, timeAnswers, type AnswerTimes, type ServiceClock } from './service-clock.ts';
import { createVmsIncidents, type VmsIncidents } from './vms-incidents.ts';
import { isOnThisMachine } from '../core/settings/check-connection.ts';
import type { AgentConfig } from '../settings/load-settings.ts';
import { createCallService, valueOf, type CallService } from './call-service.ts';
import { createImageCheck, type ImageLook } from './check-image.ts';
import { createPeriods, type Periods } from './periods.ts';
import { createUsers, type Users } from './users.ts';
import { messageAnswerSchema, toWireMessage } from '../../../shared/service/chat-message.ts';

/** Longest wait for an answer that only shows whether the service can be reached, milliseconds. */
const PROBE_TIMEOUT_MS = 10_000;

/** The service without its video endpoints: what people do in it from here. Nothing is retried automatically. */
export interface TeamService {
  readonly periods: Periods;
  readonly messages: Messages;
  readonly users: Users;
}

/** service.md endpoints 9 and 10. */
export interface Messages {
  /** Posts once; never retried automatically. Errors: INVALID_CHANNEL_USER, VALIDATION; see `mayHaveHappened`. */
  post(message: NewMessage, signal: AbortSignal): Promise<Result<PostedMessage, Failure>>;
  readonly checkImage: ImageLook;
}

/** The service as this program sees it: named calls of its resources, and its clock. */
export interface ServiceConnection {
  readonly incidents: VmsIncidents;
  readonly team: TeamService;
  readonly clock: ServiceClock;
  readonly answerTimes: () => AnswerTimes;
  /** The way out, also for the storage client. */
  readonly route: ProxyRoute;
  /**
   * Whether it can be reached: any answer will do. Errors: those of the connection (NETWORK, API_TIMEOUT ...) and of
   * the key.
   */
  probe(signal: AbortSignal): Promise<Result<void, Failure>>;
  /** Closes its sockets; calls in progress fail. */
  stop(): void;
}

/** Opens nothing yet: each call connects when it is made, and reads the key then. */
export function connectService(
  config: ServiceConfig,
  { clock, secrets }: Pick<Ports, 'clock' | 'secrets'>,
  events: AgentEvents,
): ServiceConnection {
  const route = createProxyRoute(config, { clock, secrets });
  const serviceClock = createServiceClock(clock, events);
  const { http: timed, times } = timeAnswers(createHttp(httpConfig(config, route), secrets), clock);
  const http = honourRetryAfter(timed, clock, serviceClock);
  return {
    incidents: createVmsIncidents(http, serviceClock),
    team: createTeamService(config, { http, route, serviceClock, clock }),
    clock: serviceClock,
    answerTimes: times,
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

/** What the clients of the service are made from. */
export type ServiceConfig = Pick<AgentConfig, 'settings' | 'version' | 'proxyVariables'>;

/** Endpoints 7 to 15 for a host that does not run an agent. */
export interface TeamConnection extends TeamService {
  /** Closes its sockets; calls in progress fail. */
  stop(): void;
}

/** Opens nothing yet: each call connects when it is made, and reads the key then. Call `stop` at the end. */
export function connectTeam(
  config: ServiceConfig,
  { clock, secrets }: Pick<Ports, 'clock' | 'secrets'>,
): TeamConnection {
  const route = createProxyRoute(config, { clock, secrets });
  // Nobody listens here: a skewed clock matters to evidence, which this host does not send
  const serviceClock = createServiceClock(clock, new AgentEvents());
  const http = honourRetryAfter(createHttp(httpConfig(config, route), secrets), clock, serviceClock);
  return {
    ...createTeamService(config, { http, route, serviceClock, clock }),
    stop() {
      http.stop();
      route.stop();
    },
  };
}

interface TeamDeps {
  readonly http: Http;
  readonly route: ProxyRoute;
  readonly serviceClock: ServiceClock;
  readonly clock: Clock;
}

/** The resources of endpoints 7 to 15 over an existing client. */
export function createTeamService(
  { settings, version }: ServiceConfig,
  { http, route, serviceClock, clock }: TeamDeps,
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

/** The configuration of the service's client. */
export function httpConfig({ settings, version }: ServiceConfig, route: ProxyRoute) {
  return { baseUrl: settings.baseUrl, auth: settings.auth, userAgent: userAgent(version), route };
}

const userAgent = (version: string): string => `vms-export-agent/${version}`;

/** Creates the calls of endpoints 9 and 10; a message is posted once, whatever happens to its answer. */
function createMessages(send: CallService, checkImage: Messages['checkImage']): Messages {
  return {
    async post(message, signal) {
      const call = {
        endpoint: message.kind === 'channel' ? 'addChannelMessage' : 'addDirectMessage',
        ids: { channelId: message.channelId },
        body: toWireMessage(message),
      } as const;
      return valueOf(await send('Post message', call, messageAnswerSchema, signal));
    },
    checkImage,
  };
}
