import {
  imageTypes,
  newMessageSchema,
  type NewMessage,
  type NotificationImage,
} from '../../../shared/domain/chat-message.ts';
import type { PeriodRange } from '../../../shared/domain/period.ts';
import { knownFields } from '../../../shared/lib/known-fields.ts';
import { ok } from '../../../shared/lib/result.ts';
import { visibleName } from '../../../shared/lib/visible-name.ts';
import { parseTimeOrDay } from '../parse-time.ts';
import { didYouMean, noOperands, usageError, type Line, type Parsed } from '../read-options.ts';
import { configOf, parseFormat, parseId, parseValue } from '../parse-values.ts';
import type { ActionsCommand, MessageCommand, PeriodsCommand } from './team-command.ts';

/** Most form fields of one request and longest name of one, characters: they travel in an address. */
const MAX_FORM_FIELDS = 50;
const MAX_FIELD_NAME_LENGTH = 200;

/** `periods`. */
export function parsePeriods(line: Line): Parsed<PeriodsCommand> {
  const format = parseFormat(line);
  const range = parseRange(line);
  const wrong = noOperands(line);
  if (wrong !== undefined) return wrong;
  if (!format.ok) return format;
  return range.ok
    ? ok({ kind: 'periods', range: range.value, format: format.value, ...configOf(line) })
    : range;
}

function parseRange(line: Line): Parsed<PeriodRange> {
  const from = parseBound(line, 'from', 'start');
  if (!from.ok) return from;
  const to = parseBound(line, 'to', 'end');
  if (!to.ok) return to;
  // Both have the same form, so their texts are in the order of time
  if (from.value !== undefined && to.value !== undefined && from.value > to.value)
    return usageError('--from is later than --to.', line.command);
  return ok(knownFields<PeriodRange>({ startAt: from.value, endAt: to.value }));
}

function parseBound(line: Line, name: 'from' | 'to', bound: 'start' | 'end'): Parsed<string | undefined> {
  const text = line.given.value(name);
  if (text === undefined) return ok(undefined);
  const time = parseTimeOrDay(`--${name}`, text, bound);
  return time.ok ? time : usageError(time.error, line.command);
}

/** `actions`. */
export function parseActions(line: Line): Parsed<ActionsCommand> {
  const format = parseFormat(line);
  if (!format.ok) return format;
  const period = parseId(line, 'a period');
  if (!period.ok) return period;
  const formFields = [...new Set(line.given.values('form-field'))];
  if (formFields.length > MAX_FORM_FIELDS)
    return usageError(`--form-field can be given at most ${MAX_FORM_FIELDS} times.`, line.command);
  if (formFields.some((name) => name.length > MAX_FIELD_NAME_LENGTH))
    return usageError(`--form-field takes at most ${MAX_FIELD_NAME_LENGTH} characters.`, line.command);
  return ok({
    kind: 'actions',
    periodId: period.value,
    formFields,
    format: format.value,
    ...configOf(line),
  });
}

/** `message`. */
export function parseMessage(line: Line): Parsed<MessageCommand> {
  const content = parseContent(line);
  if (!content.ok) return content;
  const target = parseTarget(line);
  if (!target.ok) return target;
  const image = parseImage(line);
  if (!image.ok) return image;
  const message = { ...target.value, content: content.value, ...image.value, ...idsOf(line) };
  const channelId = `--${message.kind}`;
  const checked = parseValue(line, newMessageSchema, message, { ...sources, channelId });
  if (!checked.ok) return checked;
  return ok({ kind: 'message', message: checked.value, json: line.given.has('json'), ...configOf(line) });
}

const sources = { userId: '--as', parentId: '--parent', image: '--image' };

function parseContent({ command, operands }: Line): Parsed<string> {
  const [text, ...more] = operands;
  if (text === undefined) return usageError('message needs a text.', command);
  if (more.length > 0) return usageError('message takes one text; put it in quotes.', command);
  if (text.trim() === '') return usageError('The text is blank.', command);
  if (/[^\P{Cc}\n\r\t]/u.test(text)) return usageError('The text contains control characters.', command);
  return ok(text);
}

type Target = Pick<Extract<NewMessage, { readonly kind: 'channel' }>, 'kind' | 'channelId' | 'tersePush'>;
type Direct = Pick<Extract<NewMessage, { readonly kind: 'direct' }>, 'kind' | 'channelId'>;

function parseTarget({ command, given }: Line): Parsed<Target | Direct> {
  const channel = given.value('channel');
  const direct = given.value('direct');
  if (channel !== undefined && direct === undefined)
    return ok({ kind: 'channel', channelId: channel, ...(given.has('terse') && { tersePush: true }) });
  if (channel !== undefined || direct === undefined)
    return usageError('message needs either --channel or --direct.', command);
  if (given.has('terse'))
    return usageError('--terse is for channels; direct messages have no such choice.', command);
  return ok({ kind: 'direct', channelId: direct });
}

function parseImage({ command, given }: Line): Parsed<{ readonly image?: NotificationImage }> {
  const url = given.value('image');
  const typed = given.value('image-type');
  if (url === undefined && typed === undefined) return ok({});
  if (url === undefined || typed === undefined)
    return usageError('--image and --image-type need each other.', command);
  const type = imageTypes.find((each) => each === typed.toLowerCase());
  if (type !== undefined) return ok({ image: { url, type } });
  const message = `--image-type takes one of: ${imageTypes.join(', ')}; not "${visibleName(typed)}".`;
  return usageError(message, command, didYouMean(typed, imageTypes));
}

function idsOf({ given }: Line): Pick<NewMessage, 'userId' | 'parentId'> {
  const userId = given.value('as');
  const parentId = given.value('parent');
  return { ...(userId !== undefined && { userId }), ...(parentId !== undefined && { parentId }) };
}
