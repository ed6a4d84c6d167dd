import { visibleName } from '../../../shared/lib/visible-name.ts';
import { cutText } from '../core/naming/describe-clip.ts';
import { z } from 'zod';
import type { FailedField } from '../../../shared/domain/failure.ts';
import { serviceIdSchema } from '../../../shared/domain/ids.ts';
import { readableText } from '../../../shared/lib/json-text.ts';
import { REMOVED, removeSecrets } from '../core/text/redact.ts';

/** Longest text of the service that is kept whole for "copy error", characters. */
const MAX_TEXT_LENGTH = 2_000;
/** Longest excerpt of anything else, and of a text inside a message, characters (service.md gap 23). */
const MAX_EXCERPT_LENGTH = 200;
/** How much of an answer is searched for its excerpt: room for white space and for the query of a signed URL. */
const LOOKED_AT_LENGTH = 16 * 1024;

/** Names of values that no failure may repeat: `temp_password` above all. */
const SECRET_NAME = /passw|secret|token/i;
const SECRET_IN_TEXT =
  /("[^"\\]{0,64}(?:passw|secret|token)[^"\\]{0,64}"\s{0,8}:\s{0,8})(?:"(?:[^"\\]|\\.)*"?|[^\s,}\]"]+)/gi;

/** Shorter values are not passwords, and removing them would mangle the text. */
const SHORTEST_SECRET = 4;
/** Most values that are searched for, so that a hostile answer costs no time. */
const MOST_SECRETS = 20;
/** Most refused inputs that are shown: no form has more. */
const MOST_FIELDS = 50;

/** The contents of an error body (service.md "Errors", gaps 22 and 23). Texts contain no secrets. */
export interface ErrorBody {
  /** The number in `status` if it means an error. */
  readonly status: number | undefined;
  /** The exact text of the service, up to 2,000 characters; undefined if there is none. */
  readonly text: string | undefined;
  /** The same as one line, up to 200 characters. */
  readonly summary: string | undefined;
  readonly fields: readonly FailedField[];
  /** From `{error: 'Invalid Channel User', invalid_user_id}`; the id may be missing. */
  readonly invalidChannelUser: { readonly userId?: string } | undefined;
}

const errorBodySchema = z.object({
  status: z.unknown().optional(),
  message: z.unknown().optional(),
  error: z.unknown().optional(),
  errors: z.unknown().optional(),
});
const detailSchema = z.object({
  error: z.string().optional().catch(undefined),
  message: z.string().optional().catch(undefined),
  invalid_user_id: serviceIdSchema.optional().catch(undefined),
});
const listedErrorSchema = z.object({
  field: z.string().optional(),
  attribute: z.string().optional(),
  name: z.string().optional(),
  message: z.string().optional(),
  detail: z.string().optional(),
});

/** Reads an error body of any known shape. */
export function readErrorBody(body: unknown): ErrorBody {
  const parsed = errorBodySchema.safeParse(body);
  if (!parsed.success) return nothingSaid;
  const { message, error, errors } = parsed.data;
  const reported = [message, error, errors].find(isStated);
  const plain = typeof reported === 'string' ? reported : undefined;
  const detail = detailSchema.safeParse(reported).data;
  const text = reported === undefined ? undefined : withoutSecrets(plain ?? jsonOf(reported), body);
  const short = detail?.error ?? detail?.message;
  return {
    status: statusInBody(body),
    text: text?.slice(0, MAX_TEXT_LENGTH),
    summary: short === undefined ? oneLine(text) : oneLine(withoutSecrets(short, body)),
    fields: cleaned([...failedFieldsOf(plain ?? short ?? ''), ...listedFields(errors)], body),
    invalidChannelUser: invalidChannelUser(plain ?? detail?.error, detail?.invalid_user_id),
  };
}

/** A body with a numeric `status` of 400 or more is an error whatever the HTTP status says (service.md gap 22). */
export function statusInBody(body: unknown): number | undefined {
  const parsed = errorBodySchema.safeParse(body);
  const status = parsed.success ? parsed.data.status : undefined;
  const number = typeof status === 'string' ? Number(status) : status;
  return typeof number === 'number' && number >= 400 && number <= 599 ? number : undefined;
}

/** JSON without a value, which tells people nothing. */
const EMPTY_JSON = /^\s*(?:\{\s*\}|\[\s*\]|""|null)\s*$/;

/** The beginning of an answer that is not an error body of the service, as one line; '' if it says nothing. */
export function excerptOf(bytes: Buffer, body?: unknown): string {
  const text = body === undefined ? pageText(bytes.toString('utf8', 0, LOOKED_AT_LENGTH)) : jsonOf(body);
  if (EMPTY_JSON.test(text)) return '';
  return oneLine(withoutSecrets(text, body)) ?? '';
}

/** The title of a web page, or its text without tags; any other text unchanged. */
function pageText(text: string): string {
  if (!/^\s*<(?:!doctype|html|head|body|title|h\d|center|p)\b/i.test(text)) return text;
  return /<title[^<>]*>\s*([^<\s][^<]*)</i.exec(text)?.[1] ?? text.replaceAll(/<[^<>]*>/g, ' ');
}

const nothingSaid: ErrorBody = {
  status: undefined,
  text: undefined,
  summary: undefined,
  fields: [],
  invalidChannelUser: undefined,
};

const isStated = (value: unknown): boolean =>
  typeof value === 'string' ? value.trim() !== '' : typeof value === 'object' && value !== null;

function jsonOf(value: unknown): string {
  return JSON.stringify(value, (name, inner: unknown) => (SECRET_NAME.test(name) ? REMOVED : inner));
}

/** Removes the values under a secret's name anywhere in the body, wherever else they are repeated. */
function withoutSecrets(text: string, body: unknown): string {
  const clean = removeSecrets(text.slice(0, LOOKED_AT_LENGTH), secretsIn(body));
  return clean.replaceAll(SECRET_IN_TEXT, `$1"${REMOVED}"`);
}

function secretsIn(body: unknown): readonly string[] {
  const found: string[] = [];
  JSON.stringify(body, (name, inner: unknown) => {
    if (SECRET_NAME.test(name)) found.push(readableText(inner));
    return inner;
  });
  const long = found.filter((secret) => secret.length >= SHORTEST_SECRET);
  return [...new Set(long)].slice(0, MOST_SECRETS);
}

function oneLine(text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  // Cut first, because the rest need not be made visible: it may be a megabyte
  const line = text.replaceAll(/\s+/g, ' ').trim().slice(0, MAX_EXCERPT_LENGTH);
  return cutText(visibleName(line), MAX_EXCERPT_LENGTH);
}

const cleaned = (fields: readonly FailedField[], body: unknown): readonly FailedField[] =>
  fields.slice(0, MOST_FIELDS).map(({ name, text }) => ({
    name: name.slice(0, MAX_EXCERPT_LENGTH),
    text: withoutSecrets(text, body).slice(0, MAX_EXCERPT_LENGTH),
  }));

/** `errors` next to the message, a common extra: reasons by field, or a list of texts or of `{field, message}`. */
function listedFields(errors: unknown): readonly FailedField[] {
  if (typeof errors !== 'object' || errors === null) return [];
  if (!Array.isArray(errors)) {
    const byName: readonly (readonly [string, unknown])[] = Object.entries(errors);
    return byName.map(([name, reasons]) => ({ name, text: readableText(reasons) }));
  }
  const entries: readonly unknown[] = errors;
  return entries.flatMap((entry) => {
    if (typeof entry === 'string') return failedFieldsOf(`Validation failed: ${entry}`);
    const listed = listedErrorSchema.safeParse(entry).data;
    const name = listed?.field ?? listed?.attribute ?? listed?.name;
    return name === undefined ? [] : [{ name, text: listed?.message ?? listed?.detail ?? '' }];
  });
}

function invalidChannelUser(
  text: string | undefined,
  userId: string | number | undefined,
): ErrorBody['invalidChannelUser'] {
  if (!/^\s*invalid channel user/i.test(text ?? '')) return undefined;
  return userId === undefined ? {} : { userId: String(userId) };
}

/** Inputs of endpoints 7 to 15. Validation texts name them with spaces and a capital first letter. */
const inputs = [
  'login_type',
  'first_name',
  'last_name',
  'name',
  'phone_number',
  'device_id',
  'email',
  'role',
  'is_active',
  'send_invitation',
  'user_id',
  'content',
  'parent_id',
  'terse_push_notification',
  'notification_image_url',
  'notification_image_type',
  'page',
  'per_page',
  'include_inactive',
  'period_id',
  'form_fields',
  'start_date',
  'end_date',
] as const;

/** Longer names first: "First name" is not "name". */
const labels = inputs
  .flatMap((name) => [
    { name, label: name },
    { name, label: name.replaceAll('_', ' ') },
  ])
  .toSorted((left, right) => right.label.length - left.label.length);

const INTRODUCTION = /^\s*validation failed:?\s*/i;

const INVALID_INPUT = /^\s*invalid ([a-z_]+)\b/i;

/**
 * The inputs that a text of the service refuses: "Validation failed: Phone number has already been taken, First name
 * can't be blank" and "Invalid form_fields. It must be ..." (service.md "Errors"). A reason that names no input is left
 * out.
 */
export function failedFieldsOf(text: string): readonly FailedField[] {
  if (INTRODUCTION.test(text)) return reasonsOf(text.replace(INTRODUCTION, '')).flatMap(fieldOf);
  const name = INVALID_INPUT.exec(text)?.[1]?.toLowerCase();
  return inputs.filter((each) => each === name).map((each) => ({ name: each, text: text.trim() }));
}

/**
 * Splits reasons at commas. A reason may itself contain commas: it continues until the next known input or capital
 * letter.
 */
function reasonsOf(list: string): readonly string[] {
  const reasons: string[] = [];
  for (const piece of list.split(/,\s+/)) {
    const isNew = reasons.length === 0 || fieldOf(piece).length > 0 || /^\p{Lu}/u.test(piece);
    if (isNew) reasons.push(piece);
    else reasons.push(`${reasons.pop() ?? ''}, ${piece}`);
  }
  return reasons;
}

function fieldOf(reason: string): readonly FailedField[] {
  const lower = reason.trim().toLowerCase();
  const found = labels.find(({ label }) => lower.startsWith(`${label} `));
  if (found === undefined) return [];
  return [{ name: found.name, text: reason.trim().slice(found.label.length).trim() }];
}
