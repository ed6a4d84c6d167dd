import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { catalogue, showChord } from '../commands/command-registry.ts';
import { useServices } from '../stores/services.ts';
import styles from './overlay.module.css';

/** Keys that work in every list; they are not commands. */
const listKeys = [
  ['next', 'J', '↓'],
  ['previous', 'K', '↑'],
  ['page', 'Page Down', 'Page Up'],
  ['ends', 'Home', 'End'],
  ['open', 'Enter', '→', '←'],
  ['mark', 'X', 'Space'],
] as const;

/**
 * Commands with their keys, by group. `withoutKeys` is shown for commands without keys; if omitted, they are left out.
 */
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
      <section aria-label={t('keys.lists')}>
        <h3>{t('keys.lists')}</h3>
        <dl>
          {listKeys.map(([words, ...keys]) => (
            <div key={words}>
              <dt>{t(`keys.${words}`)}</dt>
              <dd>
                {keys.map((key) => (
                  <kbd key={key}>{key}</kbd>
                ))}
              </dd>
            </div>
          ))}
        </dl>
      </section>
    </div>
  );
}
