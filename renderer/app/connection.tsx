import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { Trans, useTranslation } from 'react-i18next';
import type { Failure } from '../../shared/domain/failure.ts';
import { policyOf } from '../../shared/domain/failure-policy.ts';
import type { Health } from '../../shared/domain/health.ts';
import { formatDuration } from '../../shared/lib/readable-amounts.ts';
import { formatMinute, zoneName } from '../format/format.ts';
import { useRead } from '../queries/use-call.ts';
import { useLink, useLocale, usePreference, useServices } from '../stores/services.ts';
import styles from './status-strip.module.css';

/** Whether uploads can get through and, if not, since when, why, and where to fix it. */
export function Connection({ health, failure }: HealthRead): ReactNode {
  const link = useLink();
  const missing = useMissingSetup();
  const isThere = link.kind === 'open' && health !== undefined && failure === undefined;
  if (isThere && missing !== undefined) return <SetupNeeded {...missing} health={health} />;
  return <Line health={health} failure={failure} />;
}

interface HealthRead {
  /** The last successful read. */
  readonly health: Health | undefined;
  /** Why reading has failed since then. */
  readonly failure: Failure | undefined;
}

/** A setting without which nothing can be sent, and the link to where it is entered. */
interface MissingSetup {
  readonly message: string;
  readonly action: string;
}

/** Undefined when nothing is missing or the settings have not been read yet. */
function useMissingSetup(): MissingSetup | undefined {
  const { t } = useTranslation();
  const { data: view } = useRead('settings.get', {});
  const { data: key } = useRead('settings.key', {});
  if (view === undefined) return undefined;
  if (view.settings.baseUrl === undefined)
    return { message: t('frame.noService'), action: t('frame.giveService') };
  if (key === undefined || key.isSet) return undefined;
  if (key.failure === undefined) return { message: t('frame.noKey'), action: t('frame.giveKey') };
  return { message: key.failure.message, action: t('frame.mendKey') };
}

/** Shown instead of the connection's state: without a service or a key, reachability does not matter. */
function SetupNeeded({ message, action, health }: MissingSetup & { readonly health: Health }): ReactNode {
  return (
    <StatusMessage
      what={health.queue.waiting === 0 ? '○ ' : '! '}
      why={message}
      action={
        <Link to="/settings" search={{ part: 'connection' }}>
          {action}
        </Link>
      }
      safe={{ health, words: 'frame.safeTillMended' }}
    />
  );
}

function Line({ health, failure }: HealthRead): ReactNode {
  const { t } = useTranslation();
  const link = useLink();
  if (link.kind === 'refused') return <StatusMessage what={`✕ ${t('frame.sessionRefused')}`} />;
  if (link.kind === 'limited') return <StatusMessage what={`✕ ${link.text}`} />;
  if (link.kind === 'lost')
    return <StatusMessage what={<Since glyph="✕" words="frame.agentLost" timeMs={link.sinceMs} />} />;
  if (link.kind === 'open' && failure !== undefined) return <StatusMessage what={`✕ ${failure.message}`} />;
  if (link.kind === 'connecting' || health === undefined)
    return <StatusMessage what={`○ ${t('frame.connecting')}`} />;
  const [paused] = health.pausedCircuits;
  if (paused !== undefined) {
    const { answer, recovery } = policyOf(paused.failure.code);
    const words = answer === 'none' ? 'frame.offline' : 'frame.held';
    return (
      <StatusMessage
        what={
          <>
            <Since glyph="!" words={words} timeMs={Date.parse(paused.since)} />
            {': '}
          </>
        }
        why={briefly(paused.failure.message)}
        action={<FixLink isHere={recovery === 'manual' && paused.circuit === 'service'} />}
        safe={{ health, words: recovery === 'manual' ? 'frame.safeTillMended' : 'frame.safe' }}
      />
    );
  }
  const { lastMs, slowSince, unanswered } = health.answers;
  // Nothing is waiting for the service, so nothing will notice when it recovers
  if (unanswered !== undefined)
    return (
      <StatusMessage
        what={
          <>
            <Since glyph="!" words="frame.unanswered" timeMs={Date.parse(unanswered.since)} />
            {': '}
          </>
        }
        why={briefly(unanswered.failure.message)}
        action={<FixLink isHere={false} />}
        safe={{ health, words: 'frame.safe' }}
      />
    );
  // Routine latency is not announced
  if (lastMs === undefined) return <StatusMessage what={`○ ${t('frame.unasked')}`} isQuiet />;
  const latency = Math.max(1, lastMs);
  if (slowSince === undefined) return <StatusMessage what={`● ${t('frame.online', { latency })}`} isQuiet />;
  const took = formatDuration(lastMs);
  return (
    <StatusMessage
      what={<Since glyph="!" words="frame.slow" timeMs={Date.parse(slowSince)} took={took} />}
      action={<FixLink isHere={false} />}
      safe={{ health, words: 'frame.safe' }}
      isQuiet
    />
  );
}

/**
 * What happened, why, where to fix it, and what is safe, on one line if it fits. If not, the words about what is safe
 * are shortened first, then the reason is cut; the linked page has it in full.
 */
function StatusMessage({
  what,
  why,
  action,
  safe,
  isQuiet = false,
}: {
  readonly what: ReactNode;
  readonly why?: string;
  readonly action?: ReactNode;
  /** How many clips are waiting, and until when. */
  readonly safe?: { readonly health: Health; readonly words: 'frame.safe' | 'frame.safeTillMended' };
  /** Changes are not announced to screen readers. */
  readonly isQuiet?: boolean;
}): ReactNode {
  const count = safe?.health.queue.waiting ?? 0;
  // Paused uploads do not resume automatically
  const rest = safe?.health.isPaused === true ? <Nothing /> : <Rest />;
  return (
    <span role="status" aria-live={isQuiet ? 'off' : 'polite'} className={styles['connection']}>
      <span className={styles['what']}>{what}</span>
      {why === undefined ? null : (
        <bdi className={styles['why']} title={why}>
          {why}
        </bdi>
      )}
      {action === undefined ? null : <span>{' · '}</span>}
      {action}
      {safe === undefined || count === 0 ? null : (
        <>
          <span>{' · '}</span>
          <Trans i18nKey={safe.words} count={count} components={{ rest }} />
        </>
      )}
    </span>
  );
}

/** The part of a sentence that is dropped when space runs out. */
function Rest({ children }: { readonly children?: ReactNode }): ReactNode {
  return (
    <span className={styles['rest']}>
      <span>{children}</span>
    </span>
  );
}

const Nothing = (): ReactNode => null;

/** A state and the time it began; the time zone is that of the clock on the same line. */
function Since({
  glyph,
  words,
  timeMs,
  took,
}: {
  readonly glyph: string;
  readonly words: `frame.${'agentLost' | 'offline' | 'held' | 'slow' | 'unanswered'}`;
  readonly timeMs: number;
  readonly took?: string;
}): ReactNode {
  const locale = useLocale();
  const times = usePreference((preferences) => preferences.times);
  const { clock } = useServices();
  const minute = formatMinute(new Date(timeMs).toISOString(), clock.now(), times, locale);
  const time = (
    <span>
      {minute}
      <span className={styles['spare']}> {zoneName(timeMs, times, locale)}</span>
    </span>
  );
  return (
    <>
      {glyph} <Trans i18nKey={words} values={{ took }} components={{ time }} />
    </>
  );
}

/** Links to where the problem can be fixed or, when that is not on this desk, to Health. */
function FixLink({ isHere }: { readonly isHere: boolean }): ReactNode {
  const { t } = useTranslation();
  return isHere ? (
    <Link to="/settings" search={{ part: 'connection' }}>
      {t('frame.mendKey')}
    </Link>
  ) : (
    <Link to="/health">{t('frame.seeHealth')}</Link>
  );
}

/** Shortens a failure message: the call or clip affected and the exact response are in the notifications. */
export function briefly(message: string): string {
  return message
    .replace(/^[^.]* keep failing\. Last problem: (?=[A-Z])/, '')
    .replace(/^[A-Z][a-z]+(?: [a-zA-Z]+){1,3}: (?=the service |a web page )/, '')
    .replace(/ \((?:(?:HTTP|status) \d{3}\b.*|E[A-Z_]+)\)(?=\.?$)/, '')
    .replace(/(?<=^This key lacks the video permission)\. .*|\.$/, '')
    .replace(/(?<=^Storage could not accept ).+(?= right now$)/, 'clips')
    .replace(
      /(?<=^(?:A proxy or firewall answered instead of storage|Storage asked for fewer requests)) while .+/,
      '',
    );
}
