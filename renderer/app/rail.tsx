import { Link, useNavigate } from '@tanstack/react-router';
import { Activity, CalendarClock, MessageSquare, Settings, Upload, Users } from 'lucide-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useCommand } from '../commands/use-command.ts';
import { formatCount } from '../format/numbers.ts';
import { useRead } from '../queries/use-call.ts';
import { useLocale } from '../stores/services.ts';
import styles from './app.module.css';

const screens = [
  { id: 'uploads', icon: Upload },
  { id: 'periods', icon: CalendarClock },
  { id: 'compose', icon: MessageSquare },
  { id: 'users', icon: Users },
  { id: 'settings', icon: Settings },
  { id: 'health', icon: Activity },
] as const;

/** The six screens; a badge is for failures only. */
export function Rail(): ReactNode {
  const { t } = useTranslation();
  const { data } = useRead('health.get', {});
  const failed = data?.queue.failed ?? 0;
  return (
    <nav aria-label={t('frame.screens')} className={styles['rail']}>
      {screens.map(({ id, icon }) => (
        <RailLink key={id} id={id} icon={icon} failed={id === 'uploads' ? failed : 0} />
      ))}
    </nav>
  );
}

function RailLink({
  id,
  icon: Icon,
  failed,
}: {
  readonly id: (typeof screens)[number]['id'];
  readonly icon: typeof Upload;
  readonly failed: number;
}): ReactNode {
  const { t } = useTranslation();
  const locale = useLocale();
  const navigate = useNavigate();
  useCommand(`go.${id}`, () => void navigate({ to: `/${id}` }));
  return (
    <Link
      to={`/${id}`}
      preload="intent"
      className={styles['link'] ?? ''}
      activeProps={{ 'aria-current': 'page' }}
    >
      <Icon size={20} aria-hidden />
      <span>{t(`screen.${id}`)}</span>
      {failed === 0 ? null : (
        <span className={styles['badge']} data-badge>
          <span aria-hidden>✕ {formatCount(failed, locale)}</span>
          <span className="visually-hidden">{t('frame.failuresBadge', { count: failed })}</span>
        </span>
      )}
    </Link>
  );
}
