import type { FaultAction, FaultMatch, FaultRule } from '../simulator/index.ts';

/** A way in which service or storage misbehave, drawn from a seed. */
export interface Misbehaviour {
  readonly what: string;
  readonly rules: readonly FaultRule[];
  /** Whether it applies from before the first scan, or starts in the middle of the work. */
  readonly isFromStart: boolean;
}

/** A small generator with a seed: mulberry32. */
function createRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

const where: readonly FaultMatch[] = [
  { listener: 'service' },
  { listener: 'storage' },
  { call: '*' },
  { call: 'getIncident' },
  { call: 'putIncident' },
  { call: 'getUploadUrls' },
  { call: 'createMultipartUpload' },
  { call: 'completeMultipartUpload' },
  { call: 'putObject' },
  { call: 'putPart' },
];
// 413 is about one clip, and a 404 of a GET means that the incident is new
const statuses = [
  200, 201, 202, 204, 206, 301, 302, 304, 307, 400, 401, 402, 403, 404, 405, 406, 408, 409, 410, 411, 412,
  415, 416, 418, 421, 422, 423, 425, 426, 428, 429, 431, 451, 500, 501, 502, 503, 504, 507, 511, 520, 599,
];
const bodies: readonly { readonly what: string; readonly body?: unknown }[] = [
  { what: 'nothing' },
  { what: 'an empty object', body: {} },
  { what: 'a list', body: '[1, 2, 3]' },
  { what: 'null', body: 'null' },
  { what: 'half a JSON text', body: '{"vms_incident": {"id": "' },
  { what: 'a page', body: '<!DOCTYPE html><html><title>Sign in</title></html>' },
  { what: 'a message', body: { message: 'Not now' } },
  { what: 'an error inside', body: { status: 500, message: 'Internal error' } },
  { what: 'S3 text', body: '<Error><Code>AccessDenied</Code><Message>Access Denied</Message></Error>' },
  { what: 'a wrong type', body: { vms_incident: [], uploads: 7, storage_key: null, upload_id: {} } },
  { what: 'noise', body: '\u0000\u0001\u00ff garbage \u2028' },
];
/** These made clips fail for good before refusals were judged by whether they concern the clip. */
export const knownMisbehaviours: readonly Misbehaviour[] = [
  named('storage denies everything', {
    match: { listener: 'storage' },
    action: { kind: 'answer', status: 403, code: 'AccessDenied', when: 'before' },
  }),
  named('storage takes everything without an etag', {
    match: { listener: 'storage' },
    action: { kind: 'no-etag' },
  }),
  named('the service does not know anything', {
    match: { listener: 'service' },
    action: { kind: 'answer', status: 404, body: { message: 'Not found' }, when: 'before' },
  }),
  named('the service refuses the first look at an incident', {
    match: { call: 'getIncident' },
    action: { kind: 'answer', status: 422, body: { message: 'Unprocessable' }, when: 'before' },
  }),
  named('the service refuses every record', {
    match: { call: 'putIncident' },
    action: { kind: 'answer', status: 422, body: { message: 'Unprocessable' }, when: 'before' },
  }),
];

function named(what: string, rule: FaultRule): Misbehaviour {
  return { what, rules: [rule], isFromStart: true };
}

const headerSets: readonly Readonly<Record<string, string>>[] = [
  {},
  { 'content-type': 'text/html' },
  { 'retry-after': '7' },
  { 'retry-after': 'never' },
  { location: 'https://portal.example.com/in' },
  { etag: '"not an etag at all \u00e9"' },
  { etag: '""' },
];
const others: readonly FaultAction[] = [
  { kind: 'no-etag' },
  { kind: 'mangle-etag' },
  { kind: 'drop', when: 'before' },
  { kind: 'drop', when: 'after' },
  { kind: 'reset-in-answer', bytes: 40 },
  { kind: 'reset-after-bytes', bytes: 10 },
  { kind: 'raw', bytes: 'SSH-2.0-OpenSSH_9.2\r\n', base64: false },
  { kind: 'raw', bytes: 'HTTP/1.1 200 OK\r\ncontent-length: 500\r\n\r\n{}', base64: false },
  { kind: 'flood', bytes: 20_000_000 },
];

/** Draws one misbehaviour; always the same for a given seed. */
export function drawMisbehaviour(seed: number): Misbehaviour {
  const random = createRandom(seed);
  const pick = <T>(from: readonly T[]): T => {
    const one = from[Math.floor(random() * from.length)];
    if (one === undefined) throw new Error('Nothing to draw from');
    return one;
  };
  const draw = (): FaultRule => {
    const match = pick(where);
    if (random() < 0.2) return { match, action: pick(others) };
    const { body } = pick(bodies);
    const status = pick(statuses);
    const when = random() < 0.2 ? 'after' : 'before';
    const action: FaultAction = { kind: 'answer', status, headers: pick(headerSets), when };
    return {
      match,
      action: body === undefined || status === 204 || status === 304 ? action : { ...action, body },
    };
  };
  const rules = random() < 0.3 ? [draw(), draw()] : [draw()];
  return { what: `${seed}: ${rules.map(inWords).join(' and ')}`, rules, isFromStart: random() < 0.7 };
}

function inWords({ match: { call, listener }, action }: FaultRule): string {
  const place = call ?? listener ?? 'everything';
  if (action.kind !== 'answer') return `${action.kind} at ${place}`;
  const { status, body, headers, when } = action;
  return `${status} ${JSON.stringify(headers)} ${JSON.stringify(body) ?? ''} ${when} ${place}`.slice(0, 150);
}
