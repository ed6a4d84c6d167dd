import { afterAll, beforeAll, beforeEach } from 'vitest';
import { connectService, type ServiceConnection } from '../../../electron/agent/service/connect-service.ts';
import { AgentEvents } from '../../../electron/agent/events.ts';
import { createSystemClock } from '../../../electron/agent/system-clock.ts';
import type { Failure } from '../../../shared/domain/failure.ts';
import { settingsSchema } from '../../../shared/domain/settings.ts';
import type { Result } from '../../../shared/lib/result.ts';
import {
  startSimulator,
  type LoggedRequest,
  type Simulator,
  type SimulatorOptions,
} from '../../simulator/index.ts';

/** A signal that is never aborted. */
export const going = new AbortController().signal;

/** The product's client in front of a simulated service, with ways to control and inspect the simulator. */
export interface ServiceDesk extends ServiceConnection {
  readonly simulator: Simulator;
  /** Sets the answer to the next request, sent exactly as given instead of the simulator's own. */
  answerNext(body: unknown, status?: number, headers?: Readonly<Record<string, string>>): void;
  /** The last request, as the service received it. */
  lastRequest(): LoggedRequest;
}

/** Connects the product's client to a simulator. */
export function connectTo(
  simulator: Simulator,
  settings: Readonly<Record<string, unknown>> = {},
  apiKey = simulator.apiKey,
): ServiceDesk {
  const service = connectService(
    { settings: settingsSchema.parse({ baseUrl: simulator.baseUrl, ...settings }), version: '0.0.0' },
    { clock: createSystemClock(), secrets: { apiKey: async () => apiKey } },
    new AgentEvents(),
  );
  return {
    ...service,
    simulator,
    answerNext(body, status = 200, headers = {}) {
      simulator.faults.add({
        match: { listener: 'service' },
        times: 1,
        action: { kind: 'answer', status, body, headers, when: 'before' },
      });
    },
    lastRequest() {
      const request = simulator.requests.all().findLast(({ listener }) => listener === 'service');
      if (request === undefined) throw new Error('The service received no request');
      return request;
    },
  };
}

/** One simulator and one client for the test file that calls this; log and faults are cleared before each test. */
export function useServiceDesk(
  options: SimulatorOptions = {},
  settings: Readonly<Record<string, unknown>> = {},
): () => ServiceDesk {
  let desk: ServiceDesk | undefined;
  const current = (): ServiceDesk => {
    if (desk === undefined) throw new Error('No test is running');
    return desk;
  };
  beforeAll(async () => {
    desk = connectTo(await startSimulator(options), settings);
  });
  beforeEach(() => {
    current().simulator.requests.clear();
    current().simulator.faults.clear();
  });
  afterAll(async () => {
    desk?.stop();
    await desk?.simulator.stop();
  });
  return current;
}

/** The value of a call; a failure fails the test. */
export async function valueOf<T>(call: Promise<Result<T, Failure>>): Promise<T> {
  const result = await call;
  if (!result.ok) throw new Error(`Failed: ${JSON.stringify(result.error)}`);
  return result.value;
}

/** The failure of a call; success fails the test. */
export async function errorOf<T>(call: Promise<Result<T, Failure>>): Promise<Failure> {
  const result = await call;
  if (result.ok) throw new Error(`Succeeded: ${JSON.stringify(result.value)}`);
  return result.error;
}
