import type { IncomingMessage } from 'node:http';
import type { z } from 'zod';
import { err, ok, type Result } from '../../../shared/lib/result.ts';
import { refusal, type Answer } from '../http/answer.ts';
import type { KeyPlacement } from '../settings.ts';
import type { Route } from './route.ts';

/** Why the query is not valid for this endpoint, or undefined when it is. */
export function checkQuery(
  route: Route,
  query: URLSearchParams,
  placement: KeyPlacement,
): Answer | undefined {
  const keyName = placement.scheme === 'query' ? placement.name : undefined;
  for (const name of new Set(query.keys())) {
    if (name === keyName) continue;
    if (route.query[name] === undefined) return refusal(400, `Unknown query parameter: ${name}`);
    if (query.getAll(name).length > 1 && !name.endsWith('[]')) {
      return refusal(400, `Query parameter given more than once: ${name}`);
    }
  }
  const missing = Object.keys(route.query).find(
    (name) => route.query[name] === 'required' && !query.get(name),
  );
  return missing === undefined ? undefined : refusal(400, `Missing query parameter: ${missing}`);
}

/** The JSON body of a request that has one. */
export function readJson(request: IncomingMessage, bytes: Buffer): Result<unknown, Answer> {
  const mediaType = (request.headers['content-type'] ?? '').split(';')[0]?.trim().toLowerCase();
  if (mediaType !== 'application/json')
    return err(refusal(415, 'The body must be of type application/json.'));
  try {
    return ok(JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes)));
  } catch {
    return err(refusal(400, 'The body is not valid JSON.'));
  }
}

/** The body as the schema reads it, or a refusal that names every wrong field. */
export function parseBody<T>(schema: z.ZodType<T>, body: unknown): Result<T, Answer> {
  const parsed = schema.safeParse(body);
  if (parsed.success) return ok(parsed.data);
  const reasons = parsed.error.issues.map(({ path, message }) => `${path.join('.') || 'body'}: ${message}`);
  return err(refusal(400, `Invalid body. ${reasons.join('; ')}`));
}
