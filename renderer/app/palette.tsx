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
import type { OutlineRow } from '../../shared/domain/upload-outline.ts';
import { visibleName } from '../../shared/lib/visible-name.ts';
import { catalogue } from '../commands/command-registry.ts';
import { showChord } from '../commands/chord.ts';
import { useRead } from '../queries/use-call.ts';
import { useCommand, usePreference, useServices } from '../stores/services.ts';
import fields from '../ui/fields.module.css';
import overlay from '../ui/overlay.module.css';

/** Every command that can be given now, and what can be gone to, by typing a part of its words. */
export function CommandPalette(): ReactNode {
  const { t } = useTranslation();
  const [isOpen, setOpen] = useState(false);
  useCommand('app.palette', () => setOpen(true));
  return (
    <ModalOverlay isOpen={isOpen} onOpenChange={setOpen} isDismissable className={overlay['shade'] ?? ''}>
      <Modal className={overlay['modal'] ?? ''}>
        <AriaDialog aria-label={t('frame.palette')} className={overlay['dialog'] ?? ''}>
          <PaletteList close={() => setOpen(false)} />
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

function PaletteList({ close }: { readonly close: () => void }): ReactNode {
  const { t } = useTranslation();
  const { contains } = useFilter({ sensitivity: 'base' });
  const [text, setText] = useState('');
  const wanted = useDeferredValue(text.trim());
  const commands = useCommandItems();
  const places = usePlaceItems();
  const found = useFoundItems(wanted);
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

const settingsParts = ['connection', 'folders', 'uploads', 'service', 'display', 'notifications'] as const;

/** Saved views, the parts of the settings, and the log. */
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
    ...settingsParts.map((part) => ({
      id: `settings:${part}`,
      text: t(`settings.part.${part}`),
      note: t('screen.settings'),
      isKey: false,
      run: () => void navigate({ to: '/settings', search: { part } }),
    })),
    {
      id: 'log',
      text: t('frame.foundLog'),
      note: t('screen.health'),
      isKey: false,
      run: () => void navigate({ to: '/health' }),
    },
  ];
}

/** Incidents and clips of the queue, by title, folder, file, camera or id. */
function useFoundItems(wanted: string): readonly PaletteItem[] {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const isEnabled = wanted.length >= LEAST_LETTERS;
  const query = { search: wanted, isOpen: true, limit: MOST_FOUND };
  const { data } = useRead('uploads.list', query, { isEnabled });
  if (!isEnabled || data === undefined) return [];
  return data.rows.map((row: OutlineRow): PaletteItem => {
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
}
