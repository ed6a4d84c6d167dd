import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { SEED, useAnswerDesk } from './answer-desk.ts';
import { answerShapes, type AnswerShape } from './answer-shapes.ts';
import { everyCall } from './every-call.ts';

const desk = useAnswerDesk();
const RUNS = 40;

const at = (value: unknown, ...path: readonly string[]): unknown =>
  path.reduce<unknown>((inner, name) => Object(inner)[name], value);
/** The IDs of a list without repetitions, as the client lists entries. */
const ids = (list: unknown, name = 'id'): unknown => [
  ...new Set((Array.isArray(list) ? list : []).map((each: unknown) => at(each, name))),
];

/** The parts of an answer that must be in the value read from it, whatever else the answer holds. */
const kept: Readonly<Record<AnswerShape, (answer: unknown, value: unknown) => readonly unknown[]>> = {
  handle: (answer, value) => [
    { storage_key: at(answer, 'storage_key'), upload_id: at(answer, 'upload_id') },
    value,
  ],
  uploadUrls: (answer, value) => [at(answer, 'uploads'), at(value, 'uploads')],
  incident: (answer, value) => [
    ['uploaded_videos', 'failed_videos'].map((name) => ids(at(answer, 'vms_incident', name))),
    ['uploaded_videos', 'failed_videos'].map((name) => ids(at(value, name))),
  ],
  periods: (answer, value) => [ids(at(answer, 'periods')), ids(value)],
  actions: (answer, value) => [ids(at(answer, 'actions'), 'periodActionId'), ids(at(value, 'items'))],
  message: (answer, value) => [at(answer, 'id'), at(value, 'id')],
  users: (answer, value) => [ids(at(answer, 'users')), ids(at(value, 'users'))],
  user: (answer, value) => [at(answer, 'user', 'id'), at(value, 'user', 'id') ?? at(value, 'id')],
  phoneUser: (answer, value) => [at(answer, 'user', 'id'), at(value, 'id')],
};

describe('an answer of the right shape is read', () => {
  it.each(everyCall)('by $name, with fields missing, null or unknown', async (known) => {
    const property = fc.asyncProperty(answerShapes[known.shape], async (body) => {
      const result = await desk().ask(known, { body: JSON.stringify(body) });
      expect(result).toMatchObject({ ok: true });
      const [told, read] = kept[known.shape](body, at(result, 'value'));
      expect(read).toEqual(told);
    });
    await fc.assert(property, { seed: SEED, numRuns: RUNS });
  });

  it.each(everyCall)('by $name, the same with white space and a byte order mark', async (known) => {
    const property = fc.asyncProperty(answerShapes[known.shape], async (body) => {
      const plain = await desk().ask(known, { body: JSON.stringify(body) });
      const spaced = await desk().ask(known, { body: `\uFEFF${JSON.stringify(body, undefined, 2)}\r\n` });
      expect(spaced).toEqual(plain);
    });
    await fc.assert(property, { seed: SEED, numRuns: 10 });
  });
});
