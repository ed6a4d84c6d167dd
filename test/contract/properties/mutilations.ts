import fc from 'fast-check';
import { answerShapes, type AnswerShape } from './answer-shapes.ts';
import { SEED, type WireAnswer } from './answer-desk.ts';

/** Wrong values, each used instead of a value of another type. */
const wrong = fc.constantFrom<unknown>(
  null,
  true,
  -1,
  1.5,
  '',
  'text',
  [],
  {},
  [[]],
  [null],
  { a: 1 },
  JSON.parse('{"__proto__":{"polluted":true}}'),
  { constructor: { prototype: { polluted: true } } },
);

/** The path of every value inside, as a list of names. */
function pathsIn(value: unknown, path: readonly string[] = []): readonly (readonly string[])[] {
  if (typeof value !== 'object' || value === null) return [path];
  return [path, ...Object.entries(value).flatMap(([name, inner]) => pathsIn(inner, [...path, name]))];
}

function replaceAt(value: unknown, [name, ...rest]: readonly string[], by: unknown): unknown {
  if (name === undefined) return by;
  if (Array.isArray(value)) {
    return value.map((inner: unknown, index) =>
      String(index) === name ? replaceAt(inner, rest, by) : inner,
    );
  }
  const entries = Object.entries(Object(value)).map(([key, inner]) => [
    key,
    key === name ? replaceAt(inner, rest, by) : inner,
  ]);
  return Object.fromEntries(entries);
}

/** A valid answer in which one value has the wrong type. */
export function withWrongType(shape: AnswerShape): fc.Arbitrary<WireAnswer> {
  return answerShapes[shape].chain((body) =>
    fc
      .tuple(fc.constantFrom(...pathsIn(body)), wrong)
      .map(([path, by]) => ({ body: JSON.stringify(replaceAt(body, path, by)) })),
  );
}

/** The paths of IDs in an answer. */
const idPath =
  /^(storage_key|upload_id|(vms_incident\/(uploaded|failed)_videos|periods|users)\/\d+\/id|actions\/\d+\/periodActionId|user\/id)$/;
const noId = fc.constantFrom<unknown>(true, 1.5, '', {}, { id: '7' });

/** A valid answer in which one ID is invalid; undefined when the answer has no ID. */
export function withoutId(shape: AnswerShape): fc.Arbitrary<WireAnswer | undefined> {
  return answerShapes[shape].chain((body) => {
    const paths = pathsIn(body).filter((path) => idPath.test(path.join('/')));
    if (paths.length === 0) return fc.constant(undefined);
    // A video of another client is sent back unchanged, even with an empty ID
    const none = shape === 'incident' ? noId.filter((by) => by !== '') : noId;
    return fc
      .tuple(fc.constantFrom(...paths), none)
      .map(([path, by]) => ({ body: JSON.stringify(replaceAt(body, path, by)) }));
  });
}

/** A valid answer that is cut off anywhere. */
export function cutOff(shape: AnswerShape): fc.Arbitrary<WireAnswer> {
  return answerShapes[shape].chain((body) => {
    const bytes = Buffer.from(JSON.stringify(body));
    return fc.nat({ max: bytes.length - 1 }).map((length) => ({ body: bytes.subarray(0, length) }));
  });
}

/** A valid answer under another status. */
export function withStatus(shape: AnswerShape): fc.Arbitrary<WireAnswer> {
  return fc
    .tuple(answerShapes[shape], fc.integer({ min: 300, max: 599 }))
    .map(([body, status]) => ({ body: JSON.stringify(body), status }));
}

/** Bytes that are not JSON text in UTF-8, or arbitrary bytes. */
export const noise: fc.Arbitrary<WireAnswer> = fc
  .oneof(
    fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes)),
    fc.json().map((text) => Buffer.from(text, 'utf16le')),
    fc.string({ maxLength: 50 }).map((text) => Buffer.from(`<html>${text}`)),
    fc.constantFrom('', ' ', '\uFEFF', 'null', '[]', '0', '"x"', 'OK', '{}{}', '{"a":1,}').map(Buffer.from),
  )
  .map((body) => ({ body }));

const DEEP = 1_000_000;

/** A valid answer with one extra field. */
function withFieldOf(shape: AnswerShape): (value: string) => WireAnswer {
  const [right] = fc.sample(answerShapes[shape], { seed: SEED, numRuns: 1 });
  return (value) => ({ body: JSON.stringify(right).replace(/}$/, `,"x-more":${value}}`) });
}

/** Valid answers with an extra field that holds a number JavaScript would round. */
export const largeNumbers = (shape: AnswerShape): readonly WireAnswer[] =>
  ['9007199254740993', '1e999', '9'.repeat(DEEP)].map(withFieldOf(shape));

/** Excessive answers, each with its description. The first few are valid except for one extra field. */
export function monsters(shape: AnswerShape): readonly (readonly [what: string, answer: WireAnswer])[] {
  const withField = withFieldOf(shape);
  return [
    ['right with lists nested a million deep', withField('['.repeat(DEEP) + ']'.repeat(DEEP))],
    ['right with objects nested a million deep', withField('{"a":'.repeat(DEEP) + '1' + '}'.repeat(DEEP))],
    ['lists nested five million deep', { body: '['.repeat(5 * DEEP) }],
    ['a text of seven million characters', { body: JSON.stringify({ error: 'x'.repeat(7_000_000) }) }],
    ['a list of two hundred thousand entries', { body: `[${'{"id":1},'.repeat(200_000)}{}]` }],
    ['not compressed as it says', { headers: { 'content-encoding': 'gzip' }, body: '{"id":1}' }],
    ['compressed in an unknown way', { headers: { 'content-encoding': 'zstd, br, x' }, body: 'x' }],
  ];
}
