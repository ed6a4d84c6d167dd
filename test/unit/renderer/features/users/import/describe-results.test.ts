import { describe, expect, it } from 'vitest';
import type { CreatedUser } from '../../../../../../shared/domain/team-user.ts';
import type { ImportRow } from '../../../../../../renderer/features/users/import/check-rows.ts';
import {
  describeResults,
  resultTable,
} from '../../../../../../renderer/features/users/import/describe-results.ts';
import type { Outcome } from '../../../../../../renderer/features/users/run-batch.ts';
import { createI18n } from '../../../../../../renderer/i18n/create-i18n.ts';

const { t } = await createI18n('en');
const row = (number: number, problems: readonly string[] = []): ImportRow => ({
  number,
  name: `Name ${number}`,
  login: `+1${number}`,
  role: '',
  user: undefined,
  problems,
  doubts: [],
});
const refusal = { code: 'VALIDATION', message: 'Refused.', advice: 'Mend it.', retryable: false } as const;
const outcomes: readonly Outcome<ImportRow, CreatedUser>[] = [
  {
    kind: 'done',
    item: row(2),
    output: { user: { id: 'u2' }, temporaryPassword: 'aB3dE6gH9kLm', wasExisting: false, keptFields: [] },
  },
  {
    kind: 'done',
    item: row(3),
    output: {
      user: { id: 'u3' },
      wasExisting: true,
      keptFields: [{ name: 'role', asked: 'staff', kept: 'admin' }],
    },
  },
  { kind: 'failed', item: row(4), failure: refusal },
  { kind: 'failed', item: row(5), failure: { ...refusal, mayHaveHappened: true } },
  { kind: 'left', item: row(6) },
];
const rows = [row(2), row(3), row(4), row(5), row(6), row(7, ['First name is missing.'])];
const results = describeResults(rows, outcomes, t);

describe('the result of an import', () => {
  it('tells each row of the file, in its order', () => {
    expect(results.map(({ number, kind, detail }) => [number, kind, detail])).toEqual([
      [2, 'created', ''],
      [3, 'existed', 'Role stays "Admin", not "Staff".'],
      [4, 'failed', 'Refused. Mend it.'],
      [5, 'perhaps', 'Refused. Mend it.'],
      [6, 'left', ''],
      [7, 'wrong', 'First name is missing.'],
    ]);
  });

  it('has passwords in the file only when they are wanted', () => {
    const without = resultTable(results, t, { withPasswords: false });
    expect(JSON.stringify(without)).not.toContain('aB3dE6gH9kLm');
    expect(new Set(without.map(({ length }) => length))).toEqual(new Set([5]));
    const withThem = resultTable(results, t, { withPasswords: true });
    expect(withThem[0]?.at(-1)).toBe('Temporary password');
    expect(withThem.map((cells) => cells.at(-1))).toContain('aB3dE6gH9kLm');
  });
});
