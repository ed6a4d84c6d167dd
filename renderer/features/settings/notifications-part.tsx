import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useServices } from '../../stores/services.ts';
import { SelectField } from '../../ui/select-field.tsx';
import { ToggleField } from '../../ui/toggle-field.tsx';
import { keepChoice, readChoice, type NotificationChoice } from './notification-choice.ts';

const levels = ['all', 'problems', 'none'] as const;

/** Which news come up at this desk. */
export function NotificationsPart(): ReactNode {
  const { t } = useTranslation();
  const isDesktop = useServices().bridge.desktop !== undefined;
  const [choice, setChoice] = useState(() => readChoice(localStorage));
  const [trouble, setTrouble] = useState<string>();
  const change = (fields: Partial<NotificationChoice>): void => {
    const next = { ...choice, ...fields };
    setChoice(next);
    setTrouble(keepChoice(localStorage, next) ? undefined : t('settings.notKept'));
  };
  const askDesktop = async (isWanted: boolean): Promise<void> => {
    const answer = isWanted ? await Notification.requestPermission() : 'granted';
    if (answer === 'granted') change({ desktop: isWanted });
    else setTrouble(t('settings.desktopRefused'));
  };
  return (
    <>
      <p className="dim">{t(isDesktop ? 'settings.notificationsOfWindow' : 'settings.notificationsHelp')}</p>
      <div className="stack">
        <SelectField
          label={t('settings.toasts')}
          description={t('settings.toastsHelp')}
          value={choice.toasts}
          choices={levels.map((id) => ({ id, label: t(`settings.toastLevels.${id}`) }))}
          onChange={(toasts) => change({ toasts })}
        />
        {isDesktop ? null : (
          <ToggleField
            label={t('settings.desktop')}
            value={choice.desktop}
            onChange={(isWanted) => void askDesktop(isWanted)}
            isDisabled={!('Notification' in globalThis)}
          />
        )}
        <p role="status" className="warning">
          {trouble}
        </p>
      </div>
    </>
  );
}
