import type { Action } from '../../../shared/domain/action.ts';

/** What an action says about a form field. */
export type FormFieldState =
  | { readonly kind: 'values'; readonly text: string }
  /** It has the field, and nothing was filled in. */
  | { readonly kind: 'empty' }
  /** The service was asked for it and says that the action has none. */
  | { readonly kind: 'missing' }
  /** Nobody asked for it. */
  | { readonly kind: 'untold' };

/** A form field of an action by its name. */
export function fieldState(action: Action, name: string): FormFieldState {
  const field = action.formFields.find((each) => each.name === name);
  if (field === undefined)
    return action.missingFields.includes(name) ? { kind: 'missing' } : { kind: 'untold' };
  const filled = field.values.filter((value) => value !== '');
  return filled.length === 0 ? { kind: 'empty' } : { kind: 'values', text: filled.join(', ') };
}

/** Columns of form fields: those that were asked for, then what came by itself (service.md gap 19). */
export function fieldNames(actions: readonly Action[], asked: readonly string[]): readonly string[] {
  const came = actions.flatMap(({ formFields }) => formFields.map(({ name }) => name));
  return [...new Set([...asked, ...came])];
}

/** How many of the actions lack a field that was asked for. */
export function countMissing(actions: readonly Action[], name: string): number {
  return actions.filter(({ missingFields }) => missingFields.includes(name)).length;
}
