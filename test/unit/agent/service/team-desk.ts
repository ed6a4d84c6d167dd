import { afterEach } from 'vitest';
import { connectTeam, type TeamConnection } from '../../../../electron/agent/service/connect-service.ts';
import { createSystemClock } from '../../../../electron/agent/system-clock.ts';
import type { Failure } from '../../../../shared/domain/failure.ts';
import { settingsSchema } from '../../../../shared/domain/settings.ts';
import type { Result } from '../../../../shared/lib/result.ts';
import { startAnswerServer, type AnswerServer } from '../../../helpers/answer-server.ts';

/** The key of these tests; no failure may contain it. */
export const KEY = 'canary-key/4711+odd';
/** A signal that is never aborted. */
export const going = new AbortController().signal;

/** An answer of the service: a body as JSON, a raw text, or a connection problem. */
export interface Told {
  readonly status?: number;
  readonly body?: unknown;
  readonly text?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly line?: 'reset' | 'silence';
}

/** A client of the team's endpoints in front of a server whose answers the test chooses. */
export interface TeamDesk extends TeamConnection {
  readonly server: AnswerServer;
  /** Method and address of each request. */
  asked(): readonly string[];
  /** The bodies of the requests that have one. */
  sent(): readonly unknown[];
}

/** Opens desks that are closed after each test. `told` gets the number of the request, from 0. */
export function useTeamDesk() {
  const open: TeamDesk[] = [];
  afterEach(async () => {
    for (const desk of open.splice(0)) {
      desk.stop();
      await desk.server.close();
    }
  });
  return async (
    told: Told | ((index: number, url: URL) => Told),
    settings: Readonly<Record<string, unknown>> = {},
    apiKey: () => Promise<string> = async () => KEY,
  ): Promise<TeamDesk> => {
    const server = await startAnswerServer((request, response) => {
      const index = server.requests.length - 1;
      const url = new URL(request.url ?? '', server.baseUrl);
      const {
        status = 200,
        body,
        text,
        headers = {},
        line,
      } = typeof told === 'function' ? told(index, url) : told;
      if (line === 'silence') return;
      if (line === 'reset') return void response.destroy();
      response.writeHead(status, headers).end(text ?? JSON.stringify(body));
    });
    const team = connectTeam(
      { settings: settingsSchema.parse({ baseUrl: server.baseUrl, ...settings }), version: '9' },
      { clock: createSystemClock(), secrets: { apiKey } },
    );
    const desk: TeamDesk = {
      ...team,
      server,
      asked: () => server.requests.map(({ method, url }) => `${method} ${url}`),
      sent: () => server.bodies.filter((body) => body !== '').map((body): unknown => JSON.parse(body)),
    };
    open.push(desk);
    return desk;
  };
}

/** The value; throws with the failure if there is none. */
export async function valueOf<T>(result: Promise<Result<T, Failure>>): Promise<T> {
  const settled = await result;
  if (!settled.ok) throw new Error(JSON.stringify(settled.error));
  return settled.value;
}

/** The failure; throws with the value if there is none. */
export async function errorOf<T>(result: Promise<Result<T, Failure>>): Promise<Failure> {
  const settled = await result;
  if (settled.ok) throw new Error(`No failure but ${JSON.stringify(settled.value)}`);
  return settled.error;
}

/** A service with a list of users, which answers 404 at every other address. */
export const missingBelow =
  (user: object) =>
  (_index: number, url: URL): Told =>
    url.pathname.endsWith('/users')
      ? { body: { users: [user] } }
      : { status: 404, body: { message: 'User not found' } };
