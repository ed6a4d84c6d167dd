import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { SearchBox } from '../../ui/search-box.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { ToggleField } from '../../ui/toggle-field.tsx';
import { isBadPhone, type ChangeUsers, type UsersSearch } from './users-search.ts';
import styles from './users.module.css';

/** Which users are listed: number, device, and those without access too. */
export function UserFilters({
  search,
  change,
}: {
  readonly search: UsersSearch;
  readonly change: ChangeUsers;
}): ReactNode {
  const { t } = useTranslation();
  return (
    <>
      <SearchBox
        label={t('users.phoneFilter')}
        value={search.phone}
        onChange={(phone) => change({ phone, page: 1 })}
      />
      <div className={styles['filter']}>
        <TextField
          aria-label={t('users.deviceFilter')}
          placeholder={t('users.deviceFilter')}
          value={search.device}
          onChange={(device) => change({ device, page: 1 })}
        />
      </div>
      <ToggleField
        label={t('users.inactive')}
        value={search.inactive}
        onChange={(inactive) => change({ inactive, page: 1 })}
      />
      <span role="status" className="warning">
        {isBadPhone(search.phone) ? t('users.badPhoneFilter') : ''}
      </span>
    </>
  );
}
