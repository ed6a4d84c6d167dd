import { z } from 'zod';
import type { Failure } from '../../../shared/domain/failure.ts';
import { settingsSchema } from '../../../shared/domain/settings.ts';
import { suggestKey } from '../core/settings/suggest-key.ts';

/** Names under which people write the API key itself into the file. */
const KEY_ITSELF = /^(?:api[-_]?)?(?:key|token|secret)$/i;
/** Longest name that is repeated in a message, characters. */
const LONGEST_NAME = 60;

/** Turns one schema issue into failures that name the place, the limits and the fix. */
export function describeIssue(
  issue: z.core.$ZodIssue,
  input: unknown,
  file: string,
  shape: Shape = settingsShape(),
): readonly Failure[] {
  if (issue.code === 'unrecognized_keys')
    return issue.keys.map((key) => unknownKey(shape, issue.path, key, file));
  return [wrongValue(shape, issue, input, file)];
}

/** A place in the settings as people write it: `watch[0].timeZone`. */
export function pathText(path: readonly PropertyKey[]): string {
  return path.reduce<string>((text, step) => {
    if (typeof step === 'number') return `${text}[${step}]`;
    return text === '' ? nameText(String(step)) : `${text}.${nameText(String(step))}`;
  }, '');
}

const WHOLE = 'The configuration';

/** A setting with an unusable value; never contains the value itself if that is text. */
export function rangeFailure(place: string, problem: string, file: string): Failure {
  return {
    code: 'CONFIG_RANGE',
    message: `${place} ${problem}.`,
    advice: `Correct ${place === WHOLE ? 'it' : place} in ${file}; nothing was changed.`,
    retryable: false,
    fields: [{ name: place, text: problem }],
  };
}

function unknownKey(root: Shape, path: readonly PropertyKey[], key: string, file: string): Failure {
  const here = shapeAt(root, path);
  const place = pathText([...path, key]);
  return {
    code: 'CONFIG_UNKNOWN_KEY',
    message: `${place} is not a known setting.`,
    advice: `${adviceFor(root, here, path, key)} The setting is in ${file}; nothing was changed.`,
    retryable: false,
    fields: [{ name: place, text: 'is not a known setting' }],
  };
}

function adviceFor(root: Shape, here: Shape | undefined, path: readonly PropertyKey[], key: string): string {
  if (KEY_ITSELF.test(key))
    return 'The key itself never goes in this file: put it in a separate file (on macOS and Linux, with mode 0600) and set apiKeyFile to its path.';
  const keys = here === undefined ? [] : knownKeys(here);
  const near = suggestKey(key, keys);
  if (near !== undefined) return `Did you mean ${pathText([...path, near])}?`;
  const [elsewhere] = placesOf(root, key);
  if (elsewhere !== undefined) return `Did you mean ${elsewhere}?`;
  return `Settings allowed here: ${keys.join(', ')}. If this setting is from a newer version, update the agent.`;
}

function wrongValue(root: Shape, issue: z.core.$ZodIssue, input: unknown, file: string): Failure {
  const value = valueAt(input, issue.path);
  const shape = shapeAt(root, issue.path);
  const place = issue.path.length === 0 ? WHOLE : pathText(issue.path);
  if (value === '' && issue.code === 'too_small') return rangeFailure(place, 'is empty', file);
  // Rules with their own message: a header name, a parameter name, an end that is not a start
  const wish =
    issue.code === 'invalid_format' || issue.code === 'custom' || shape === undefined
      ? issue.message
      : `must be ${describeShape(shape)}`;
  const near = typeof value === 'string' ? suggestKey(value, textsOf(shape)) : undefined;
  const hint = near === undefined ? '' : `. The closest match is "${near}"`;
  return rangeFailure(place, `${nowText(value, shape)}; it ${wish}${hint}`, file);
}

const textsOf = (shape: Shape | undefined): readonly string[] =>
  (shape?.enum ?? []).filter((each) => typeof each === 'string');

// Text is never repeated: a mistyped key, or an address with a password, would end up in a log.
function nowText(value: unknown, shape: Shape | undefined): string {
  if (value === undefined) return 'is missing';
  if (value === null || typeof value === 'number' || typeof value === 'boolean') return `is ${String(value)}`;
  if (typeof value === 'string') {
    if (value === '') return 'is empty';
    return shape?.type === 'string' || shape?.enum !== undefined ? 'is not valid' : 'is text';
  }
  return Array.isArray(value) ? 'is a list' : 'is a group';
}

function valueAt(input: unknown, path: readonly PropertyKey[]): unknown {
  let value = input;
  for (const step of path) {
    if (typeof value !== 'object' || value === null) return undefined;
    value = Reflect.get(value, step);
  }
  return value;
}

function nameText(name: string): string {
  const short = name.length > LONGEST_NAME ? `${name.slice(0, LONGEST_NAME)}...` : name;
  return /^[\w$-]+$/.test(short) ? short : JSON.stringify(short);
}

/** One place in the settings as JSON Schema: its keys and limits, in a form that can be traversed. */
export type Shape = z.core.JSONSchema.BaseSchema;

/** The settings as a shape, generated from their schema so that the two never differ. */
function settingsShape(): Shape {
  return z.toJSONSchema(settingsSchema, { io: 'input' });
}

/** The shape at `path`; for the ways of presenting the key, the union of all of them. */
export function shapeAt(root: Shape, path: readonly PropertyKey[]): Shape | undefined {
  let shape: Shape | undefined = root;
  for (const step of path) {
    if (shape === undefined) return undefined;
    shape = typeof step === 'number' ? itemOf(shape) : branchWith(shape, String(step));
  }
  return shape;
}

/** The keys that are allowed in the group `shape`. */
export function knownKeys(shape: Shape): readonly string[] {
  return [...new Set(branchesOf(shape).flatMap((branch) => Object.keys(branch.properties ?? {})))];
}

/** Full names of every place called `key`, for advice when a key is in the wrong group. */
function placesOf(root: Shape, key: string, path = ''): readonly string[] {
  return branchesOf(root).flatMap((branch) =>
    Object.entries(branch.properties ?? {}).flatMap(([name, inner]) => {
      const here = path === '' ? name : `${path}.${name}`;
      if (typeof inner === 'boolean') return [];
      const list = itemOf(inner);
      const deeper = list === undefined ? placesOf(inner, key, here) : placesOf(list, key, `${here}[]`);
      return name === key ? [here, ...deeper] : deeper;
    }),
  );
}

/** The allowed values in words, with their limits: "a whole number from 1 to 16". */
function describeShape(shape: Shape): string {
  if (shape.anyOf) return shape.anyOf.map((each) => describeShape(onlyShape(each))).join(' or ');
  if (shape.oneOf) return describeUnion(shape);
  if (shape.enum) return `one of ${shape.enum.map((each) => JSON.stringify(each)).join(', ')}`;
  if (shape.const !== undefined) return JSON.stringify(shape.const);
  switch (shape.type) {
    case 'integer':
      return `a whole number${rangeOf(shape)}`;
    case 'number':
      return `a number${rangeOf(shape)}`;
    case 'string':
      return `text${shape.maxLength === undefined ? '' : ` of at most ${shape.maxLength} characters`}`;
    case 'array':
      return `a list [...]${shape.maxItems === undefined ? '' : ` of at most ${shape.maxItems} items`}`;
    case 'object':
      return 'a group {...}';
    case 'boolean':
      return 'true or false';
    case 'null':
      return 'null';
    default:
      return 'another kind of value';
  }
}

function describeUnion(shape: Shape): string {
  const schemes = branchesOf(shape).map((branch) => onlyShape(branch.properties?.['scheme'] ?? {}).const);
  return `a group {...} whose "scheme" is one of ${schemes.map((scheme) => JSON.stringify(scheme)).join(', ')}`;
}

function rangeOf({ minimum, maximum }: Shape): string {
  const hasMaximum = maximum !== undefined && maximum < Number.MAX_SAFE_INTEGER;
  if (minimum !== undefined && hasMaximum) return ` from ${minimum} to ${maximum}`;
  if (minimum !== undefined) return ` of at least ${minimum}`;
  return hasMaximum ? ` of at most ${maximum}` : '';
}

function branchesOf(shape: Shape): readonly Shape[] {
  return shape.oneOf ? shape.oneOf.map(onlyShape) : [shape];
}

function branchWith(shape: Shape, key: string): Shape | undefined {
  const found = branchesOf(shape)
    .map((branch) => branch.properties?.[key])
    .filter((inner) => inner !== undefined)
    .map(onlyShape);
  if (found.length < 2) return found[0];
  const constants = found.map((each) => each.const).filter((each) => each !== undefined);
  return constants.length === found.length ? { enum: constants } : found[0];
}

function itemOf(shape: Shape): Shape | undefined {
  return typeof shape.items === 'object' && !Array.isArray(shape.items) ? shape.items : undefined;
}

const onlyShape = (shape: Shape | boolean): Shape => (typeof shape === 'boolean' ? {} : shape);
