import { useState, type ReactNode } from 'react';
import {
  Autocomplete,
  Dialog,
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
import { catalogue } from '../commands/catalogue.ts';
import { showChord } from '../commands/chord.ts';
import { useCommand, useServices } from '../stores/services.ts';
import fields from '../ui/fields.module.css';
import overlay from '../ui/overlay.module.css';

/** Every command that can be given now, by typing a part of its words. */
export function CommandPalette(): ReactNode {
  const { t } = useTranslation();
  const [isOpen, setOpen] = useState(false);
  useCommand('app.palette', () => setOpen(true));
  return (
    <ModalOverlay isOpen={isOpen} onOpenChange={setOpen} isDismissable className={overlay['shade'] ?? ''}>
      <Modal className={overlay['modal'] ?? ''}>
        <Dialog aria-label={t('frame.palette')} className={overlay['dialog'] ?? ''}>
          <PaletteList close={() => setOpen(false)} />
        </Dialog>
      </Modal>
    </ModalOverlay>
  );
}

function PaletteList({ close }: { readonly close: () => void }): ReactNode {
  const { t } = useTranslation();
  const { commands, isMac } = useServices();
  const { contains } = useFilter({ sensitivity: 'base' });
  const { handlers } = useStore(commands);
  const enabled = new Set(handlers.filter(({ isEnabled }) => isEnabled).map(({ id }) => id));
  const items = catalogue.filter(({ id }) => enabled.has(id) && id !== 'app.palette');
  return (
    <Autocomplete filter={contains}>
      <SearchField aria-label={t('frame.paletteHint')} autoFocus>
        <Input placeholder={t('frame.paletteHint')} className={fields['input'] ?? ''} />
      </SearchField>
      <Menu
        aria-label={t('frame.palette')}
        className={overlay['list'] ?? ''}
        onAction={(key) => {
          const command = items.find(({ id }) => id === key);
          close();
          // After the dialog gave the focus back: a command may want it elsewhere
          if (command !== undefined) requestAnimationFrame(() => commands.run(command.id));
        }}
        renderEmptyState={() => t('frame.noCommand')}
      >
        {items.map(({ id, keys: [key] }) => (
          <MenuItem key={id} id={id} textValue={t(`command.${id}`)} className={overlay['item'] ?? ''}>
            {t(`command.${id}`)}
            {key === undefined ? null : <kbd>{showChord(key, isMac)}</kbd>}
          </MenuItem>
        ))}
      </Menu>
    </Autocomplete>
  );
}
