import { z } from 'zod';
import type { Period, Action } from '../domain/action.ts';
import { serviceIdSchema } from '../domain/ids.ts';
import { knownFields } from '../lib/known-fields.ts';
import { isList, namedEntries, readableLines, readableText } from '../lib/json-text.ts';
import { counterSchema, timestampSchema } from './user.ts';

/**
 * Wire format of service.md "Action". Reading is tolerant: a list that is not the table's is
 * a form field whatever its name (service.md gap 19), `notes` may have any shape (gap 18), and nothing that came is lost.
 */
const text = z.string().nullish();
const id = serviceIdSchema.nullish();
const named = <T extends z.ZodType>(value: T) => z.object({ name: z.string(), value });

const table = {
  periodId: id,
  periodName: text,
  periodActionId: id,
  actionId: id,
  classification: text,
  subClassification: text,
  status: text,
  createdTime: timestampSchema,
  assignedTime: timestampSchema,
  doingTime: timestampSchema,
  closedTime: timestampSchema,
  createdByUserName: text,
  periodMarker: text,
  assignedUserNames: z.union([z.string(), z.array(z.unknown())]).nullish(),
  channel: text,
  formType: text,
  latestChannel: text,
  aiDispatched: z.boolean().nullish(),
  notes: z.unknown().optional(),
};
/** Lists of the table itself; under any other name a list is a form field. */
const tableLists: ReadonlySet<string> = new Set(['assignedUserNames', 'notes']);

const dividedSchema = z.object({
  ...table,
  formFields: z.array(named(z.array(z.unknown()))),
  otherFields: z.array(named(z.unknown())),
});

/** Paging is not promised: any other value under that name is not a page counter (service.md gap 17). */
const pageCounterSchema = counterSchema.optional().catch(undefined);

/**
 * Answer of endpoint 8, one page of it. `requested` are the form fields that were asked for by name. `page` and
 * `totalPages` are there when the service counts pages (service.md gap 17). `unreadable` is how many actions are not
 * among `actions` because they cannot be read; if none can be, the answer is refused.
 */
export function actionsAnswerSchema(requested: readonly string[]) {
  const schema = actionSchema(requested);
  return z
    .object({
      actions: z.array(z.unknown()).nullable(),
      notes: z.unknown().optional(),
      page: pageCounterSchema,
      total_pages: pageCounterSchema,
    })
    .transform(({ actions, notes, page, total_pages }, context) => {
      const results = (actions ?? []).map((action) => schema.safeParse(action));
      const read = results.flatMap(({ data }) => (data === undefined ? [] : [data]));
      const [first] = results[0]?.error?.issues ?? [];
      if (read.length === 0 && first !== undefined)
        context.addIssue({ code: 'custom', path: ['actions', 0, ...first.path], message: first.message });
      return {
        actions: withNotes(read, readableLines(notes)),
        unreadable: results.length - read.length,
        ...knownFields<{ page: number; totalPages: number }>({ page, totalPages: total_pages }),
      };
    });
}

function actionSchema(requested: readonly string[]) {
  const names = new Set(requested);
  return z.preprocess(
    (value) => divide(value, names),
    dividedSchema.transform((wire, context): Action => {
      if (wire.periodActionId != null) return toAction(wire, wire.periodActionId, names);
      // A period action may have the same number
      if (wire.actionId != null) return toAction(wire, `action ${wire.actionId}`, names);
      context.addIssue({ code: 'custom', path: ['periodActionId'], message: 'missing, and so is actionId' });
      return z.NEVER;
    }),
  );
}

/** Sorts the properties of an action: what the table names, form fields, and the rest. */
function divide(value: unknown, requested: ReadonlySet<string>): unknown {
  if (typeof value !== 'object' || value === null || isList(value)) return value;
  const known: [string, unknown][] = [];
  const formFields: { name: string; value: unknown }[] = [];
  const otherFields: { name: string; value: unknown }[] = [];
  for (const [name, inner] of namedEntries(value)) {
    const isKnown = Object.hasOwn(table, name);
    if (isList(inner) && !tableLists.has(name)) formFields.push({ name, value: inner });
    else if (isKnown) known.push([name, inner]);
    // A field that was requested by name is a form field, even as a single value without a list
    else if (requested.has(name) && inner !== null) formFields.push({ name, value: [inner] });
    else if (inner !== null) otherFields.push({ name, value: inner });
  }
  return { ...Object.fromEntries(known), formFields, otherFields };
}

function toAction(
  wire: z.infer<typeof dividedSchema>,
  id: Action['id'],
  requested: ReadonlySet<string>,
): Action {
  const found = new Set(wire.formFields.map(({ name }) => name));
  return {
    id,
    ...tableFields(wire),
    assignedUsers: texts([wire.assignedUserNames ?? []].flat()),
    formFields: wire.formFields.map(({ name, value }) => ({ name, values: texts(value) })),
    missingFields: [...requested].filter((name) => !found.has(name)),
    notes: readableLines(wire.notes),
    otherFields: wire.otherFields.map(({ name, value }) => ({ name, text: readableText(value) })),
  };
}

function tableFields(wire: z.infer<typeof dividedSchema>) {
  return knownFields<
    Omit<Action, 'id' | 'assignedUsers' | 'formFields' | 'missingFields' | 'notes' | 'otherFields'>
  >({
    actionId: wire.actionId,
    periodActionId: wire.periodActionId,
    periodId: wire.periodId,
    periodName: wire.periodName,
    classification: wire.classification,
    subClassification: wire.subClassification,
    status: wire.status,
    createdAt: wire.createdTime,
    assignedAt: wire.assignedTime,
    doingAt: wire.doingTime,
    closedAt: wire.closedTime,
    createdBy: wire.createdByUserName,
    periodMarker: wire.periodMarker,
    channel: wire.channel,
    formType: wire.formType,
    latestChannel: wire.latestChannel,
    aiDispatched: wire.aiDispatched,
  });
}

/** "A notes property on the response" may be read as one for the whole list: it then belongs to actions that miss a field. */
function withNotes(actions: readonly Action[], notes: readonly string[]): readonly Action[] {
  if (notes.length === 0) return actions;
  return actions.map((action) =>
    action.missingFields.length > 0 && action.notes.length === 0 ? { ...action, notes } : action,
  );
}

const texts = (values: readonly unknown[]): readonly string[] =>
  values.filter((value) => value !== null).map(readableText);

/**
 * Wire format of service.md "Period". Reading is tolerant: unknown fields are dropped, optional ones may be missing
 * or null, and the markers may come as one object (as the interface writes it) or as a list of them.
 */
const wireMarkerSchema = z.object({ name: text, timestamp: timestampSchema });

const wirePeriodSchema = z.object({
  id: serviceIdSchema,
  name: text,
  start_date: timestampSchema,
  end_date: timestampSchema,
  created_at: timestampSchema,
  updated_at: timestampSchema,
  markers: z.union([wireMarkerSchema, z.array(wireMarkerSchema)]).nullish(),
});

/** Answer of endpoint 7: the periods, in the order of the service. */
export const periodsAnswerSchema = z
  .object({ periods: z.array(wirePeriodSchema.transform(toPeriod)).nullable() })
  .transform(({ periods }): readonly Period[] => periods ?? []);

function toPeriod(wire: z.infer<typeof wirePeriodSchema>): Period {
  return {
    id: wire.id,
    ...knownFields<Omit<Period, 'id' | 'markers'>>({
      name: wire.name,
      startAt: wire.start_date,
      endAt: wire.end_date,
      createdAt: wire.created_at,
      updatedAt: wire.updated_at,
    }),
    markers: [wire.markers ?? []].flat().flatMap(toMarker),
  };
}

function toMarker({ name, timestamp }: z.infer<typeof wireMarkerSchema>): Period['markers'] {
  const marker = knownFields<Period['markers'][number]>({ name, at: timestamp });
  return Object.keys(marker).length === 0 ? [] : [marker];
}
