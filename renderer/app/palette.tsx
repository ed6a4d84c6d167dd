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
import { visibleName } from '../../shared/lib/visible-name.ts';
import { catalogue, showChord } from '../commands/command-registry.ts';
import { settingsByPart } from '../features/settings/strings.ts';
import { useCommand, usePreference, useServices } from '../stores/services.ts';
import fields from '../ui/fields.module.css';
import overlay from '../ui/overlay.module.css';
import {
  useFoundItems,
  useFoundPeriods,
  useFoundUsers,
  type Find,
  type PaletteItem,
} from './palette-finds.ts';

/** Finds available commands and places to go by part of their name. */
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
          {/* Otherwise Escape would only clear the field */}
          <div onKeyDownCapture={({ key }) => (key === 'Escape' ? setOpen(false) : undefined)}>
            <PaletteList close={() => setOpen(false)} />
          </div>
        </AriaDialog>
      </Modal>
    </ModalOverlay>
  );
}

function PaletteList({ close }: { readonly close: () => void }): ReactNode {
  const { t } = useTranslation();
  const { contains } = useFilter({ sensitivity: 'base' });
  const [text, setText] = useState('');
  const wanted = useDeferredValue(text.trim());
  const commands = useCommandItems();
  const places = usePlaceItems();
  const finds = [useFoundItems(wanted), useFoundUsers(wanted), useFoundPeriods(wanted)];
  const found = finds.flatMap(({ items: each }) => each);
  const fits = ({ text: words }: PaletteItem): boolean => contains(words, wanted);
  const items = [...commands.filter(fits), ...(wanted === '' ? [] : places.filter(fits)), ...found];

  // One key press may reach both the field and the list
  const hasRun = useRef(false);
  function run(item: PaletteItem | undefined): void {
    if (item === undefined || hasRun.current) return;
    hasRun.current = true;
    close();
    // After the dialog has restored focus: the command may move it elsewhere
    requestAnimationFrame(() => item.run());
  }
  return (
    <Autocomplete inputValue={text} onInputChange={setText}>
      <SearchField
        aria-label={t('frame.paletteHint')}
        autoFocus
        // Enter pressed before the list has caught up with the typing
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
        renderEmptyState={() => <NothingFound finds={finds} />}
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

function NothingFound({ finds }: { readonly finds: readonly Find[] }): ReactNode {
  const { t } = useTranslation();
  const failed = finds.find(({ failure }) => failure !== undefined)?.failure;
  if (failed !== undefined) return t('frame.searchFailed', { message: failed.message });
  return t(finds.some(({ isLoading }) => isLoading) ? 'common.loading' : 'frame.noCommand');
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

/** Saved views, settings and the views of Health. */
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
