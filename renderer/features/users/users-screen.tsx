import { Download } from 'lucide-react';
import { useEffect, useMemo, useRef, useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { Failure } from '../../../shared/domain/failure.ts';
import {
  MAX_USERS_PER_PAGE,
  type TeamUser,
  type UserFilter,
  type UserPage,
} from '../../../shared/domain/team-user.ts';
import { err, ok, type Result } from '../../../shared/lib/result.ts';
import { useCaller } from '../../queries/use-call.ts';
import { useScreenSearch } from '../../stores/screen-search.ts';
import { useCommand, useServices } from '../../stores/services.ts';
import { Button } from '../../ui/button.tsx';
import { useSaveCsv } from '../../ui/save-file.ts';
import { SearchBox, TextField, ToggleField } from '../../ui/fields.tsx';
import { Screen } from '../../ui/screen.tsx';
import { CreateUser } from './create-user.tsx';
import { ImportUsers } from './import/import-users.tsx';
import { UserInspector } from './user-inspector.tsx';
import { UserList } from './user-list.tsx';
import { userTable } from './user-words.ts';
import {
  filterOf,
  isBadPhone,
  usersSearchSchema,
  type ChangeUsers,
  type UsersSearch,
} from './users-search.ts';
import styles from './users.module.css';

/** The users of the team, page by page as the service gives them. */
export function UsersScreen(): ReactNode {
  const { t } = useTranslation();
  const [search, change] = useScreenSearch(usersSearchSchema);
  const phone = useDebounced(search.phone);
  const device = useDebounced(search.device);
  const { inactive } = search;
  const filter = useMemo(() => filterOf({ phone, device, inactive }), [phone, device, inactive]);
  return (
    <Screen
      title={t('users.title')}
      filters={<UserFilters search={search} change={change} />}
      actions={
        <>
          <ImportUsers />
          <ExportUsers filter={filter} />
          <CreateUser />
        </>
      }
      inspector={<UserInspector userId={search.user} onDeleted={() => change({ user: undefined })} />}
      inspectorLabel={t('users.inspector')}
    >
      <UserList filter={filter} search={search} change={change} />
    </Screen>
  );
}

/** Saves all users that fit the filter, from all pages. */
function ExportUsers({ filter }: { readonly filter: UserFilter }): ReactNode {
  const { t } = useTranslation();
  const { notices } = useServices();
  const saveCsv = useSaveCsv();
  const { progress, readAll } = useExport();
  const save = async (): Promise<void> => {
    const users = await readAll(filter);
    if (users === undefined) return;
    if (!users.ok) return notices.failed(users.error);
    const saved = await saveCsv((day) => `users-${day}.csv`, userTable(users.value, t));
    if (saved === 'left') return;
    notices.show({ level: 'info', text: t('users.exported', { count: users.value.length }) });
  };
  useCommand('users.export', () => void save(), progress === undefined);
  return (
    <Button icon={Download} isDisabled={progress !== undefined} onPress={() => void save()}>
      {progress === undefined ? t('users.export') : t('users.exporting', progress)}
    </Button>
  );
}

/** Which page of how many is being read; undefined when none is. */
type ExportProgress = { readonly page: number; readonly pages: number } | undefined;

/** Reads all users that fit a filter. Who leaves the screen ends the reading: then nothing comes back. */
function useExport(): {
  readonly progress: ExportProgress;
  readonly readAll: (filter: UserFilter) => Promise<Result<readonly TeamUser[], Failure> | undefined>;
} {
  const { call } = useCaller();
  const [progress, setProgress] = useState<ExportProgress>();
  const isGone = useRef(false);
  useEffect(() => {
    isGone.current = false;
    return () => {
      isGone.current = true;
    };
  }, []);
  async function readAll(filter: UserFilter): Promise<Result<readonly TeamUser[], Failure> | undefined> {
    const users = new Map<string, TeamUser>();
    setProgress({ page: 1, pages: 1 });
    for (let page = 1; ; page += 1) {
      // Each page says how many there are
      const answer = await call('users.list', { filter, page, perPage: MAX_USERS_PER_PAGE });
      if (isGone.current) return undefined;
      if (!answer.ok) return end(err(answer.error));
      // Users who come or go meanwhile move the pages: nobody stands in the file twice
      for (const user of answer.value.users) users.set(String(user.id), user);
      if (isLast(answer.value, page)) return end(ok([...users.values()]));
      setProgress({ page: page + 1, pages: answer.value.totalPages });
    }
  }
  function end<Answer>(answer: Answer): Answer {
    setProgress(undefined);
    return answer;
  }
  return { progress, readAll };
}

function isLast({ totalPages, users }: UserPage, page: number): boolean {
  return page >= totalPages || users.length === 0;
}

/** Which users are listed: number, device, and those without access too. */
function UserFilters({
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

/** So long nothing more was typed, milliseconds: each question to the service counts against its limits. */
const DEBOUNCE_MS = 300;

/** A text that is being typed, as it was when the typing last paused. */
function useDebounced(text: string): string {
  const [debounced, setDebounced] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setDebounced(text), DEBOUNCE_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return debounced;
}
