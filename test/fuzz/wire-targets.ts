import fc from 'fast-check';
import type { z } from 'zod';
import { classifyStorageAnswer } from '../../electron/agent/core/failures/upload-failure.ts';
import { parseRetryAfter } from '../../electron/agent/core/failures/failure-policy.ts';
import { checkSignedUrl, signedUrlExpiresAt } from '../../electron/agent/core/parts/check-signed-url.ts';
import { measureData } from '../../electron/desktop/security/ipc-gateway.ts';
import { decodeAnswer } from '../../electron/agent/service/decode.ts';
import { checkSettings } from '../../electron/agent/settings/load-settings.ts';
import { parseConfig } from '../../electron/agent/settings/config-file.ts';
import { parseRegistry } from '../../electron/agent/settings/policy/read-windows-policy.ts';
import { agentSignalSchema } from '../../shared/ipc/events.ts';
import { callSchemas } from '../../shared/ipc/contract.ts';
import { desktopCommands, desktopEventSchema } from '../../shared/ipc/desktop.ts';
import { hasHiddenCharacters } from '../../shared/lib/visible-name.ts';
import { actionsAnswerSchema, periodsAnswerSchema } from '../../shared/service/period.ts';
import { messageAnswerSchema } from '../../shared/service/chat-message.ts';
import {
  incidentAnswerSchema,
  multipartHandleSchema,
  uploadUrlsAnswerSchema,
} from '../../shared/service/incident.ts';
import { createdUserAnswerSchema, usersAnswerSchema } from '../../shared/service/user.ts';
import { anyValue, hostileText, mutatedText, mutatedValue } from './mutations.ts';
import { fuzzTarget, must, type FuzzTarget } from './target.ts';

const user = { id: 7, login_type: 'phone', phone_number: '+14155550100', name: 'Ada', is_active: true };
const video = { id: 'v', storage_key: 'k', started_at: '2026-05-01T18:30:05.000Z', upload_errors: [] };
const incident = { id: 'i', title: 'Gate 4', uploaded_videos: [video], failed_videos: [] };
const answerSamples = [
  { vms_incident: incident },
  { storage_key: 'k', upload_id: 'u' },
  { uploads: { v: { storage_key: 'k', signed_urls: ['https://s.example.com/k?X-Amz-Expires=60'] } } },
  { periods: [{ id: 1, name: 'Match', start_date: '2026-05-01T18:30:05.000Z', markers: [] }] },
  { actions: [{ id: 1, status: 'open', place: ['Gate 4'], notes: { a: [1] } }], page: 1, total_pages: 2 },
  { chat_message: { id: 9 } },
  { users: [user], page: 1, total_pages: 1 },
  { user: { ...user, temp_password: 'x' } },
  { status: 422, message: { error: 'title is too long' } },
].map((sample) => JSON.stringify(sample));
const schemas = [
  incidentAnswerSchema,
  multipartHandleSchema,
  uploadUrlsAnswerSchema,
  periodsAnswerSchema,
  actionsAnswerSchema(['place']),
  messageAnswerSchema,
  usersAnswerSchema,
  createdUserAnswerSchema,
] satisfies readonly z.ZodType[];
const SECRET = 'X-Amz-Signature=feedfacefeedface';

const answers = fuzzTarget(
  'answers',
  'answers of service and storage, and signed URLs',
  fc.record({
    body: mutatedText([...answerSamples, `{"message": "see https://s.example.com/k?${SECRET}"}`]),
    status: fc.constantFrom(200, 201, 204, 302, 400, 403, 404, 422, 429, 500, 503, 99, 600),
    type: fc.constantFrom('application/json', 'text/html', undefined),
    retryAfter: fc.oneof(fc.constantFrom('7', '-5', '1e9', 'Fri, 01 May 2026 18:30:05 GMT'), hostileText),
    url: fc.oneof(fc.webUrl({ withQueryParameters: true, withFragments: true }), hostileText, anyValue),
    kind: fc.constantFrom('video', 'team'),
  }),
  ({ body, status, type, retryAfter, url, kind }) => {
    const headers = { 'retry-after': retryAfter, ...(type !== undefined && { 'content-type': type }) };
    for (const schema of schemas) {
      const answer = { status, headers, body };
      const result = decodeAnswer<unknown>('GET it', answer, schema, Date.now(), kind);
      if (result.ok) continue;
      const { message, advice, retryAfterMs } = result.error;
      must(!hasHiddenCharacters(message + advice), 'Its message has hidden characters');
      must(!message.includes(SECRET), 'Its message has the signature of a URL');
      must(retryAfterMs === undefined || retryAfterMs >= 0, `It waits ${retryAfterMs} ms`);
    }
    const waitMs = parseRetryAfter(retryAfter, Date.now());
    must(waitMs === undefined || (Number.isFinite(waitMs) && waitMs >= 0), `It waits ${waitMs} ms`);
    classifyStorageAnswer({ status, text: body.toString(), xmlCode: retryAfter }, 'The clip');
    const checked = checkSignedUrl(url, { allowLoopback: false, hosts: [] });
    if (checked.ok) {
      must(checked.value.protocol === 'https:' && checked.value.username === '', `It took ${String(url)}`);
      const endsAt = signedUrlExpiresAt(checked.value, Date.now());
      must(!Number.isNaN(endsAt), `It ends at ${endsAt}`);
    }
  },
);

const settingSamples = [
  JSON.stringify({
    baseUrl: 'https://api.example.com/v1',
    apiKeyFile: 'key.txt',
    auth: { scheme: 'header', name: 'X-Key', prefix: '' },
    watch: [{ path: 'exports', unit: 'folder', timeZone: 'Europe/London', settleSeconds: 30 }],
    upload: {
      multipartThresholdBytes: 100_000_000,
      concurrentFiles: 2,
      maxBytesPerSecond: null,
      hosts: ['a.b'],
    },
    incident: { publish: 'progressive' },
    proxy: { url: 'http://proxy.example.com:3128', bypass: ['10.0.0.0/8'] },
    siteId: 'site-1',
  }),
  '{"baseUrl": "https://canary-5d21:canary-5d21@api.example.com"}',
];
const registry =
  'HKEY_LOCAL_MACHINE\\SOFTWARE\\Policies\\VMS Export Agent\r\n    baseUrl    REG_SZ    https://a.example\r\n    upload.concurrentFiles    REG_DWORD    0x4\r\n';

const settings = fuzzTarget(
  'settings',
  'the configuration file and the registry of policies',
  fc.tuple(mutatedText(settingSamples), mutatedText([registry])),
  ([bytes, printed]) => {
    const parsed = parseConfig(bytes, '/etc/vms/config.json');
    const loaded = parsed.ok ? checkSettings(parsed.value, '/etc/vms/config.json') : undefined;
    const failures = parsed.ok ? (loaded?.ok === false ? loaded.error : []) : [parsed.error];
    for (const { code, message, advice } of failures) {
      must(code.startsWith('CONFIG_'), `It answered ${code}`);
      must(!hasHiddenCharacters(message + advice), 'Its message has hidden characters');
      must(!/canary-5d21:/.test(message + advice), 'Its message has a password');
    }
    parseRegistry(printed, 'HKLM\\SOFTWARE\\Policies\\VMS Export Agent');
  },
);

const inputSchemas = [
  ...Object.values(callSchemas).map(({ input }) => input),
  ...Object.values(desktopCommands).map(({ input }) => input),
  agentSignalSchema,
  desktopEventSchema,
];
const messageSamples = fc.constantFrom<unknown>(
  { id: 'clip-1' },
  { state: 'failed', search: 'gate', order: 'arrival', limit: 50, after: null },
  { change: { upload: { concurrentFiles: 2 } } },
  { folders: [{ path: '/srv/exports/Gate 4', title: 'T' }] },
  { kind: 'changed', subject: 'uploads', version: 1 },
  { name: 'table.csv', text: 'a,b' },
);

const messages = fuzzTarget(
  'messages',
  'what pages send over the bridge, and what they hear',
  mutatedValue(messageSamples),
  (value) => {
    // Both bridges reject everything else
    if (measureData(value, 1_000_000) !== 'fits') return;
    for (const schema of inputSchemas) {
      const result = schema.safeParse(value);
      if (!result.success) must(result.error.issues.length > 0, 'It was refused without a reason');
    }
  },
);

/** Targets for data over connections: from the service, from whoever administers the desk, from the pages. */
export const wireTargets: readonly FuzzTarget[] = [answers, settings, messages];
