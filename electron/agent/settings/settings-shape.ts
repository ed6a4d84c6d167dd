import { z } from 'zod';
import { settingsSchema } from '../../../shared/domain/settings.ts';

/** One place in the settings, as JSON Schema: its keys and limits in a form that can be walked. */
export type Shape = z.core.JSONSchema.BaseSchema;

/** The settings as a shape, made from their schema so that the two never differ. */
export function settingsShape(): Shape {
  return z.toJSONSchema(settingsSchema, { io: 'input' });
}

/** What stands at `path`; for the ways of presenting the key, the union of all of them. */
export function shapeAt(root: Shape, path: readonly PropertyKey[]): Shape | undefined {
  let shape: Shape | undefined = root;
  for (const step of path) {
    if (shape === undefined) return undefined;
    shape = typeof step === 'number' ? itemOf(shape) : branchWith(shape, String(step));
  }
  return shape;
}

/** The keys that may stand in the group `shape`. */
export function keysOf(shape: Shape): readonly string[] {
  return [...new Set(branchesOf(shape).flatMap((branch) => Object.keys(branch.properties ?? {})))];
}

/** Full names of every place called `key`, for advice when a key stands in the wrong group. */
export function placesOf(root: Shape, key: string, path = ''): readonly string[] {
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

/** What may stand there, in words with its limits: "a whole number from 1 to 16". */
export function describeShape(shape: Shape): string {
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
      return `a list [...]${shape.maxItems === undefined ? '' : ` of at most ${shape.maxItems}`}`;
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
  return `a group {...} with "scheme" as one of ${schemes.map((scheme) => JSON.stringify(scheme)).join(', ')}`;
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
