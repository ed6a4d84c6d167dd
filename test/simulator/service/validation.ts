import { z } from 'zod';
import { err, ok, type Result } from '../../../shared/lib/result.ts';
import { statusRefusal, type Answer } from '../http/answer.ts';

/** The problem with a missing or empty field, worded as such services word it. */
const BLANK = "can't be blank";
const MAX_TEXT_LENGTH = 255;

const noText = ({ input }: { readonly input?: unknown }) =>
  input === undefined || input === null ? BLANK : 'must be a string';

/** A text that is not blank. */
export const someText = z
  .string({ error: noText })
  .refine((text) => text.trim() !== '', BLANK)
  .refine((text) => text.length <= MAX_TEXT_LENGTH, `is too long (maximum is ${MAX_TEXT_LENGTH} characters)`);

export const yesOrNo = z.boolean('must be true or false');

export function oneOf<const T extends string>(values: readonly T[]) {
  return z.enum(values, {
    error: ({ input }) => (input === undefined || input === null ? BLANK : 'is not included in the list'),
  });
}

/** A refusal of input with every reason: `Validation failed: First name can't be blank, Role is ...`. */
export function validationFailure(...reasons: readonly string[]): Answer {
  return statusRefusal(422, `Validation failed: ${reasons.join(', ')}`);
}

/** The body as the schema reads it, or a refusal; `unknownField` words the problem with a field that is not allowed. */
export function validated<T>(
  schema: z.ZodType<T>,
  body: unknown,
  unknownField: (name: string) => string = () => 'is not a known field',
): Result<T, Answer> {
  const parsed = schema.safeParse(body);
  if (parsed.success) return ok(parsed.data);
  const reasons = parsed.error.issues.flatMap((issue) =>
    issue.code === 'unrecognized_keys'
      ? issue.keys.map((name) => `${humanName(name)} ${unknownField(name)}`)
      : [`${humanName(issue.path.join('.'))} ${issue.message}`],
  );
  return err(validationFailure(...reasons));
}

/** A field's name as people read it (`phone_number` becomes "Phone number"); "Body" where there is no name. */
function humanName(name: string): string {
  const words = name === '' ? 'body' : name.replaceAll('_', ' ');
  return words.slice(0, 1).toUpperCase() + words.slice(1);
}
