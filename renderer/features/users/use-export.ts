import { useEffect, useRef, useState } from 'react';
import type { Failure } from '../../../shared/domain/failure.ts';
import {
  MAX_USERS_PER_PAGE,
  type TeamUser,
  type UserFilter,
  type UserPage,
} from '../../../shared/domain/team-user.ts';
import { err, ok, type Result } from '../../../shared/lib/result.ts';
import { useAttempt } from './use-attempt.ts';

/** Which page of how many is being read; undefined when none is. */
export type ExportProgress = { readonly page: number; readonly pages: number } | undefined;

/** Reads all users that fit a filter. Who leaves the screen ends the reading: then nothing comes back. */
export function useExport(): {
  readonly progress: ExportProgress;
  readonly readAll: (filter: UserFilter) => Promise<Result<readonly TeamUser[], Failure> | undefined>;
} {
  const attempt = useAttempt();
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
      // How many pages there are is told with each page
      const answer = await attempt('users.list', { filter, page, perPage: MAX_USERS_PER_PAGE });
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
