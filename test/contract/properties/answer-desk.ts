import { afterAll, beforeAll } from 'vitest';
import { connectService, type ServiceConnection } from '../../../electron/agent/service/connect-service.ts';
import { AgentEvents } from '../../../electron/agent/events.ts';
import { createSystemClock } from '../../../electron/agent/system-clock.ts';
import { failureSchema, type Failure } from '../../../shared/domain/failure.ts';
import { settingsSchema } from '../../../shared/domain/settings.ts';
import type { Result } from '../../../shared/lib/result.ts';
import { startAnswerServer, type AnswerServer } from '../../helpers/answer-server.ts';
import type { KnownCall } from './every-call.ts';

/** Seed of all properties, so that a failing run can be repeated. */
export const SEED = 20_260_802;

/** An answer as bytes. */
export interface WireAnswer {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: Buffer | string;
}

/** The product's client in front of a server whose answers the test chooses. */
export interface AnswerDesk {
  readonly service: ServiceConnection;
  /** Makes the call and gives this answer to every request. Checks what must hold for every outcome. */
  ask(call: KnownCall, answer: WireAnswer): Promise<Result<unknown, Failure>>;
}

/** The properties of `Object.prototype`; an answer must never add to them. */
const namesOfAllObjects = JSON.stringify(Reflect.ownKeys(Object.prototype).map(String));

/** A client and a server for the file that calls this. */
export function useAnswerDesk(): () => AnswerDesk {
  let server: AnswerServer | undefined;
  let service: ServiceConnection | undefined;
  let answer: WireAnswer = { body: '' };
  const signal = new AbortController().signal;
  beforeAll(async () => {
    server = await startAnswerServer((_request, response) => {
      const { status = 200, headers = {}, body } = answer;
      response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(body);
    });
    service = connectService(
      { settings: settingsSchema.parse({ baseUrl: server.baseUrl }), version: '0.0.0' },
      { clock: createSystemClock(), secrets: { apiKey: async () => 'a-key-for-tests' } },
      new AgentEvents(),
    );
  });
  afterAll(async () => {
    service?.stop();
    await server?.close();
  });
  return () => {
    if (service === undefined) throw new Error('No test is running');
    const connection = service;
    return {
      service: connection,
      async ask(call, next) {
        answer = next;
        const result = await call.call(connection, signal);
        // Either a value or one failure of the known form, without side effects on the program
        if (!result.ok) failureSchema.parse(result.error);
        const names = JSON.stringify(Reflect.ownKeys(Object.prototype).map(String));
        if (names !== namesOfAllObjects) throw new Error('An answer reached Object.prototype');
        return result;
      },
    };
  };
}
