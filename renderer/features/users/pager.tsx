import { CheckCheck, ChevronLeft, ChevronRight } from 'lucide-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { UserPage } from '../../../shared/domain/team-user.ts';
import { Button } from '../../ui/button.tsx';
import type { Marks } from './use-marks.ts';
import type { ChangeUsers } from './users-search.ts';
import styles from './users.module.css';

/** How many users there are, and the way to the other pages. */
export function Pager({
  page,
  marks,
  change,
}: {
  readonly page: UserPage;
  readonly marks: Marks;
  readonly change: ChangeUsers;
}): ReactNode {
  const { t } = useTranslation();
  const { page: number, totalPages, totalCount, users } = page;
  const where = t('users.page', { page: number, pages: totalPages });
  return (
    <section aria-label={t('users.pages')} className={styles['pager']}>
      <span>{t('users.count', { count: totalCount })}</span>
      <Button
        kind="quiet"
        icon={CheckCheck}
        isDisabled={users.length === 0}
        onPress={() => marks.toggleAll(users)}
      >
        {t('users.markPage')}
      </Button>
      <Button
        kind="quiet"
        pointsOn
        icon={ChevronLeft}
        aria-label={t('users.previous')}
        isDisabled={number <= 1}
        onPress={() => change({ page: number - 1 })}
      />
      <span role="status">{where}</span>
      <Button
        kind="quiet"
        pointsOn
        icon={ChevronRight}
        aria-label={t('users.next')}
        isDisabled={number >= totalPages}
        onPress={() => change({ page: number + 1 })}
      />
    </section>
  );
}
