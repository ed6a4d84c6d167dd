import type { TFunction } from 'i18next';
import { assertNever } from '../../../../shared/lib/assert-never.ts';
import type { CsvTrouble } from './read-csv.ts';

/** Says why a file is no table of users, and what to do. */
export function troubleText(trouble: CsvTrouble, t: TFunction): string {
  switch (trouble.kind) {
    case 'too-large':
      return t('users.import.tooLarge', trouble);
    case 'empty':
      return t('users.import.empty');
    case 'too-many':
      return t('users.import.tooMany', trouble);
    case 'quotes':
      return t('users.import.badQuotes', trouble);
    case 'binary':
      return t('users.import.binary');
    case 'gone':
      return t('users.import.gone');
    default:
      return assertNever(trouble);
  }
}
