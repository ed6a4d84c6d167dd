import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { policyOf } from '../../shared/domain/failure-policy.ts';
import type { Health } from '../../shared/domain/health.ts';
import { formatClock, zoneName } from '../format/times.ts';
import { useRead } from '../queries/use-call.ts';
import { useLink, useLocale, usePreference } from '../stores/services.ts';

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
    const [paused] = health.pausedCircuits;
    if (paused !== undefined) {
      const since = clock(Date.parse(paused.since));
      const { answer, mends } = policyOf(paused.failure.code);
      const said = answer === 'none' ? 'frame.offline' : 'frame.held';
      const waits = mends === 'person' ? 'frame.safeTillMended' : 'frame.safe';
      const safe = t(waits, { count: health.queue.waiting });
      return `! ${t(said, { time: since })} · ${safe} · \u2068${paused.failure.message}\u2069`;
    }
    const latency = link.latencyMs === undefined ? undefined : Math.max(1, Math.round(link.latencyMs));
    return `● ${latency === undefined ? t('frame.online') : t('frame.onlineLatency', { latency })}`;
  })();
  // Announced only when its words change, and latency is no news
  return (
    <span
      role="status"
      aria-live={link.kind === 'open' && health?.pausedCircuits.length === 0 ? 'off' : 'polite'}
    >
      {text}
    </span>
  );
}
