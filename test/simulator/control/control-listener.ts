import type { IncomingMessage, ServerResponse } from 'node:http';
import { bodyBytes, jsonAnswer, refusal, type Answer } from '../http/answer.ts';
import { openListener, type Listener } from '../http/listener.ts';
import type { Simulator } from '../simulator.ts';
import { controlCalls } from './control-calls.ts';

/** The port over which another process sets fault rules and reads the request log. JSON on loopback, without a key. */
export function openControl(simulator: Simulator, port: number): Promise<Listener> {
  return openListener((request, response) => void serve(request, response, simulator), port);
}

async function serve(
  request: IncomingMessage,
  response: ServerResponse,
  simulator: Simulator,
): Promise<void> {
  const answer = await answerControl(request, simulator).catch((error: unknown) =>
    refusal(400, error instanceof Error ? error.message : String(error)),
  );
  response.writeHead(answer.status, answer.headers).end(bodyBytes(answer));
}

async function answerControl(request: IncomingMessage, simulator: Simulator): Promise<Answer> {
  const url = new URL(request.url ?? '/', 'http://loopback');
  const call = controlCalls[`${request.method} ${url.pathname}`];
  if (!call) return refusal(404, `Known calls: ${Object.keys(controlCalls).join(', ')}`);
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  const text = Buffer.concat(chunks).toString('utf8');
  return jsonAnswer(
    200,
    await call(simulator, { query: url.searchParams, body: text === '' ? undefined : JSON.parse(text) }),
  );
}
