import type { FailedField } from '../../../../shared/domain/failure.ts';

/** Inputs of endpoints 7 to 15 as validation texts name them: with spaces, the first letter large. */
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
 * can't be blank" and "Invalid form_fields. It must be ..." (service.md "Errors"). A reason that names none is left out.
 */
export function failedFieldsOf(text: string): readonly FailedField[] {
  if (INTRODUCTION.test(text)) return reasonsOf(text.replace(INTRODUCTION, '')).flatMap(fieldOf);
  const name = INVALID_INPUT.exec(text)?.[1]?.toLowerCase();
  return inputs.filter((each) => each === name).map((each) => ({ name: each, text: text.trim() }));
}

/** Reasons stand between commas, and a reason may hold commas itself: it goes on until the next known input or capital. */
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
