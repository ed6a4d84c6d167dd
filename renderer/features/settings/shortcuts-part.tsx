import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { catalogue, type CommandGroup } from '../../commands/catalogue.ts';
import { showChord } from '../../commands/chord.ts';
import { useServices } from '../../stores/services.ts';
import styles from './settings.module.css';

const groups: readonly CommandGroup[] = [...new Set(catalogue.map(({ group }) => group))];

/** Every command with its keys. Those without are found in the palette. */
export function ShortcutsPart(): ReactNode {
  const { t } = useTranslation();
  const { isMac } = useServices();
  return (
    <>
      <p className="dim">{t('settings.shortcutsHelp', { palette: showChord('Mod+K', isMac) })}</p>
      <div className={styles['shortcuts']}>
        {groups.map((group) => (
          <section key={group} aria-label={t(`group.${group}`)}>
            <h3>{t(`group.${group}`)}</h3>
            <dl>
              {catalogue
                .filter((command) => command.group === group)
                .map(({ id, keys }) => (
                  <div key={id}>
                    <dt>{t(`command.${id}`)}</dt>
                    <dd>
                      {keys.length === 0 ? (
                        <span className="dim">{t('settings.inPalette')}</span>
                      ) : (
                        keys.map((key: string) => <kbd key={key}>{showChord(key, isMac)}</kbd>)
                      )}
                    </dd>
                  </div>
                ))}
            </dl>
          </section>
        ))}
      </div>
    </>
  );
}
