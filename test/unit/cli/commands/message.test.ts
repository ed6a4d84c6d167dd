import { expect, test } from 'vitest';
import { failure } from '../fake-deps.ts';
import { runLine, runWords } from '../run-line.ts';

const withImage = 'message --channel 5 --image https://a.example/b.png --image-type png Hello';

test('posts a message as it was typed, and says which one it became', async () => {
  const { ended } = await runWords(['message', '--channel', '5', '--terse', ' Gate 4\nis open ']);
  const { exit, stdout, stderr, calls } = await ended;
  expect(calls).toEqual([
    ['messages.post', { kind: 'channel', channelId: '5', content: ' Gate 4\nis open ', tersePush: true }],
  ]);
  expect([exit, stdout, stderr]).toEqual([0, 'Posted as message 900.\n', '']);
});

test.each([
  [{}, '', 'Posted. The service returned no message ID.\n'],
  [{}, ' --json', '{}\n'],
  [{ id: 'm-1' }, ' --json', '{\n  "id": "m-1"\n}\n'],
])('says it when the service answered %j%s', async (posted, option, text) => {
  const { stdout, exit } = await runLine(`message --direct 5 Hello${option}`, { posted });
  expect([exit, stdout]).toEqual([0, text]);
});

test('looks at the image first, and sends nothing when it does not fit', async () => {
  const { exit, stdout, stderr, calls } = await runLine(withImage, {
    image: { kind: 'refused', reason: 'It is larger than 10 MB.' },
  });
  expect(calls.map(([name]) => name)).toEqual(['messages.checkImage']);
  expect([exit, stdout]).toEqual([1, '']);
  expect(stderr).toBe(
    'VALIDATION: The image was not accepted: It is larger than 10 MB. Nothing was sent. Use the https address of a PNG, JPG or GIF of at most 10 MB with the matching --image-type, or omit the image.\n',
  );
});

test.each([
  [
    'unchecked',
    'The image could not be checked from this PC: No route. The message is sent with it anyway.\n',
  ],
  ['fine', ''],
] as const)('goes on with an image that is %s', async (kind, note) => {
  const image = kind === 'fine' ? ({ kind, type: 'png' } as const) : { kind, reason: 'No route.' };
  const { exit, stderr, calls } = await runLine(withImage, { image });
  expect(calls.map(([name]) => name)).toEqual(['messages.checkImage', 'messages.post']);
  expect([exit, stderr]).toEqual([0, note]);
});

test('says which user is not in the channel, and what to do', async () => {
  const { exit, stderr } = await runLine('message --channel 5 --as 17 Hello', {
    failure: { ...failure('INVALID_CHANNEL_USER'), invalidUserId: '17' },
  });
  expect(exit).toBe(1);
  expect(stderr).toBe(
    'INVALID_CHANNEL_USER: User 17 is not a member of channel 5. Nothing was posted. Use --as with a member of the channel, or omit --as to post as the System User.\n',
  );
});

test('says loudly that a message may be there although no answer came', async () => {
  const lost = { ...failure('API_TIMEOUT'), mayHaveHappened: true };
  const { exit, stderr, stdout } = await runLine('message --channel 5 Hello --json', { failure: lost });
  expect(exit).toBe(12);
  expect(stderr).toMatch(/\n\nATTENTION: the request was sent, but /);
  expect(JSON.parse(stdout)).toMatchObject({ code: 'API_TIMEOUT', mayHaveHappened: true });
  const { stderr: certain } = await runLine('message --channel 5 Hello', { failure: failure('NETWORK') });
  expect(certain).not.toContain('ATTENTION');
});

test.each([
  ['SIGINT', 130],
  ['SIGTERM', 143],
])('%s ends the call that is under way; it ends with %d', async (signal, exit) => {
  const begun = Promise.withResolvers<void>();
  const before = (_: string, stop: AbortSignal) => {
    begun.resolve();
    return new Promise<void>((resolve) => stop.addEventListener('abort', () => resolve(), { once: true }));
  };
  const lost = { ...failure('NETWORK'), mayHaveHappened: true };
  const line = ['message', '--channel', '5', 'Hello'];
  const { ended, signals, exits } = await runWords(line, { before, failure: lost });
  await begun.promise;
  signals.emit(signal);
  const result = await ended;
  expect(result).toMatchObject({ exit, stdout: '' });
  expect(result.stderr).toMatch(/^Interrupted\.\n\nATTENTION: the request was sent, but/);
  expect(exits).toEqual([]);
});

test('sends nothing when it is interrupted while it looks at the image', async () => {
  const { ended, signals, calls } = await runWords(withImage.split(' '), {
    before: () => Promise.resolve(void signals.emit('SIGINT')),
    image: { kind: 'unchecked', reason: 'Stopped.' },
  });
  expect(await ended).toMatchObject({ exit: 130, stderr: 'Interrupted.\n' });
  expect(calls.map(([name]) => name)).toEqual(['messages.checkImage']);
});

test('reads the message from standard input, where no other account can list it', async () => {
  const input = 'Gate 4\nis open\n';
  const { exit, calls } = await runLine('message --channel 5 -', { input });
  expect(calls).toEqual([['messages.post', { kind: 'channel', channelId: '5', content: 'Gate 4\nis open' }]]);
  expect(exit).toBe(0);
  expect(await runLine('message --channel 5 -', { input: ' \n' })).toMatchObject({ exit: 2, calls: [] });
});
