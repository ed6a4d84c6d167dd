import { useId, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import styles from '../users.module.css';

/** More rows at once help nobody; what matters is found by the tabs, and all of it stands in the file. */
const MOST_SHOWN = 200;

/** One row of a file with what is shown of it. */
export interface TableRow {
  readonly number: number;
  readonly isWrong: boolean;
  readonly cells: readonly ReactNode[];
}

/** Rows of a file, with room for long reasons. It scrolls by keyboard too. */
export function RowTable({
  label,
  headings,
  rows,
}: {
  readonly label: string;
  readonly headings: readonly string[];
  readonly rows: readonly TableRow[];
}): ReactNode {
  const { t } = useTranslation();
  const id = useId();
  const hidden = rows.length - MOST_SHOWN;
  return (
    // A region that scrolls takes the focus, or the keyboard could not scroll it
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
    <div className={styles['rows']} role="region" aria-labelledby={id} tabIndex={0}>
      <table>
        <caption id={id} className="visually-hidden">
          {label}
        </caption>
        <thead>
          <tr>
            {headings.map((heading) => (
              <th key={heading} scope="col">
                {heading}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.slice(0, MOST_SHOWN).map(({ number, isWrong, cells }) => (
            <tr key={number} data-wrong={isWrong || undefined}>
              {cells.map((cell, index) => (
                <td key={headings[index]}>{cell}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      {hidden > 0 ? <p>{t('users.import.more', { count: hidden })}</p> : null}
    </div>
  );
}
