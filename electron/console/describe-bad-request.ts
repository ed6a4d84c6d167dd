import type { Refusal } from './refusal.ts';

/**
 * What to say to a client whose bytes are no request that can be read: two lengths at once, a bare line feed, headers
 * that do not end. Undefined when the client itself left.
 */
export function describeBadRequest({ code }: NodeJS.ErrnoException): Refusal | undefined {
  switch (code) {
    case 'ECONNRESET':
    case 'EPIPE':
      return undefined;
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return { status: 408, text: 'The request took too long to arrive.' };
    case 'HPE_HEADER_OVERFLOW':
      return { status: 431, text: 'The headers of the request are larger than 16 KB.' };
    case 'HPE_CHUNK_EXTENSIONS_OVERFLOW':
      return { status: 413, text: 'The extensions of the request are too large.' };
    default:
      return { status: 400, text: 'The request is not one of HTTP/1.1.' };
  }
}
