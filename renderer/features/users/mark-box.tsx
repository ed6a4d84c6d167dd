import { Check } from 'lucide-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { userName, type TeamUser } from '../../../shared/domain/team-user.ts';
import { visibleName } from '../../../shared/lib/visible-name.ts';
import type { Marks } from './use-marks.ts';
import styles from './users.module.css';

/** Marks a user with the pointer; the keyboard does it on the grid. */
export function MarkBox({ user, marks }: { readonly user: TeamUser; readonly marks: Marks }): ReactNode {
  const { t } = useTranslation();
  const isMarked = marks.ids.has(String(user.id));
  return (
    <button
      type="button"
      tabIndex={-1}
      aria-pressed={isMarked}
      aria-label={t('users.mark', { name: visibleName(userName(user)) })}
      className={styles['mark']}
      // The focus stays in the grid, and the row is not chosen by being marked
      onMouseDown={(event) => event.preventDefault()}
      onClick={(event) => {
        event.stopPropagation();
        marks.toggle(user);
      }}
    >
      <span aria-hidden>{isMarked ? <Check size={12} /> : null}</span>
    </button>
  );
}
