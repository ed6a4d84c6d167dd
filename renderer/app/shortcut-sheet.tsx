import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { catalogue, type CommandGroup } from '../commands/catalogue.ts';
import { showChord } from '../commands/chord.ts';
import { useCommand } from '../commands/use-command.ts';
import { useServices } from '../stores/services.ts';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import styles from './app.module.css';

const withKeys = catalogue.filter(({ keys }) => keys.length > 0);
const groups: readonly CommandGroup[] = [...new Set(withKeys.map(({ group }) => group))];

/** What the keys do. */
export function ShortcutSheet(): ReactNode {
  const { t } = useTranslation();
  const { isMac } = useServices();
  const [isOpen, setOpen] = useState(false);
  useCommand('app.shortcuts', () => setOpen(true));
  return (
    <Dialog
      title={t('frame.shortcuts')}
      isOpen={isOpen}
      onClose={() => setOpen(false)}
      isWide
      actions={<Button onPress={() => setOpen(false)}>{t('common.close')}</Button>}
    >
      <div className={styles['sheet']}>
        {groups.map((group) => (
          <section key={group} aria-label={t(`group.${group}`)}>
            <h3>{t(`group.${group}`)}</h3>
            <dl>
              {withKeys
                .filter((command) => command.group === group)
                .map(({ id, keys: [key] }) => (
                  <div key={id}>
                    <dt>{t(`command.${id}`)}</dt>
                    <dd>
                      <kbd>{showChord(key ?? '', isMac)}</kbd>
                    </dd>
                  </div>
                ))}
            </dl>
          </section>
        ))}
      </div>
    </Dialog>
  );
}
