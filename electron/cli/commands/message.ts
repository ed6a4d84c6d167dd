import {
  imageTypes,
  newMessageSchema,
  type NewMessage,
  type NotificationImage,
} from '../../../shared/domain/chat-message.ts';
import type { Failure } from '../../../shared/domain/failure.ts';
import { knownFields } from '../../../shared/lib/known-fields.ts';
import { err, ok, type Result } from '../../../shared/lib/result.ts';
import { visibleName } from '../../../shared/lib/visible-name.ts';
import type { TeamConnection } from '../../agent/index.ts';
import { configOption, defineCommand, UsageError, type Line, parseChoice, parseValue } from '../command.ts';
import { jsonText, type Output } from '../output.ts';
import { runTeamWork } from '../report-failure.ts';

/** Posts one message, after checking its image. */
export const message = defineCommand({
  name: 'message',
  usage: [
    'message (--channel ID | --direct ID) [--as USER]',
    '    [--parent ID] [--terse] [--image URL --image-type T] [--json] [TEXT]',
  ],
  purpose: 'Posts one message. It is never sent twice automatically.',
  operands: {
    TEXT: 'the message, in quotes; "-" reads it from standard input, so that other accounts cannot see it; put text that begins with a dash after --; optional with --image',
  },
  options: {
    ...configOption,
    channel: { value: 'ID', help: 'ID of the channel to post in' },
    direct: { value: 'ID', help: 'ID of the direct message channel to post in' },
    as: {
      value: 'USER',
      help: 'ID of the user to post as, a member of the channel (default: the System User)',
    },
    parent: { value: 'ID', help: 'ID of the message to reply to' },
    terse: { help: 'push notifications show only the text; with --channel' },
    image: {
      value: 'URL',
      help: 'https address of an image of at most 10 MB for wrist devices; it is checked first, and if it is not accepted, nothing is sent',
    },
    'image-type': { value: 'T', help: 'png, jpg or gif' },
    json: { help: '{"id": ...} on stdout; {} if the service returned no ID' },
  },
  parse(line): MessageInput {
    const common = { config: line.text('config'), json: line.has('json') };
    const withText = (text: string) => parseMessage({ ...line, operands: [text] });
    const isFromInput = line.operands.length === 1 && line.operands[0] === '-';
    // Other problems with the command line are reported before anything is read
    return isFromInput
      ? { ...common, message: withText('text'), withText }
      : { ...common, message: parseMessage(line) };
  },
  async run({ message: given, withText, ...common }, deps) {
    const text = withText && (await deps.readInput()).replace(/\r?\n$/, '');
    const input = { ...common, message: text === undefined ? given : (withText?.(text) ?? given) };
    return runTeamWork(input, deps, async (team, signal) => {
      const { output } = deps;
      const checked = await checkImage(input.message, team, output, signal);
      if (!checked.ok) return checked;
      const posted = await team.messages.post(input.message, signal);
      if (!posted.ok) return err(withUser(posted.error, input.message));
      if (input.json) output.data(`${jsonText(posted.value, 2)}\n`);
      else output.line(postedText(posted.value.id));
      return posted;
    });
  },
});

interface MessageInput {
  readonly config: string | undefined;
  readonly json: boolean;
  readonly message: NewMessage;
  /** Present if the text comes from standard input: builds the message with that text. */
  readonly withText?: (text: string) => NewMessage;
}

type MessageLine = Line<'channel' | 'direct' | 'as' | 'parent' | 'terse' | 'image' | 'image-type'>;

function parseMessage(line: MessageLine): NewMessage {
  const target = parseTarget(line);
  const image = parseImage(line);
  const ids = knownFields({ userId: line.text('as'), parentId: line.text('parent') });
  return parseValue(
    newMessageSchema,
    { ...target, ...parseContent(line), ...image, ...ids },
    { channelId: `--${target.kind}`, userId: '--as', parentId: '--parent', image: '--image' },
  );
}

function parseContent({ operands, has }: MessageLine): { readonly content?: string } {
  const [text, ...more] = operands;
  if (text === undefined && has('image')) return {};
  if (text === undefined) throw new UsageError('message needs text or an image.');
  if (more.length > 0) throw new UsageError('The text must be a single argument; put it in quotes.');
  if (text.trim() === '') throw new UsageError('The text is blank.');
  if (/[^\P{Cc}\n\r\t]/u.test(text))
    throw new UsageError(
      'The text contains control characters other than tabs and line breaks. Remove them.',
    );
  return { content: text };
}

function parseTarget(line: MessageLine) {
  const channel = line.text('channel');
  const direct = line.text('direct');
  const isTerse = line.has('terse');
  if (channel !== undefined && direct === undefined)
    return { kind: 'channel', channelId: channel, ...(isTerse && { tersePush: true }) };
  if (channel !== undefined || direct === undefined)
    throw new UsageError('message needs either --channel or --direct.');
  if (isTerse) throw new UsageError('--terse cannot be used with --direct.');
  return { kind: 'direct', channelId: direct };
}

function parseImage(line: MessageLine): { readonly image?: NotificationImage } {
  const url = line.text('image');
  const typed = line.text('image-type');
  if (url === undefined && typed === undefined) return {};
  if (url === undefined || typed === undefined)
    throw new UsageError('--image and --image-type must be used together.');
  const remark = `, not "${visibleName(typed)}"`;
  return { image: { url, type: parseChoice('--image-type', typed.toLowerCase(), imageTypes, remark) } };
}

const postedText = (id: string | number | undefined): string =>
  id === undefined
    ? 'Posted. The service returned no message ID.'
    : `Posted as message ${visibleName(String(id))}.`;

async function checkImage(
  { image }: NewMessage,
  team: TeamConnection,
  output: Output,
  signal: AbortSignal,
): Promise<Result<undefined, Failure>> {
  if (image === undefined) return ok(undefined);
  const check = await team.messages.checkImage(image, signal);
  if (signal.aborted) return err(stopped);
  if (check.kind === 'refused') return err(imageRefused(check.reason));
  if (check.kind === 'unchecked')
    output.note(
      `The image could not be checked from this PC: ${visibleName(check.reason)} The message is sent with it anyway.`,
    );
  return ok(undefined);
}

const imageRefused = (reason: string): Failure => ({
  code: 'VALIDATION',
  message: `The image was not accepted: ${reason} Nothing was sent.`,
  advice:
    'Use the https address of a PNG, JPG or GIF of at most 10 MB with the matching --image-type, or omit the image.',
  retryable: false,
});

const stopped: Failure = {
  code: 'CANCELLED',
  message: 'Stopped before anything was sent.',
  advice: '',
  retryable: true,
};

/** Names the refused user, which the service does not always do. */
function withUser(failure: Failure, { userId, channelId }: NewMessage): Failure {
  if (failure.code !== 'INVALID_CHANNEL_USER') return failure;
  const named = failure.invalidUserId ?? userId;
  const user = named === undefined ? 'The System User' : `User ${String(named)}`;
  return {
    ...failure,
    message: `${user} is not a member of channel ${String(channelId)}. Nothing was posted.`,
    advice: `Use --as with a member of the channel${userId === undefined ? '' : ', or omit --as to post as the System User'}.`,
  };
}
