import { z } from 'zod';
import { err, ok, type Result } from '../../../shared/lib/result.ts';
import { jsonAnswer, refusal, type Answer } from '../http/answer.ts';
import type { ServiceAction, ServicePeriod, TeamData } from '../team/team.ts';
import { answerActions } from './action-pages.ts';
import type { Route } from './route.ts';

const INVALID_PERIOD = 'Invalid period_id. It must be a valid integer for your team.';
const INVALID_FIELDS = 'Invalid form_fields. It must be an array of strings.';

const fieldNamesSchema = z.array(z.string());

/** Endpoint 8, Get Actions for a Period. */
const getActions: Route = {
  call: 'getActions',
  method: 'GET',
  path: ['periods', ':period_id', 'actions'],
  needsVideoPermission: false,
  query: { form_fields: 'optional', page: 'optional', per_page: 'optional' },
  async handle(request, { team, settings }) {
    const data = team.team();
    const period = findPeriod(request.path.period_id ?? '', data);
    if (!period.ok) return period.error;
    const fields = readFieldNames(request.query.get('form_fields'));
    if (!fields.ok) return fields.error;
    const actions = data.actions.filter(({ listed }) => listed.periodId === period.value.id);
    return answerActions(
      request,
      settings,
      actions.map((action) => tellAction(action, fields.value)),
    );
  },
};

function findPeriod(id: string, { periods, otherTeamPeriod }: TeamData): Result<ServicePeriod, Answer> {
  const number = /^\d+$/.test(id) ? Number(id) : Number.NaN;
  if (!Number.isSafeInteger(number) || number === otherTeamPeriod.id) {
    return err(refusal(400, INVALID_PERIOD));
  }
  const period = periods.find((each) => each.id === number);
  return period ? ok(period) : err(jsonAnswer(404, { message: 'Period not found' }));
}

function readFieldNames(text: string | null): Result<readonly string[], Answer> {
  if (text === null) return ok([]);
  const names = fieldNamesSchema.safeParse(parseJson(text));
  return names.success ? ok(names.data) : err(refusal(400, INVALID_FIELDS));
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The action with those of the named fields that it has, and a note about the missing ones. */
function tellAction({ listed, form }: ServiceAction, names: readonly string[]): Record<string, unknown> {
  const there = names.filter((name) => Object.hasOwn(form, name));
  const missing = names.filter((name) => !Object.hasOwn(form, name));
  return {
    ...listed,
    ...Object.fromEntries(there.map((name) => [name, form[name]])),
    ...(missing.length > 0 && { notes: noteShapes[listed.actionId % noteShapes.length]?.(missing) }),
  };
}

/** The interface does not define the shape of notes, so several shapes are used. */
const noteShapes: readonly ((missing: readonly string[]) => object)[] = [
  (missing) => ({ missing_form_fields: missing }),
  (missing) => missing.map((name) => `Form field ${name} was not found for this action.`),
  (missing) => ({
    form_fields: Object.fromEntries(missing.map((name) => [name, { status: 'missing', value: null }])),
  }),
];

export const actionRoutes: readonly Route[] = [getActions];
