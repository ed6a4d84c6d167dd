import type { Refusal } from './refusal.ts';

/** What a request says about itself, before anything of it is believed. */
export interface RequestFacts {
  readonly method: string;
  /** The address as it was sent. */
  readonly target: string;
  /** Every value of each header, names in lower case. */
  readonly headers: Readonly<Record<string, readonly string[] | undefined>>;
}

const METHODS: readonly string[] = ['GET', 'HEAD', 'POST'];
const FORM_BODY = 'application/x-www-form-urlencoded';
const JSON_BODY = /^application\/json(?:\s*;\s*charset="?utf-8"?)?$/i;

/**
 * What is wrong with a request before its address is looked at, or undefined. A page of another origin, a name that
 * was pointed at this machine and a confused proxy all end here; the session is asked for later.
 */
export function inspectRequest(facts: RequestFacts, port: number): Refusal | undefined {
  return (
    inspectHost(facts, port) ??
    inspectMethod(facts) ??
    inspectTarget(facts.target) ??
    inspectOrigin(facts) ??
    inspectBody(facts)
  );
}

function inspectHost({ headers }: RequestFacts, port: number): Refusal | undefined {
  const [host, second] = headers['host'] ?? [];
  if (host === undefined) return { status: 400, text: 'The request names no host.' };
  const own = [`127.0.0.1:${port}`, `localhost:${port}`, `[::1]:${port}`];
  if (second === undefined && own.includes(host)) return undefined;
  return { status: 421, text: 'The console answers under its own address only.' };
}

function inspectMethod({ method }: RequestFacts): Refusal | undefined {
  if (METHODS.includes(method)) return undefined;
  return { status: 405, text: 'The console does not know this method.', allow: METHODS.join(', ') };
}

/** Only a path of this server: `http://other/` and `//other` are addresses of somewhere else. */
function inspectTarget(target: string): Refusal | undefined {
  if (target.startsWith('/') && !target.startsWith('//')) return undefined;
  return { status: 400, text: 'The address of the request is not a path.' };
}

/**
 * The origin must be the very address that the request went to: another program may own the same port of [::1]. The
 * browser's own word about where a request comes from is believed when it is there; Safari before 16.4 has none.
 */
function inspectOrigin(facts: RequestFacts): Refusal | undefined {
  const { method, headers } = facts;
  const origins = headers['origin'] ?? [];
  if (isAnswer(facts)) return origins.length === 1 && origins[0] === 'null' ? undefined : foreign;
  const own = `http://${headers['host']?.[0]}`;
  if (origins.some((origin) => origin !== own)) return foreign;
  if (method === 'POST' && origins.length !== 1) return foreign;
  const sites = headers['sec-fetch-site'] ?? [];
  return sites.every((site) => site === 'same-origin' || site === 'none') ? undefined : foreign;
}

const foreign: Refusal = { status: 403, text: 'The request does not come from a page of the console.' };

/**
 * The form of a question (questions.ts): it stands in a sandbox, so that its page has no origin and no cookie. What
 * its address carries cannot be guessed, and no script can read it.
 */
const isAnswer = ({ method, target }: RequestFacts): boolean =>
  method === 'POST' && target.startsWith('/confirm/');

function inspectBody(facts: RequestFacts): Refusal | undefined {
  const { method, headers } = facts;
  if (
    headers['expect'] !== undefined &&
    !headers['expect'].every((expected) => /^100-continue$/i.test(expected))
  )
    return { status: 417, text: 'The console meets no expectation but 100-continue.' };
  if (headers['upgrade'] !== undefined)
    return { status: 400, text: 'The console speaks no other protocol than HTTP/1.1.' };
  if (method !== 'POST') {
    const hasBody =
      headers['transfer-encoding'] !== undefined ||
      (headers['content-length'] ?? ['0']).some((size) => size !== '0');
    return hasBody ? { status: 400, text: 'A request of this method has no body.' } : undefined;
  }
  const [type, secondType] = headers['content-type'] ?? [];
  const isKnown =
    type !== undefined &&
    secondType === undefined &&
    (isAnswer(facts) ? type === FORM_BODY : JSON_BODY.test(type));
  if (isKnown && headers['content-encoding'] === undefined) return undefined;
  return { status: 415, text: 'The console takes plain application/json only.' };
}
