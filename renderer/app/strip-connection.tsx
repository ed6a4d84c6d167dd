import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { FailureCode } from '../../shared/domain/failure.ts';
import type { Health } from '../../shared/domain/health.ts';
import { needsPerson } from '../../shared/domain/needs-person.ts';
import { formatClock, zoneName } from '../format/times.ts';
import { useRead } from '../queries/use-call.ts';
import { useLink, useLocale, usePreference } from '../stores/services.ts';

/** Nobody answers; all else was refused by someone who does. */
const unreachable: ReadonlySet<FailureCode> = new Set(['NETWORK', 'API_TIMEOUT']);

/** Is it getting out; when not, since when and why, and where that is mended. */
export function Connection({ health }: { readonly health: Health | undefined }): ReactNode {
  const link = useLink();
  const lacking = useLacking();
  const isThere = link.kind === 'open' && health !== undefined;
  if (isThere && lacking !== undefined) return <Lacking {...lacking} waiting={health.queue.waiting} />;
  return <Line health={health} />;
}

/** What nothing can be sent without, and where it is given. */
interface LackingWords {
  readonly said: string;
  readonly mend: string;
}

/** Undefined when nothing is lacking, or that is not known yet. */
function useLacking(): LackingWords | undefined {
  const { t } = useTranslation();
  const { data: view } = useRead('settings.get', {});
  const { data: key } = useRead('settings.key', {});
  if (view === undefined) return undefined;
  if (view.settings.baseUrl === undefined)
    return { said: t('frame.noService'), mend: t('frame.giveService') };
  if (key === undefined || key.isSet) return undefined;
  if (key.failure === undefined) return { said: t('frame.noKey'), mend: t('frame.giveKey') };
  return { said: `\u2068${key.failure.message}\u2069`, mend: t('frame.mendKey') };
}

/** Whether the service can be reached is no question as long as there is none, or no key for it. */
function Lacking({ said, mend, waiting }: LackingWords & { readonly waiting: number }): ReactNode {
  const { t } = useTranslation();
  const safe = waiting === 0 ? '' : ` · ${t('frame.safeTillMended', { count: waiting })}`;
  return (
    <span>
      <span role="status">{`${waiting === 0 ? '○' : '!'} ${said}${safe}`}</span>
      {' · '}
      <Link to="/settings" search={{ part: 'connection' }}>
        {mend}
      </Link>
    </span>
  );
}

function Line({ health }: { readonly health: Health | undefined }): ReactNode {
  const { t } = useTranslation();
  const link = useLink();
  const locale = useLocale();
  const times = usePreference((preferences) => preferences.times);
  const clock = (timeMs: number): string =>
    `${formatClock(timeMs, times, locale)} ${zoneName(timeMs, times, locale)}`;
  const text = ((): string => {
    if (link.kind === 'refused') return `✕ ${t('frame.sessionRefused')}`;
    if (link.kind === 'lost') return `✕ ${t('frame.agentLost', { time: clock(link.sinceMs) })}`;
    if (link.kind === 'connecting' || health === undefined) return `○ ${t('frame.connecting')}`;
    const [closed] = health.closedLanes;
    if (closed !== undefined) {
      const since = clock(Date.parse(closed.since));
      const said = unreachable.has(closed.failure.code) ? 'frame.offline' : 'frame.held';
      const waits = needsPerson.has(closed.failure.code) ? 'frame.safeTillMended' : 'frame.safe';
      const safe = t(waits, { count: health.queue.waiting });
      return `! ${t(said, { time: since })} · ${safe} · \u2068${closed.failure.message}\u2069`;
    }
    const latency = link.latencyMs === undefined ? undefined : Math.max(1, Math.round(link.latencyMs));
    return `● ${latency === undefined ? t('frame.online') : t('frame.onlineLatency', { latency })}`;
  })();
  // Announced only when its words change, and latency is no news
  return (
    <span
      role="status"
      aria-live={link.kind === 'open' && health?.closedLanes.length === 0 ? 'off' : 'polite'}
    >
      {text}
    </span>
  );
}
