import { type Line, UsageError } from '../command.ts';

/** What the object on standard input may hold, under the names of the options: arguments are seen by other accounts. */
export type InputFields = Readonly<Record<string, 'text' | 'texts' | 'switch'>>;

/** The options that `--stdin` stands for cannot be given beside it. */
export function refuseBesideInput<Name extends string>(
  line: Pick<Line<NoInfer<Name>>, 'has'>,
  fields: Readonly<Record<Name, InputFields[string]>>,
): void {
  const other = namesOf(fields).find((name) => line.has(name));
  if (other !== undefined) throw new UsageError(`--${other} belongs in the object when --stdin is used.`);
}

/** The object on standard input, as if its members were options. */
export function readInputLine<Name extends string>(
  text: string,
  fields: Readonly<Record<Name, InputFields[string]>>,
): Pick<Line<Name>, 'has' | 'text' | 'texts'> {
  const members = membersOf(text);
  const known = namesOf(fields);
  const isRight = ([name, value]: readonly [string, unknown]): boolean =>
    known.some((each) => each === name && isOfKind(value, fields[each]));
  if (![...members].every(isRight))
    throw new UsageError(
      'The object on standard input is not in the expected form.',
      `It may contain ${known.join(', ')}.`,
    );
  const textsOf = (name: Name): readonly string[] =>
    [members.get(name)].flat().filter((each) => typeof each === 'string');
  return {
    has: (name) => members.has(name) && members.get(name) !== false,
    text: (name) => textsOf(name)[0],
    texts: textsOf,
  };
}

const namesOf = <Name extends string>(fields: Readonly<Record<Name, unknown>>): readonly Name[] =>
  // The keys of a record are its names
  Object.keys(fields).filter((name): name is Name => Object.hasOwn(fields, name));

function isOfKind(value: unknown, kind: InputFields[string]): boolean {
  if (kind === 'switch') return typeof value === 'boolean';
  if (kind === 'text') return typeof value === 'string';
  return Array.isArray(value) && value.every((each) => typeof each === 'string');
}

function membersOf(text: string): ReadonlyMap<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null && !Array.isArray(value))
      return new Map(Object.entries(value));
  } catch {
    // Said below
  }
  throw new UsageError('Standard input contains no JSON object.', 'The help shows an example.');
}
