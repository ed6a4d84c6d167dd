import fc from 'fast-check';

/** Any JSON value that the client must be able to read exactly. */
type Json = null | boolean | number | string | readonly Json[] | { readonly [name: string]: Json };

/**
 * Texts that occur in names of people, places and files: other scripts, combining and control characters, lone
 * surrogates.
 */
const text = fc.oneof(
  { weight: 3, arbitrary: fc.string({ unit: 'grapheme', maxLength: 12 }) },
  fc.string({ unit: 'binary', maxLength: 12 }),
  fc.constantFrom('\u202egnp.exe', '\u0000', '\ud800', '<script>', '__proto__', '"', '=1+1', '👮🏽‍♀️'),
);
const filled = text.map((each) => `x${each.toWellFormed()}`);
const id = fc.oneof(fc.maxSafeInteger(), filled);
const time = fc
  .date({ min: new Date(0), max: new Date('2100-01-01T00:00:00Z'), noInvalidDate: true })
  .map((each) => each.toISOString());
const number = fc.double({ min: -180, max: 180, noNaN: true });

/** Field names that the interface does not have; some would reach into JavaScript's own objects. */
const foreignName = fc.oneof(
  fc.string({ maxLength: 8 }).map((each) => `x-${each}`),
  fc.constantFrom('__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty', '', '0'),
);
const anything: fc.Arbitrary<Json> = fc.letrec<{ value: Json }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4, depthSize: 'small' },
    fc.oneof(fc.constant(null), fc.boolean(), fc.maxSafeInteger(), number, text),
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(foreignName, tie('value'), { maxKeys: 3 }),
  ),
})).value;

type Fields = Readonly<Record<string, fc.Arbitrary<Json>>>;

/** An object with the required fields, some of the optional ones, some of them null, and unknown fields. */
function object(required: Fields, optional: Fields = {}): fc.Arbitrary<{ readonly [name: string]: Json }> {
  const orNull = Object.entries(optional).map(([name, field]): [string, fc.Arbitrary<Json>] => [
    name,
    fc.option(field),
  ]);
  return fc
    .tuple(
      fc.record(required),
      fc.record(Object.fromEntries(orNull), { requiredKeys: [] }),
      fc.array(fc.tuple(foreignName, anything), { maxLength: 2 }),
    )
    .map(([known, some, more]) => Object.fromEntries([...more, ...entriesOf(some), ...entriesOf(known)]));
}

/** The defined fields. As entries, because spreading a field named `__proto__` would set the prototype. */
function entriesOf(fields: {
  readonly [name: string]: Json | undefined;
}): readonly (readonly [string, Json])[] {
  return Object.entries(fields).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]]));
}

const few = <T>(item: fc.Arbitrary<T>) => fc.array(item, { maxLength: 4 });
const texts = few(text);

const video = object(
  { id: filled },
  {
    started_at: time,
    ended_at: time,
    camera_id: text,
    camera_name: text,
    camera_description: text,
    camera_longitude: number,
    camera_latitude: number,
    storage_key: filled,
    storage_thumbnail_key: filled,
    upload_errors: texts,
    errors: texts,
  },
);
const incident = object(
  { uploaded_videos: few(video), failed_videos: few(video) },
  {
    id: filled,
    title: text,
    description: text,
    incident_at: time,
    created_at: time,
    updated_at: time,
    longitude: number,
    latitude: number,
  },
);
const marker = object({ name: text, timestamp: time });
const period = object(
  { id },
  {
    name: text,
    start_date: time,
    end_date: time,
    created_at: time,
    updated_at: time,
    markers: fc.oneof(marker, few(marker)),
  },
);
const action = object(
  { periodActionId: id },
  {
    periodId: id,
    periodName: text,
    actionId: id,
    classification: text,
    subClassification: text,
    status: text,
    createdTime: time,
    assignedTime: time,
    doingTime: time,
    closedTime: time,
    createdByUserName: text,
    periodMarker: text,
    assignedUserNames: texts,
    channel: fc.oneof(text, texts),
    formType: text,
    latestChannel: text,
    aiDispatched: fc.boolean(),
    department: texts,
    notes: anything,
  },
);
const userFields = {
  email: text,
  is_active: fc.boolean(),
  role: fc.constantFrom('admin', 'supervisor', 'member', 'staff', 'owner'),
  created_at: time,
  updated_at: time,
  first_name: text,
  last_name: text,
  name: text,
  device_id: text,
};
const user = object(
  { id },
  { ...userFields, login_type: fc.constantFrom('PHONE_NUMBER', 'DEVICE', 'BADGE'), phone_number: text },
);
const phoneUser = object(
  { id, login_type: fc.constant('PHONE_NUMBER'), phone_number: fc.constant('+447700900100') },
  userFields,
);
const count = fc.nat({ max: 1000 });
const url = fc.webUrl({ validSchemes: ['https'] });
const grant = object({ storage_key: filled, signed_urls: fc.oneof(url, few(url)) });

const handle = object({ storage_key: filled, upload_id: filled });

/** Valid answers, by their content. */
export const answerShapes = {
  handle,
  uploadUrls: object(
    { uploads: fc.dictionary(filled, grant, { maxKeys: 3 }) },
    { incident_id: id, max_upload_size_mb: fc.integer() },
  ),
  incident: object({ vms_incident: incident }),
  periods: object({ periods: few(period) }),
  actions: object({ actions: few(action) }),
  message: object({ id }),
  users: object({
    users: few(user),
    page: fc.constant(1),
    per_page: fc.constant(100),
    total_pages: fc.constant(1),
    response_count: count,
    total_count: count,
  }),
  user: object({ user }),
  phoneUser: object({ user: phoneUser }),
} as const satisfies Readonly<Record<string, fc.Arbitrary<Json>>>;

export type AnswerShape = keyof typeof answerShapes;
