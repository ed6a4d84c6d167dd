import { expect, test } from 'vitest';
import { openDesk } from './team-desk.ts';

const channelOf = ({ simulator }: Awaited<ReturnType<typeof openDesk>>, kind: 'channel' | 'direct') => {
  const channel = simulator.team().channels.find((each) => each.kind === kind);
  if (channel === undefined) throw new Error(`no ${kind}`);
  return channel;
};

test('a message arrives as it was typed, and a comment on it by the id that was told', async () => {
  const desk = await openDesk();
  const channel = channelOf(desk, 'channel');
  const text = ' Gate 4\n\t"is" open – 北门 ⚽ ';
  const first = await desk.run(['message', '--channel', channel.id, '--terse', text, '--json']);
  expect(first).toMatchObject({ exit: 0, stderr: '' });
  const { id } = JSON.parse(first.stdout);
  const [member = ''] = channel.memberIds;
  const second = await desk.runLine(
    `message --channel ${channel.id} --parent ${id} --as ${member} Understood`,
  );
  const [one, two] = desk.simulator.messages();
  expect(second.stdout).toBe(`Posted as message ${two?.id}.\n`);
  expect([one?.content, two?.content]).toEqual([text, 'Understood']);
  expect(two).toMatchObject({ parent_id: String(id), user_id: member });
});

test('a direct message goes to its own place', async () => {
  const desk = await openDesk();
  const { id } = channelOf(desk, 'direct');
  expect(await desk.runLine(`message --direct ${id} Hello`)).toMatchObject({ exit: 0 });
  expect(desk.simulator.requests.of('addDirectMessage')).toHaveLength(1);
  expect(desk.simulator.requests.of('addChannelMessage')).toHaveLength(0);
});

test('says so when the service names no id', async () => {
  const desk = await openDesk({ messageIdShape: 'none' });
  const { stdout, exit } = await desk.runLine(`message --channel ${channelOf(desk, 'channel').id} Hello`);
  expect([exit, stdout]).toEqual([0, 'Posted. The service returned no message ID.\n']);
});

test('a sender who is not in the channel is named, and nothing is posted', async () => {
  const desk = await openDesk();
  const channel = channelOf(desk, 'channel');
  const stranger = desk.simulator.team().users.find(({ id }) => !channel.memberIds.includes(id));
  const line = `message --channel ${channel.id} --as ${stranger?.id} Hello`;
  const { exit, stdout, stderr } = await desk.runLine(line);
  expect([exit, stdout]).toEqual([1, '']);
  expect(stderr).toContain(`User ${stranger?.id} is not a member of channel ${channel.id}.`);
  expect(desk.simulator.messages()).toEqual([]);
});

test('a message whose answer is lost is not sent again, and that it may be there is said loudly', async () => {
  const desk = await openDesk();
  const { id } = channelOf(desk, 'channel');
  desk.simulator.faults.add({
    match: { call: 'addChannelMessage' },
    action: { kind: 'drop', when: 'after' },
  });
  const { exit, stderr, stdout } = await desk.runLine(`message --channel ${id} Hello`);
  expect([exit, stdout]).toEqual([12, '']);
  expect(stderr).toContain('ATTENTION: the request was sent,');
  expect(desk.simulator.messages()).toHaveLength(1);
  expect(desk.simulator.requests.of('addChannelMessage')).toHaveLength(1);
});

test('a message that was certainly not sent is not said to be there', async () => {
  const desk = await openDesk();
  const { id } = channelOf(desk, 'channel');
  await desk.simulator.goOffline();
  const { exit, stderr } = await desk.runLine(`message --channel ${id} Hello`);
  expect(exit).toBe(12);
  expect(stderr).not.toContain('ATTENTION');
});

test('nothing is sent with an image that is none', async () => {
  const desk = await openDesk();
  const { id } = channelOf(desk, 'channel');
  const line = `message --channel ${id} --image http://127.0.0.1/a.png --image-type png Hello`;
  expect(await desk.runLine(line)).toMatchObject({ exit: 2 });
  const unreachable = `message --channel ${id} --image https://127.0.0.1:1/a.png --image-type png Hello`;
  const { exit, stderr } = await desk.runLine(unreachable);
  expect(exit).toBe(0);
  expect(stderr).toMatch(
    /^The image could not be checked from this PC: .* The message is sent with it anyway\.\n$/,
  );
  expect(desk.simulator.messages()).toMatchObject([
    { notification_image_url: 'https://127.0.0.1:1/a.png', notification_image_type: 'png' },
  ]);
});
