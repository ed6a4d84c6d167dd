import type { UseQueryResult } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useFilter } from 'react-aria-components';
import { useTranslation } from 'react-i18next';
import type { Failure, FailureError } from '../../shared/domain/failure.ts';
import { userName } from '../../shared/domain/team-user.ts';
import type { OutlineRow } from '../../shared/domain/upload-outline.ts';
import { visibleName } from '../../shared/lib/visible-name.ts';
import { selectUsers, usersSearchSchema } from '../features/users/users-search.ts';
import { useRead, useTeam } from '../queries/use-call.ts';
import { readPlace } from '../stores/preferences.ts';
import { useLocale, usePreference } from '../stores/services.ts';

/** One line: its words, what it is, and what it does. */
export interface PaletteItem {
  readonly id: string;
  readonly text: string;
  /** Keys of a command, or the kind of thing that is gone to. */
  readonly note: string | undefined;
  readonly isKey: boolean;
  readonly run: () => void;
}

/** Fewer letters find everything and nothing. */
const LEAST_LETTERS = 2;
const MOST_FOUND = 12;
/** Users, and periods, that are named beside them. */
const MOST_OF_OTHERS = 6;

/** What a list has of what is looked for, as far as it was read. */
export interface Find {
  readonly items: readonly PaletteItem[];
  readonly isLoading: boolean;
  readonly failure: Failure | undefined;
}

/** What was read for `wanted`; the answer to what was typed before stays until there is another. */
function findIn<Data>(
  {
    data,
    error,
    isPlaceholderData,
  }: Pick<UseQueryResult<Data, FailureError>, 'data' | 'error' | 'isPlaceholderData'>,
  wanted: string,
  itemsOf: (data: Data) => readonly PaletteItem[],
): Find {
  if (wanted.length < LEAST_LETTERS) return { items: [], isLoading: false, failure: undefined };
  return {
    items: data === undefined ? [] : itemsOf(data),
    isLoading: error === null && (data === undefined || isPlaceholderData),
    failure: error?.failure,
  };
}

/** Where the screen was left, with what is to be another: form fields and filters stay. */
function useKeptPlace(screen: string): Record<string, unknown> {
  return readPlace(usePreference(({ places }) => places[screen]));
}

/** Incidents, clips and cameras of the queue, by title, folder, file, camera or id. */
export function useFoundItems(wanted: string): Find {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const cameras = useCameraItems();
  const isEnabled = wanted.length >= LEAST_LETTERS;
  const query = { search: wanted, isOpen: true, limit: MOST_FOUND };
  const read = useRead('uploads.list', query, { isEnabled });
  const itemOf = (row: OutlineRow): PaletteItem => {
    switch (row.kind) {
      case 'export':
        return {
          id: `export:${row.seen.id}`,
          text: visibleName(row.seen.name),
          note: t('frame.foundExport'),
          isKey: false,
          run: () => void navigate({ to: '/uploads', search: { export: row.seen.id } }),
        };
      case 'incident':
        return {
          id: `incident:${row.incident.id}`,
          text: visibleName(row.incident.title),
          note: t('frame.foundIncident'),
          isKey: false,
          run: () => void navigate({ to: '/uploads', search: { incident: row.incident.id } }),
        };
      case 'clip':
        return {
          id: `clip:${row.clip.id}`,
          text: visibleName(
            [row.clip.file, row.clip.camera].filter((part) => part !== undefined).join(' · '),
          ),
          note: visibleName(row.incidentTitle),
          isKey: false,
          run: () =>
            void navigate({
              to: '/uploads',
              search: { clip: row.clip.id, incident: row.clip.incidentId, turned: [row.clip.incidentId] },
            }),
        };
    }
  };
  return findIn(read, wanted, ({ rows }) => [...cameras(rows, wanted), ...rows.map(itemOf)]);
}

/** The cameras among rows that were found by their name: all that one recorded. */
function useCameraItems(): (rows: readonly OutlineRow[], wanted: string) => readonly PaletteItem[] {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const { contains } = useFilter({ sensitivity: 'base' });
  return (rows, wanted) => {
    const seen = rows.flatMap((row) => (row.kind === 'clip' ? (row.clip.camera ?? []) : []));
    const named = [...new Set(seen)].filter((camera) => contains(camera, wanted));
    return named.slice(0, MOST_OF_OTHERS).map((camera) => ({
      id: `camera:${camera}`,
      text: visibleName(camera),
      note: t('uploads.camera'),
      isKey: false,
      run: () => void navigate({ to: '/uploads', search: { search: camera } }),
    }));
  };
}

/** Users by a part of name, number, device, email or role. */
export function useFoundUsers(wanted: string): Find {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const locale = useLocale();
  const place = useKeptPlace('users');
  const read = useTeam(wanted.length >= LEAST_LETTERS);
  return findIn(read, wanted, ({ users }) => {
    const wish = usersSearchSchema.parse({ search: wanted, inactive: true });
    // By what stands in the line: all addresses may have one domain
    const named = users.map(({ email: _email, role: _role, ...user }) => user);
    return selectUsers(named, wish, t, locale)
      .slice(0, MOST_OF_OTHERS)
      .map((user) => ({
        id: `user:${JSON.stringify(user.id)}`,
        text: visibleName([userName(user), user.phoneNumber || user.deviceId].filter(Boolean).join(' · ')),
        note: t('users.inspector'),
        isKey: false,
        run: () =>
          void navigate({ to: '/users', search: { ...place, search: '', inactive: true, user: user.id } }),
      }));
  });
}

/** Periods by name; the form fields that were chosen stay. */
export function useFoundPeriods(wanted: string): Find {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const { contains } = useFilter({ sensitivity: 'base' });
  const place = useKeptPlace('periods');
  const isEnabled = wanted.length >= LEAST_LETTERS;
  const read = useRead('periods.list', { range: {} }, { isEnabled });
  return findIn(read, wanted, ({ periods }) =>
    periods
      .filter(({ name = '' }) => contains(name, wanted))
      .slice(0, MOST_OF_OTHERS)
      .map(({ id, name = '' }) => ({
        id: `period:${JSON.stringify(id)}`,
        text: visibleName(name),
        note: t('periods.period'),
        isKey: false,
        run: () =>
          void navigate({
            to: '/periods',
            search: { ...place, from: undefined, to: undefined, period: id, action: undefined },
          }),
      })),
  );
}
