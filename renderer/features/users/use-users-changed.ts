import { useQueryClient } from '@tanstack/react-query';

/** Has the lists of users read again: the service tells nobody that something changed. */
export function useUsersChanged(): () => void {
  const queries = useQueryClient();
  return () =>
    void queries.invalidateQueries({ predicate: ({ queryKey }) => String(queryKey[0]).startsWith('users.') });
}
