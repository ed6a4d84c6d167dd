import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useTranslation, Trans } from 'react-i18next';
import { useStore } from 'zustand';
import type { Health } from '../../shared/domain/health.ts';
import { formatDuration } from '../../shared/lib/readable-amounts.ts';
import { formatClock, formatMinute, zoneName, type TimeDisplay } from '../format/format.ts';
import { useRead } from '../queries/use-call.ts';
import { useLink, useLocale, useServices, usePreference, useNow } from '../stores/services.ts';
import { isTroubled, LastSuccess, Pending, Transfer } from './speed.tsx';
import styles from './app.module.css';
import { NoticeList, UpdateMark } from './notices.tsx';
import { policyOf } from '../../shared/domain/failure-policy.ts';
import { ShortTime } from '../ui/time-text.tsx';

/** Difference of the clocks from which a person is warned, milliseconds (service.md gap 27). */
const WARN_SKEW_MS = 60_000;
/** What no signal announces (how fast the service answers, settling files) is read again this often, milliseconds. */
const REFRESH_MS = 10_000;

/** What stays where it is until a person does something, and what has not come in wholly yet. */
function Attention({ health: { exports, queue, leaving } }: { readonly health: Health }): ReactNode {
  const { t } = useTranslation();
  const exportsWait = exports.held + exports.missing + exports.unrecognised;
  const arriving = exports.reading + exports.writing + exports.settling;
  return (
    <>
      {exportsWait === 0 ? null : (
        <strong>
          !{' '}
          <Link to="/uploads" search={{ state: 'held' }}>
            {t('frame.exportsWait', { count: exportsWait })}
          </Link>
        </strong>
      )}
      {queue.failed === 0 ? null : (
        <strong>
          ✕{' '}
          <Link to="/uploads" search={{ state: 'failed' }}>
            {t('frame.failed', { count: queue.failed })}
          </Link>
        </strong>
      )}
      {queue.refused === 0 ? null : <strong>✕ {t('frame.refused', { count: queue.refused })}</strong>}
      {leaving === undefined ? null : <Leaving {...leaving} />}
      {arriving === 0 ? null : <Arriving count={arriving} />}
    </>
  );
}

/** What the recorder will delete before its turn: it goes first, and Health has the figures. */
function Leaving({ incidents, firstGoneAt }: NonNullable<Health['leaving']>): ReactNode {
  return (
    <strong>
      !{' '}
      <Link to="/health">
        <Trans
          i18nKey="frame.leaving"
          count={incidents}
          components={{ time: <ShortTime value={firstGoneAt} isZoneKnown /> }}
        />
      </Link>
    </strong>
  );
}

/** Exports that are looked at before the wait of all of them is known. */
const LOOKED_AT = 50;

/** Exports on their way; while they only wait for the recorder, how long the next one still has to. */
function Arriving({ count }: { readonly count: number }): ReactNode {
  const { t } = useTranslation();
  const nowMs = useNow();
  const { data } = useRead('uploads.listExports', { offset: 0, limit: LOOKED_AT });
  const ends = data?.rows.flatMap(({ state, settlesAt }) =>
    state === 'settling' && settlesAt !== undefined ? [Date.parse(settlesAt)] : [],
  );
  const leftMs = Math.min(...(ends ?? [])) - nowMs;
  if (ends?.length !== count || !(leftMs > 0)) return <span>{t('frame.arriving', { count })}</span>;
  return <span>{t('frame.recorder', { count, time: formatDuration(leftMs) })}</span>;
}

/** Always there: is it getting out, how fast, how much is left, since when not. */
export function StatusStrip(): ReactNode {
  const { t } = useTranslation();
  const { data: health } = useRead('health.get', {}, { refreshMs: REFRESH_MS });
  const link = useLink();
  return (
    <footer
      aria-label={t('frame.status')}
      className={styles['strip']}
      data-trouble={
        (health !== undefined && isTroubled(health)) ||
        link.kind === 'lost' ||
        link.kind === 'refused' ||
        undefined
      }
    >
      <Connection health={health} />
      {health === undefined ? null : <Attention health={health} />}
      {health === undefined ? null : <Transfer health={health} />}
      {health === undefined ? null : <Lesser health={health} />}
      <span className={styles['end']}>
        <UpdateMark />
        <NoticeList />
        <Frozen />
        {health === undefined ? null : <FoldersAndSkew health={health} />}
        <Clocks />
      </span>
    </footer>
  );
}

function Frozen(): ReactNode {
  const { t } = useTranslation();
  const { freeze } = useServices();
  const { isFrozen, missed } = useStore(freeze);
  return isFrozen ? <strong>{t('frame.frozen', { count: missed })}</strong> : null;
}

/** Said where there is room for it on the line. */
function Lesser({ health }: { readonly health: Health }): ReactNode {
  const { t } = useTranslation();
  return (
    <span className={styles['lesser']}>
      <Pending health={health} />
      <LastSuccess at={health.queue.lastUploadedAt} />
      {health.roots.length > 0 && health.roots.every(({ isOnline }) => isOnline) ? (
        <span>{t('frame.folders', { count: health.roots.length })}</span>
      ) : null}
    </span>
  );
}

function FoldersAndSkew({ health }: { readonly health: Health }): ReactNode {
  const { t } = useTranslation();
  const total = health.roots.length;
  const offline = health.roots.filter(({ isOnline }) => !isOnline).length;
  const skewMs = Math.abs(health.clockSkewMs);
  return (
    <>
      {skewMs <= WARN_SKEW_MS ? null : (
        <strong>! {t('frame.skew', { difference: formatDuration(skewMs) })}</strong>
      )}
      {offline === 0 ? null : (
        <strong>
          !{' '}
          <Link to="/health">
            {total === 1 ? t('frame.folderOffline') : t('frame.foldersOffline', { count: offline, total })}
          </Link>
        </strong>
      )}
    </>
  );
}

/** The time of this desk with its zone and UTC beside it, or the other way round: as all times are shown. */
function Clocks(): ReactNode {
  const locale = useLocale();
  const nowMs = useNow();
  const times = usePreference((preferences) => preferences.times);
  const show = (as: TimeDisplay): string =>
    `${formatClock(nowMs, as, locale)} ${zoneName(nowMs, as, locale)}`;
  const [first, second] = times === 'utc' ? [show('utc'), show('local')] : [show('local'), show('utc')];
  return (
    <span className="ltr">
      {first}
      {first === second ? null : <span className={styles['otherClock']}>{` · ${second}`}</span>}
    </span>
  );
}

/** Is it getting out; when not, since when and why, and where that is mended. */
function Connection({ health }: { readonly health: Health | undefined }): ReactNode {
  const link = useLink();
  const lacking = useLacking();
  const isThere = link.kind === 'open' && health !== undefined;
  if (isThere && lacking !== undefined) return <Lacking {...lacking} health={health} />;
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
  return { said: key.failure.message, mend: t('frame.mendKey') };
}

/** Whether the service can be reached is no question as long as there is none, or no key for it. */
function Lacking({ said, mend, health }: LackingWords & { readonly health: Health }): ReactNode {
  return (
    <Said
      what={health.queue.waiting === 0 ? '○ ' : '! '}
      why={said}
      mend={
        <Link to="/settings" search={{ part: 'connection' }}>
          {mend}
        </Link>
      }
      safe={safeIn(health, 'frame.safeTillMended')}
    />
  );
}

function Line({ health }: { readonly health: Health | undefined }): ReactNode {
  const { t } = useTranslation();
  const link = useLink();
  if (link.kind === 'refused') return <Said what={`✕ ${t('frame.sessionRefused')}`} />;
  if (link.kind === 'lost')
    return <Said what={<Since glyph="✕" words="frame.agentLost" timeMs={link.sinceMs} />} />;
  if (link.kind === 'connecting' || health === undefined) return <Said what={`○ ${t('frame.connecting')}`} />;
  const [paused] = health.pausedCircuits;
  if (paused !== undefined) {
    const { answer, mends } = policyOf(paused.failure.code);
    const words = answer === 'none' ? 'frame.offline' : 'frame.held';
    return (
      <Said
        what={
          <>
            <Since glyph="!" words={words} timeMs={Date.parse(paused.since)} />
            {': '}
          </>
        }
        why={briefly(paused.failure.message)}
        mend={<Mend isHere={mends === 'person' && paused.circuit === 'service'} />}
        safe={safeIn(health, mends === 'person' ? 'frame.safeTillMended' : 'frame.safe')}
      />
    );
  }
  const { lastMs, slowSince, unanswered } = health.answers;
  // Nothing waits for it, so nothing finds out when it is over
  if (unanswered !== undefined)
    return (
      <Said
        what={
          <>
            <Since glyph="!" words="frame.unanswered" timeMs={Date.parse(unanswered.since)} />
            {': '}
          </>
        }
        why={briefly(unanswered.failure.message)}
        mend={<Mend isHere={false} />}
        safe={safeIn(health, 'frame.safe')}
      />
    );
  // How long an answer took is no news
  if (lastMs === undefined) return <Said what={`● ${t('frame.online')}`} isQuiet />;
  const latency = Math.max(1, lastMs);
  if (slowSince === undefined) return <Said what={`● ${t('frame.onlineLatency', { latency })}`} isQuiet />;
  const took = formatDuration(lastMs);
  return (
    <Said
      what={<Since glyph="!" words="frame.slow" timeMs={Date.parse(slowSince)} took={took} />}
      mend={<Mend isHere={false} />}
      safe={safeIn(health, 'frame.safe')}
      isQuiet
    />
  );
}

interface Safe {
  readonly count: number;
  readonly words: `frame.${'safe' | 'safeTillMended' | 'safePaused'}`;
}

/** How many clips wait, and until when: what a person paused is not sent by itself. */
const safeIn = ({ queue, isPaused }: Health, words: Safe['words']): Safe => ({
  count: queue.waiting,
  words: isPaused ? 'frame.safePaused' : words,
});

/**
 * What happened, why, where that is mended, and what is safe. On one line as long as there is room for it: first what is
 * safe is said in fewer words, then the reason is cut, which stands whole where it leads.
 */
function Said({
  what,
  why,
  mend,
  safe,
  isQuiet = false,
}: {
  readonly what: ReactNode;
  readonly why?: string;
  readonly mend?: ReactNode;
  readonly safe?: Safe;
  /** Not read out when it changes. */
  readonly isQuiet?: boolean;
}): ReactNode {
  return (
    <span role="status" aria-live={isQuiet ? 'off' : 'polite'} className={styles['connection']}>
      <span className={styles['what']}>{what}</span>
      {why === undefined ? null : (
        <bdi className={styles['why']} title={why}>
          {why}
        </bdi>
      )}
      {mend === undefined ? null : <span>{' · '}</span>}
      {mend}
      {safe === undefined || safe.count === 0 ? null : (
        <>
          <span>{' · '}</span>
          <Trans i18nKey={safe.words} count={safe.count} components={{ rest: <Rest /> }} />
        </>
      )}
    </span>
  );
}

/** Of words, what they can do without. */
function Rest({ children }: { readonly children?: ReactNode }): ReactNode {
  return (
    <span className={styles['rest']}>
      <span>{children}</span>
    </span>
  );
}

/** What has been so since when; the zone is that of the clock on the same line. */
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

/** Where what uploads wait for is mended, or looked into when that is not on this desk. */
function Mend({ isHere }: { readonly isHere: boolean }): ReactNode {
  const { t } = useTranslation();
  return isHere ? (
    <Link to="/settings" search={{ part: 'connection' }}>
      {t('frame.mendKey')}
    </Link>
  ) : (
    <Link to="/health">{t('frame.seeHealth')}</Link>
  );
}

/** What happened, in few words: which call or clip met it, and what came back to the letter, stand in the notifications. */
export function briefly(message: string): string {
  return message
    .replace(/^(?:The service|Storage) is refusing .* answer: (?=[A-Z])/, '')
    .replace(/^[A-Z][a-z]+(?: [a-zA-Z]+){1,3}: (?=the service |a web page )/, '')
    .replace(/ \((?:(?:HTTP|status) \d{3}[^()]*|E[A-Z_]+)\)(?=\.?$)/, '')
    .replace(/(?<=permission)\. .*|\.$/, '')
    .replace(/(?<=^Storage could not accept ).+(?= right now$)/, 'clips')
    .replace(/(?<=^A proxy or firewall answered instead of storage) for .+/, '')
    .replace(/(?<=^Storage asked for fewer requests) while .+/, '');
}
