import type { Action } from '../../../shared/domain/action.ts';

/** Names of the form fields that were found: those that were asked for first, in the order of asking. */
export function foundFields(actions: readonly Action[], asked: readonly string[]): readonly string[] {
  const found = new Set(actions.flatMap(({ formFields }) => formFields.map(({ name }) => name)));
  return [...asked.filter((name) => found.has(name)), ...[...found].filter((name) => !asked.includes(name))];
}

/** The values of a form field, or undefined when the action does not have it. */
export function fieldText({ formFields }: Action, name: string, separator: string): string | undefined {
  return formFields.find((field) => field.name === name)?.values.join(separator);
}
