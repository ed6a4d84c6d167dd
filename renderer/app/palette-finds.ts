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

/** A line of the palette: its label, a note, and its action. */
export interface PaletteItem {
  readonly id: string;
  readonly text: string;
  /** Keys of a command, or the kind of item. */
  readonly note: string | undefined;
  readonly isKey: boolean;
  readonly run: () => void;
}

/** Shorter searches match nearly everything. */
const LEAST_LETTERS = 2;
const MOST_FOUND = 12;
/** Limit for users, periods and cameras each. */
const MOST_OF_OTHERS = 6;

/** The matches in one list, as far as it has been read. */
export interface Find {
  readonly items: readonly PaletteItem[];
  readonly isLoading: boolean;
  readonly failure: Failure | undefined;
}

/** The matches for `wanted`; previous matches stay until the new ones arrive. */
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

/** The search parameters that the screen was left with, so that chosen form fields and filters are kept. */
function useKeptPlace(screen: string): Record<string, unknown> {
  return readPlace(usePreference(({ places }) => places[screen]));
}

/** Incidents and clips of the queue, by title, folder, file, camera or ID, and matching cameras. */
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

/** Cameras of the found rows whose names match; each leads to everything it recorded. */
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

/** Users by part of their name, number or device. */
export function useFoundUsers(wanted: string): Find {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const locale = useLocale();
  const place = useKeptPlace('users');
  const read = useTeam(wanted.length >= LEAST_LETTERS);
  return findIn(read, wanted, ({ users }) => {
    const wish = usersSearchSchema.parse({ search: wanted, inactive: true });
    // Only by what the line shows: all email addresses may share one domain
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

/** Periods by name; the chosen form fields are kept. */
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
