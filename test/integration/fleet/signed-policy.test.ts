import { once } from 'node:events';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test, type TestContext } from 'vitest';
import { AgentEvents } from '../../../electron/agent/events.ts';
import { createPolicyFollower, firstPolicy } from '../../../electron/agent/follow-policy.ts';
import { createProxyRoute } from '../../../electron/agent/service/proxy-route.ts';
import { noPolicy, type Policy } from '../../../electron/agent/settings/policy/policy.ts';
import { withSigned } from '../../../electron/agent/settings/policy/read-policy.ts';
import {
  keepPolicy,
  readKeptPolicy,
  readSignedPolicy,
} from '../../../electron/agent/settings/policy/signed-policy.ts';
import { settingsSchema } from '../../../shared/domain/settings.ts';
import { eventually } from '../../helpers/eventually.ts';
import { createSigner } from '../../helpers/policy-signer.ts';
import { createSkipClock } from '../../helpers/skip-clock.ts';
import { testCertificate } from '../../unit/agent/service/test-certificate.ts';

const QUARTER_MS = 16 * 60_000;

/** The server's answer: a document, or a status with headers. */
type Answer = string | readonly [status: number, headers: Record<string, string>];

/** A desk with policy 5 as it starts; the policy's address is a real HTTPS server. */
async function startDesk(context: TestContext, answer: Answer, members: Record<string, unknown> = {}) {
  const home = await mkdtemp(join(tmpdir(), 'vms-policy-'));
  const dataDir = join(home, 'data');
  await mkdir(dataDir);
  context.onTestFinished(() => rm(home, { recursive: true, force: true }));
  const settingsFile = join(home, 'config.json');
  await writeFile(settingsFile, '{"upload": {"concurrentParts": 2}}');
  const asked: string[] = [];
  const signer = createSigner();
  let now = answer;
  const server = createServer(testCertificate, (request, response) => {
    asked.push(request.url ?? '');
    if (typeof now === 'string') response.end(now);
    else response.writeHead(...now).end(document({ sequence: 9 }));
  });
  server.listen(0, 'localhost');
  await once(server, 'listening');
  context.onTestFinished(() => void server.close());
  const place = server.address();
  if (place === null || typeof place === 'string') throw new Error('It does not listen');
  const url = `https://localhost:${place.port}/desks.json`;
  const document = (policy: Record<string, unknown>): string => signer.document({ address: url, ...policy });

  const source = { url, publicKey: signer.publicKey };
  const first = readSignedPolicy(
    Buffer.from(document({ sequence: 5, ...members })),
    source,
    process.platform,
  );
  if (!first.ok) throw new Error(first.error);
  const kept = { ...first.value, checkedAt: '2026-11-20T09:00:00.000Z' };
  await keepPolicy(dataDir, kept);
  const local = [{ place: '/etc/policy', level: 'managed', values: { siteId: 'north' } }] as const;
  const settings = settingsSchema.parse({});
  const clock = createSkipClock();
  const events = new AgentEvents();
  const heard: string[] = [];
  events.on((event) => void (event.event === 'warning' && heard.push(`${event.code}: ${event.message}`)));
  const stopping = new AbortController();
  context.onTestFinished(() => stopping.abort(new Error('The test is over')));
  const applied: unknown[] = [];
  const inForce = [withSigned(source, local, kept)];
  const ignore = (): void => undefined;
  const follow = (policy: Policy | undefined) =>
    createPolicyFollower({
      config: { dataDir, settingsFile, settings, version: '1.0.0', ...(policy && { policy }) },
      clock,
      events,
      logger: { info: ignore, warn: ignore, error: ignore },
      signals: { changed: ignore },
      route: createProxyRoute({ settings }, { clock, secrets: { apiKey: async () => undefined } }),
      applySettings(next, policy) {
        applied.push([next.upload, policy.managed, policy.signed?.sequence]);
        inForce.push(policy);
      },
      stopping: stopping.signal,
      ca: testCertificate.cert,
    });
  const follower = follow(inForce[0]);
  follower.start();
  return {
    /** The state reported by an agent that continues under the newest policy. */
    nextState: () => follow(inForce.at(-1)).state()?.signed,
    document,
    /** The policy that a desk with this data directory starts with. */
    first: (folder: string) => {
      const desk = { dataDir: folder, version: '1.0.0', clock, ca: testCertificate.cert };
      return firstPolicy(source, noPolicy, desk);
    },
    dataDir,
    settingsFile,
    emptyDir: join(home, 'empty'),
    asked,
    applied,
    heard,
    state: () => follower.state()?.signed,
    answer: (next: Answer) => void (now = next),
    stopServer: () => void server.close().closeAllConnections(),
    /** Waits for a fact, letting the policy be looked at meanwhile. */
    until: (fact: () => boolean, what: string) => eventually(() => (clock.skip(QUARTER_MS), fact()), what),
    kept: () => readKeptPolicy(dataDir, source, process.platform),
    copy: () => readFile(join(dataDir, 'signed-policy.json'), 'utf8'),
  };
}

test.concurrent('a newer policy is put in force and kept, without a start, and below what the PC says', async (context) => {
  const desk = await startDesk(context, '');
  desk.answer(desk.document({ sequence: 6, managed: { siteId: 'south', upload: { concurrentFiles: 7 } } }));
  await desk.until(() => desk.applied.length === 1, 'the new policy');
  expect(desk.applied).toMatchObject([
    [{ concurrentFiles: 7, concurrentParts: 2 }, { siteId: 'north', upload: { concurrentFiles: 7 } }, 6],
  ]);
  expect(await desk.kept()).toMatchObject({ sequence: 6 });
});

test.concurrent('the same policy is confirmed, and one with another number alone stops nothing', async (context) => {
  const desk = await startDesk(context, '');
  desk.answer(desk.document({ sequence: 5 }));
  await desk.until(() => desk.state()?.checkedAt !== '2026-11-20T09:00:00.000Z', 'the confirmation');
  desk.answer(desk.document({ sequence: 8 }));
  await desk.until(() => desk.state()?.sequence === 8, 'the new number');
  expect(desk.applied).toEqual([]);
  expect(desk.state()).not.toHaveProperty('problem');
});

test.concurrent.for<[string, Answer, RegExp]>([
  ['is away', [503, {}], /localhost:\d+ responded with HTTP 503/],
  ['redirects elsewhere', [302, { location: '/other.json' }], /responded with HTTP 302/],
  ['answers without an end', 'x'.repeat(400_000), /sent more than 256\.0 kB/],
])('a server that %s changes nothing, and Health says so', async ([, answer, problem], context) => {
  const desk = await startDesk(context, answer);
  await desk.until(() => desk.state()?.problem !== undefined, 'the problem');
  expect(desk.state()).toMatchObject({ sequence: 5, problem: expect.stringMatching(problem) });
  expect(new Set(desk.asked)).toEqual(new Set(['/desks.json']));
  expect([desk.applied, desk.heard]).toEqual([[], []]);
});

test.concurrent('a forged policy changes nothing, and a person hears of it once', async (context) => {
  const desk = await startDesk(context, createSigner().document({ sequence: 6 }));
  const before = await desk.copy();
  await desk.until(() => desk.heard.length > 0, 'the warning');
  expect(desk.heard[0]).toMatch(
    /^POLICY_INVALID: The policy from https:.* is not signed with the key .* stays in effect/,
  );
  await desk.until(() => desk.asked.length >= 2, 'the second look');
  desk.stopServer();
  await desk.until(
    () => desk.state()?.problem?.includes('gave no usable response') === true,
    'the third look',
  );
  expect(desk.heard).toHaveLength(1);
  expect(await desk.copy()).toBe(before);
  expect(desk.applied).toEqual([]);
});

test.concurrent('a desk starts with its copy, and without one only with what the address answers', async (context) => {
  const desk = await startDesk(context, [503, {}]);
  expect(await desk.first(desk.dataDir)).toMatchObject({ ok: true, value: { sequence: 5 } });
  expect(await desk.first(desk.emptyDir)).toMatchObject({
    ok: false,
    error: [{ code: 'NETWORK', message: expect.stringContaining('has no usable copy of the policy') }],
  });
  desk.answer(createSigner().document());
  expect(await desk.first(desk.emptyDir)).toMatchObject({ ok: false, error: [{ code: 'POLICY_INVALID' }] });
  desk.answer(desk.document({ sequence: 3 }));
  expect(await desk.first(desk.emptyDir)).toMatchObject({ ok: true, value: { sequence: 3 } });
  desk.answer([503, {}]);
  expect(await desk.first(desk.emptyDir)).toMatchObject({ ok: true, value: { sequence: 3 } });
});

test.concurrent('a policy that cannot be applied is not kept, and is tried again', async (context) => {
  const desk = await startDesk(context, '');
  await writeFile(desk.settingsFile, '{"siteId": ');
  desk.answer(desk.document({ sequence: 6, managed: { upload: { concurrentFiles: 7 } } }));
  await desk.until(() => desk.heard.length > 0, 'the warning');
  expect(desk.heard[0]).toMatch(/sequence 6 could not be applied: .* The current policy stays in effect\.$/);
  expect([desk.applied, await desk.kept()]).toMatchObject([[], { sequence: 5 }]);
  await writeFile(desk.settingsFile, '{}');
  await desk.until(() => desk.applied.length === 1, 'the same policy');
  expect(await desk.kept()).toMatchObject({ sequence: 6 });
  expect(desk.heard).toHaveLength(1);
});

const MANAGED = { upload: { concurrentFiles: 3 } };

test.concurrent('a newer policy that says something else of the clean-up alone is put in force', async (context) => {
  const desk = await startDesk(context, '', {
    managed: { ...MANAGED, cleanUp: { afterDays: 3, action: 'delete' } },
  });
  desk.answer(desk.document({ sequence: 6, managed: MANAGED }));
  await desk.until(() => desk.applied.length === 1, 'the new policy');
  expect(desk.nextState()).toMatchObject({ sequence: 6 });
});

test.concurrent('half a rule of the clean-up by the signed policy is said at the start and in Health, and nothing is cleaned up', async (context) => {
  const managed = { ...MANAGED, cleanUp: { afterDays: 3 } };
  const desk = await startDesk(context, [503, {}], { managed });
  const text = 'The policy does not set cleanUp.folder. Nothing is cleaned up.';
  expect(desk.heard).toEqual([`POLICY_INVALID: ${text}`]);
  expect(desk.state()?.problem).toBe(text);
  desk.answer(desk.document({ sequence: 5, managed }));
  await desk.until(() => desk.state()?.checkedAt !== '2026-11-20T09:00:00.000Z', 'the confirmation');
  expect(desk.state()?.problem).toBe(text);
  desk.answer(
    desk.document({ sequence: 6, managed: { ...MANAGED, cleanUp: { afterDays: 3, folder: '/sent' } } }),
  );
  await desk.until(() => desk.applied.length === 1, 'the whole rule');
  expect(desk.nextState()).not.toHaveProperty('problem');
});

test.concurrent('what a newer policy says of updates and the console waits for the next start of the program, and Health says so', async (context) => {
  const desk = await startDesk(context, '');
  const text =
    "The policy's settings for updates and the console take effect the next time the program starts.";
  const rules = { updates: { enabled: false }, console: { enabled: false } };
  desk.answer(desk.document({ sequence: 6, managed: { ...MANAGED, ...rules } }));
  await desk.until(() => desk.state()?.sequence === 6, 'the new policy');
  expect([desk.applied, desk.state()?.problem]).toEqual([[], text]);
  // An agent that restarts under other settings is still the same program
  desk.answer(desk.document({ sequence: 7, managed: { upload: { concurrentFiles: 7 }, ...rules } }));
  await desk.until(() => desk.applied.length === 1, 'other settings');
  expect(desk.nextState()?.problem).toBe(text);
  desk.answer(desk.document({ sequence: 8, managed: { upload: { concurrentFiles: 8 } } }));
  await desk.until(() => desk.applied.length === 2, 'the rules as before');
  expect(desk.nextState()).not.toHaveProperty('problem');
});
