import type { TFunction } from 'i18next';
import type { Action } from '../../../shared/domain/action.ts';
import { actionTable } from './actions-csv.ts';

/** An action as lines of text, for a message or a log book: everything that is known of it, times in UTC. */
export function actionText(action: Action, fields: readonly string[], t: TFunction): string {
  const [names = [], values = []] = actionTable([action], fields, t);
  return names
    .map((name, index) => ({ name, value: values[index] ?? '' }))
    .filter(({ value }) => value !== '')
    .map(({ name, value }) => `${name}: ${value}`)
    .join('\n');
}
