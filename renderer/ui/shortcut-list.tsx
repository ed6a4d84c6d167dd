import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { catalogue } from '../commands/command-registry.ts';
import { showChord } from '../commands/chord.ts';
import { useServices } from '../stores/services.ts';
import styles from './ui.module.css';

/** Commands with their keys, by group. `withoutKeys` stands at those that have none; without it they are left out. */
export function ShortcutList({ withoutKeys }: { readonly withoutKeys?: string }): ReactNode {
  const { t } = useTranslation();
  const { isMac } = useServices();
  const shown = catalogue.filter(({ keys }) => keys.length > 0 || withoutKeys !== undefined);
  return (
    <div className={styles['shortcuts']}>
      {[...new Set(shown.map(({ group }) => group))].map((group) => (
        <section key={group} aria-label={t(`group.${group}`)}>
          <h3>{t(`group.${group}`)}</h3>
          <dl>
            {shown
              .filter((command) => command.group === group)
              .map(({ id, keys }) => (
                <div key={id}>
                  <dt>{t(`command.${id}`)}</dt>
                  <dd>
                    {keys.length === 0 ? <span className="dim">{withoutKeys}</span> : null}
                    {keys.map((key: string) => (
                      <kbd key={key}>{showChord(key, isMac)}</kbd>
                    ))}
                  </dd>
                </div>
              ))}
          </dl>
        </section>
      ))}
    </div>
  );
}
