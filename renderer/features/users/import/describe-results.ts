import type { TFunction } from 'i18next';
import type { CreatedUser } from '../../../../shared/domain/team-user.ts';
import { assertNever } from '../../../../shared/lib/assert-never.ts';
import type { Outcome } from '../run-batch.ts';
import { keptText } from '../user-words.ts';
import type { ImportRow } from './check-rows.ts';

/** How it went with a row. `perhaps`: sent, and the answer never came. `wrong`: not sent. `left`: not tried. */
export type ResultKind = 'created' | 'existed' | 'perhaps' | 'failed' | 'left' | 'wrong';

/** One row of the file after the import. */
export interface ImportResult {
  readonly number: number;
  readonly name: string;
  readonly login: string;
  readonly kind: ResultKind;
  readonly detail: string;
  readonly password: string | undefined;
}

/** All rows of the file with what became of them, in the order of the file. */
export function describeResults(
  rows: readonly ImportRow[],
  outcomes: readonly Outcome<ImportRow, CreatedUser>[],
  t: TFunction,
): readonly ImportResult[] {
  const byNumber = new Map(outcomes.map((outcome) => [outcome.item.number, outcome]));
  return rows.map((row) => {
    const { number, name, login } = row;
    return { number, name, login, ...resultOf(row, byNumber.get(number), t) };
  });
}

function resultOf(
  row: ImportRow,
  outcome: Outcome<ImportRow, CreatedUser> | undefined,
  t: TFunction,
): Pick<ImportResult, 'kind' | 'detail' | 'password'> {
  if (outcome === undefined) return { kind: 'wrong', detail: row.problems.join(' '), password: undefined };
  switch (outcome.kind) {
    case 'done': {
      const { wasExisting, keptFields, temporaryPassword } = outcome.output;
      const kept = keptFields.map((field) => `${keptText(field, t)}.`);
      return {
        kind: wasExisting ? 'existed' : 'created',
        detail: kept.join(' '),
        password: temporaryPassword,
      };
    }
    case 'failed': {
      const { message, advice, mayHaveHappened } = outcome.failure;
      const kind = mayHaveHappened === true ? 'perhaps' : 'failed';
      return { kind, detail: `${message} ${advice}`, password: undefined };
    }
    case 'left':
      return { kind: 'left', detail: '', password: undefined };
    default:
      return assertNever(outcome);
  }
}

/** The results as a table for a file; passwords only when they are wanted there. */
export function resultTable(
  results: readonly ImportResult[],
  t: TFunction,
  { withPasswords }: { readonly withPasswords: boolean },
): readonly (readonly (string | number)[])[] {
  const headings = [
    t('users.import.row'),
    t('users.columnName'),
    t('users.columnContact'),
    t('users.import.result'),
    t('users.import.detail'),
  ];
  return [
    [...headings, ...(withPasswords ? [t('users.passwordTitle')] : [])],
    ...results.map(({ number, name, login, kind, detail, password }) => [
      number,
      name,
      login,
      t(`users.import.kinds.${kind}`),
      detail,
      ...(withPasswords ? [password ?? ''] : []),
    ]),
  ];
}
