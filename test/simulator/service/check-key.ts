import type { IncomingMessage } from 'node:http';
import { refusal, type Answer } from '../http/answer.ts';
import type { KeyPlacement, KnownKey } from '../settings.ts';

/** Why the request's key is refused at this endpoint, or undefined when it is accepted. */
export function checkKey(
  request: IncomingMessage,
  query: URLSearchParams,
  needsVideoPermission: boolean,
  { keys, placement }: { readonly keys: readonly KnownKey[]; readonly placement: KeyPlacement },
): Answer | undefined {
  const presented = readKey(request, query, placement);
  const known = keys.find(({ key }) => key === presented);
  if (!known) return refusal(401, 'The API key is missing or not valid.');
  if (needsVideoPermission && !known.videoPermission) {
    return refusal(403, 'This API key does not have the video management permission.');
  }
  return undefined;
}

function readKey(
  request: IncomingMessage,
  query: URLSearchParams,
  placement: KeyPlacement,
): string | undefined {
  switch (placement.scheme) {
    case 'bearer':
      return afterPrefix(request.headers.authorization, 'Bearer ');
    case 'header':
      return afterPrefix(
        singleHeader(request, placement.name),
        placement.prefix ? `${placement.prefix} ` : '',
      );
    case 'query':
      return query.get(placement.name) ?? undefined;
  }
}

function singleHeader(request: IncomingMessage, name: string): string | undefined {
  const value = request.headers[name.toLowerCase()];
  return typeof value === 'string' ? value : undefined;
}

function afterPrefix(text: string | undefined, prefix: string): string | undefined {
  return text?.startsWith(prefix) ? text.slice(prefix.length) : undefined;
}
