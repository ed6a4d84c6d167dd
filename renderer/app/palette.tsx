import { useNavigate } from '@tanstack/react-router';
import { useDeferredValue, useRef, useState, type ReactNode } from 'react';
import {
  Autocomplete,
  Dialog as AriaDialog,
  Input,
  Menu,
  MenuItem,
  Modal,
  ModalOverlay,
  SearchField,
  useFilter,
} from 'react-aria-components';
import { useTranslation } from 'react-i18next';
import { useStore } from 'zustand';
import { userName } from '../../shared/domain/team-user.ts';
import type { OutlineRow } from '../../shared/domain/upload-outline.ts';
import { visibleName } from '../../shared/lib/visible-name.ts';
import { catalogue, showChord } from '../commands/command-registry.ts';
import { settingsByPart } from '../features/settings/strings.ts';
import { selectUsers, usersSearchSchema } from '../features/users/users-search.ts';
import { useRead, useTeam } from '../queries/use-call.ts';
import { readPlace } from '../stores/preferences.ts';
import { useCommand, useLocale, usePreference, useServices } from '../stores/services.ts';
import fields from '../ui/fields.module.css';
import overlay from '../ui/overlay.module.css';

/** Every command that can be given now, and what can be gone to, by typing a part of its words. */
export function CommandPalette(): ReactNode {
  const { t } = useTranslation();
  const [isOpen, setOpen] = useState(false);
  useCommand('app.palette', () => setOpen(true));
  return (
    <ModalOverlay
      isOpen={isOpen}
      onOpenChange={setOpen}
      isDismissable
      className={overlay['shade'] ?? ''}
      data-top
    >
      <Modal className={overlay['modal'] ?? ''}>
        <AriaDialog aria-label={t('frame.palette')} className={overlay['dialog'] ?? ''}>
          {/* The field would only empty itself */}
          <div onKeyDownCapture={({ key }) => (key === 'Escape' ? setOpen(false) : undefined)}>
            <PaletteList close={() => setOpen(false)} />
          </div>
        </AriaDialog>
      </Modal>
    </ModalOverlay>
  );
}

/** One line: its words, what it is, and what it does. */
interface PaletteItem {
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

function PaletteList({ close }: { readonly close: () => void }): ReactNode {
  const { t } = useTranslation();
  const { contains } = useFilter({ sensitivity: 'base' });
  const [text, setText] = useState('');
  const wanted = useDeferredValue(text.trim());
  const commands = useCommandItems();
  const places = usePlaceItems();
  const found = [...useFoundItems(wanted), ...useFoundUsers(wanted), ...useFoundPeriods(wanted)];
  const fits = ({ text: words }: PaletteItem): boolean => contains(words, wanted);
  const items = [...commands.filter(fits), ...(wanted === '' ? [] : places.filter(fits)), ...found];

  // One key may reach both the field and the list
  const hasRun = useRef(false);
  function run(item: PaletteItem | undefined): void {
    if (item === undefined || hasRun.current) return;
    hasRun.current = true;
    close();
    // After the dialog gave the focus back: a command may want it elsewhere
    requestAnimationFrame(() => item.run());
  }
  return (
    <Autocomplete inputValue={text} onInputChange={setText}>
      <SearchField
        aria-label={t('frame.paletteHint')}
        autoFocus
        // Enter that comes before the list has followed the typing
        onSubmit={(typed) => {
          const wish = typed.trim();
          if (wish !== '') run(commands.find(({ text: words }) => contains(words, wish)));
        }}
      >
        <Input placeholder={t('frame.paletteHint')} className={fields['input'] ?? ''} />
      </SearchField>
      <Menu
        aria-label={t('frame.palette')}
        className={overlay['list'] ?? ''}
        onAction={(key) => run(items.find(({ id }) => id === key))}
        renderEmptyState={() => t('frame.noCommand')}
      >
        {items.map(({ id, text: words, note, isKey }) => (
          <MenuItem key={id} id={id} textValue={words} className={overlay['item'] ?? ''}>
            <bdi className={overlay['words']}>{words}</bdi>
            {note === undefined ? null : isKey ? <kbd>{note}</kbd> : <span className="dim">{note}</span>}
          </MenuItem>
        ))}
      </Menu>
    </Autocomplete>
  );
}

function useCommandItems(): readonly PaletteItem[] {
  const { t } = useTranslation();
  const { commands, isMac } = useServices();
  const { handlers } = useStore(commands);
  const enabled = new Set(handlers.filter(({ isEnabled }) => isEnabled).map(({ id }) => id));
  return catalogue
    .filter(({ id }) => enabled.has(id) && id !== 'app.palette')
    .map(({ id, keys: [key] }) => ({
      id,
      text: t(`command.${id}`),
      note: key === undefined ? undefined : showChord(key, isMac),
      isKey: true,
      run: () => void commands.run(id),
    }));
}

const healthViews = ['activity', 'audit', 'log'] as const;

/** Where the screen was left, with what is to be another: form fields and filters stay. */
function useKeptPlace(screen: string): Record<string, unknown> {
  return readPlace(usePreference(({ places }) => places[screen]));
}

/** Saved views, the settings, and what Health tells. */
function usePlaceItems(): readonly PaletteItem[] {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const views = usePreference((preferences) => preferences.views);
  return [
    ...views.map(({ name, search }) => ({
      id: `view:${name}`,
      text: visibleName(name),
      note: t('frame.foundView'),
      isKey: false,
      run: () => void navigate({ to: '/uploads', search }),
    })),
    ...Object.entries(settingsByPart).flatMap(([part, fields]) => {
      const common = { isKey: false, run: () => void navigate({ to: '/settings', search: { part } }) };
      const name = t(`settings.part.${part}`);
      const note = t('screen.settings');
      return [
        { id: `settings:${part}`, text: name, note, ...common },
        ...fields.map((field) => ({
          id: `settings:${part}.${field}`,
          text: t(`settings.${field}`),
          note: `${note} · ${name}`,
          ...common,
        })),
      ];
    }),
    ...healthViews.map((view) => ({
      id: `health:${view}`,
      text: t(`health.view.${view}`),
      note: t('screen.health'),
      isKey: false,
      run: () => void navigate({ to: '/health', search: { view } }),
    })),
  ];
}

/** Incidents, clips and cameras of the queue, by title, folder, file, camera or id. */
function useFoundItems(wanted: string): readonly PaletteItem[] {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const cameras = useCameraItems();
  const isEnabled = wanted.length >= LEAST_LETTERS;
  const query = { search: wanted, isOpen: true, limit: MOST_FOUND };
  const { data } = useRead('uploads.list', query, { isEnabled });
  if (!isEnabled || data === undefined) return [];
  const rows = data.rows.map((row: OutlineRow): PaletteItem => {
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
  });
  return [...cameras(data.rows, wanted), ...rows];
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
function useFoundUsers(wanted: string): readonly PaletteItem[] {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const locale = useLocale();
  const place = useKeptPlace('users');
  const isEnabled = wanted.length >= LEAST_LETTERS;
  const { data } = useTeam(isEnabled);
  const wish = usersSearchSchema.parse({ search: wanted, inactive: true });
  // By what stands in the line: all addresses may have one domain
  const named = data?.users.map(({ email: _email, role: _role, ...user }) => user) ?? [];
  if (!isEnabled || data === undefined) return [];
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
}

/** Periods by name; the form fields that were chosen stay. */
function useFoundPeriods(wanted: string): readonly PaletteItem[] {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const { contains } = useFilter({ sensitivity: 'base' });
  const place = useKeptPlace('periods');
  const isEnabled = wanted.length >= LEAST_LETTERS;
  const { data } = useRead('periods.list', { range: {} }, { isEnabled });
  if (!isEnabled || data === undefined) return [];
  return data.periods
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
    }));
}
