import { useEffect, useMemo, useState } from 'react';
import { z } from 'zod';
import type { Action } from '../../../shared/domain/action.ts';
import { keep, readKept, type TextStorage } from '../../stores/kept.ts';
import { MAX_FIELD_NAME } from './periods-search.ts';

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

const STORAGE_KEY = 'periods.fields';

/** Names beyond this many push out the oldest. */
const MOST_NAMES = 200;

const namesSchema = z.array(z.string().min(1).max(MAX_FIELD_NAME)).max(MOST_NAMES);

/** Names of form fields that this desk has seen: the service has no list of them. */
export function readSeenFields(storage: TextStorage): readonly string[] {
  return readKept(storage, STORAGE_KEY, namesSchema, []);
}

/** Adds the names that some action really has, so that mistyped ones are not offered again. */
export function addSeenFields(seen: readonly string[], actions: readonly Action[]): readonly string[] {
  const names = actions.flatMap(({ formFields }) => formFields.map(({ name }) => name));
  const fresh = new Set(
    names.filter((name) => name !== '' && name.length <= MAX_FIELD_NAME && !seen.includes(name)),
  );
  return fresh.size === 0 ? seen : [...seen, ...fresh].slice(-MOST_NAMES);
}

/** The names that can be offered, kept over the end of the page. */
export function useSeenFields(actions: readonly Action[]): readonly string[] {
  const [kept] = useState(() => readSeenFields(localStorage));
  const seen = useMemo(() => addSeenFields(kept, actions), [kept, actions]);
  useEffect(() => {
    if (seen !== kept) keep(localStorage, STORAGE_KEY, seen);
  }, [seen, kept]);
  return seen.toSorted((one, other) => one.localeCompare(other));
}
