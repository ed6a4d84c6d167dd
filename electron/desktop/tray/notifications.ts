import type { Agent, Clock, AgentEvent, Logger } from '../../agent/index.ts';
import type { ChoiceStore } from '../choice-store.ts';
import type { Say } from '../../../shared/words/native-words.ts';
import type { MainWindow } from '../window/main-window.ts';
import { assertNever } from '../../../shared/lib/result.ts';
import { policyOf } from '../../../shared/domain/failure-policy.ts';
import { createReportOnce } from '../../../shared/lib/report-once.ts';
import { messageWithFile, visibleName } from '../../../shared/lib/visible-name.ts';
import type { Notification } from 'electron/main';
import type { ElectronApi } from '../electron-api.ts';

/** News within this time becomes one notification, milliseconds. */
const GROUP_MS = 4_000;
/** Most news kept for the next notification; older news is dropped. */
const MOST_NEWS = 1_000;

interface Deps {
  readonly events: Agent['events'];
  readonly window: Pick<MainWindow, 'bringToFront' | 'isFocused' | 'tell'>;
  readonly choice: Pick<ChoiceStore, 'get'>;
  readonly clock: Clock;
  readonly say: Say;
  /** Shows a system notification. */
  readonly show: (card: NewsCard, onClick: () => void) => void;
}

/**
 * Shows notifications of failures and, if a person chose so, of finished incidents; none while the window has focus.
 */
export function startNotifications({ events, window, choice, clock, say, show }: Deps): { stop(): void } {
  const stopping = new AbortController();
  const picker = createNewsPicker(say);
  let collected: readonly News[] = [];

  function tell(): void {
    const cards = window.isFocused() ? [] : groupNews(collected, say);
    collected = [];
    for (const card of cards) show(card, () => open(card));
  }

  function open({ incidentId }: NewsCard): void {
    window.bringToFront();
    if (incidentId !== undefined) window.tell({ kind: 'showIncident', incidentId });
  }

  const unsubscribe = events.on((event) => {
    const news = picker.of(event);
    if (news === undefined || (news.kind === 'finished' && !choice.get().notifyFinished)) return;
    if (collected.length === 0) clock.sleep(GROUP_MS, stopping.signal).then(tell, () => undefined);
    collected = [...collected, news].slice(-MOST_NEWS);
  });
  return {
    stop() {
      unsubscribe();
      stopping.abort();
    },
  };
}

/** Text of one notification, and what a click on it shows. */
export interface NewsCard {
  readonly title: string;
  readonly body: string;
  /** Missing: a click only opens the window. */
  readonly incidentId?: string;
}

/** Longest text of a card, characters: systems cut it at about this length. */
const LONGEST_BODY = 200;

/** One card for each kind of news, however much there is: nobody reads forty. */
export function groupNews(news: readonly News[], say: Say): readonly NewsCard[] {
  return (['stopped', 'leaving', 'failed', 'finished'] as const).flatMap((kind) => {
    const same = news.filter((each) => each.kind === kind);
    const [first] = same;
    return first === undefined ? [] : [cardOf(first, same, say)];
  });
}

function cardOf(first: News, same: readonly News[], say: Say): NewsCard {
  const incidents = new Set(same.map(({ incidentId }) => incidentId));
  const { incidentId } = first;
  return {
    title: titleOf(first.kind, same.length, incidents.size, say),
    body: cut(first.text),
    // With several incidents, a click could not tell which one is meant
    ...(incidents.size === 1 && incidentId !== undefined && { incidentId }),
  };
}

function titleOf(kind: News['kind'], count: number, incidents: number, say: Say): string {
  switch (kind) {
    case 'stopped':
      return say('news.stopped');
    case 'leaving':
      return say('news.leaving');
    case 'failed':
      return say('news.failed', { count });
    case 'finished':
      return say('news.finished', { count: incidents });
    default:
      return assertNever(kind);
  }
}

const cut = (text: string): string =>
  text.length > LONGEST_BODY ? `${text.slice(0, LONGEST_BODY - 1)}…` : text;

/** Something that a person should know while not looking at the window. The text is safe to show. */
interface News {
  readonly kind: 'failed' | 'stopped' | 'leaving' | 'finished';
  readonly text: string;
  readonly incidentId?: string;
}

/** How many announced incidents are remembered. */
const MOST_REMEMBERED = 500;

/**
 * Picks the news from the agent's events. It remembers finished incidents: a record is written again when a detail
 * changes.
 */
export function createNewsPicker(say: Say): { readonly of: (event: AgentEvent) => News | undefined } {
  const { isNews } = createReportOnce(MOST_REMEMBERED);
  return {
    of(event) {
      switch (event.event) {
        case 'clip.failed': {
          if (policyOf(event.code).isKnown === true) return undefined;
          const { message, advice, file, incidentId } = event;
          return { kind: 'failed', text: `${messageWithFile(message, file)} ${advice}`, incidentId };
        }
        case 'circuit.paused': {
          // A lost network comes back on its own
          const { recovery, isKnown } = policyOf(event.code);
          if (recovery !== 'manual' || isKnown === true) return undefined;
          return { kind: 'stopped', text: visibleName(`${event.message} ${event.advice}`) };
        }
        case 'warning':
          return event.code === 'EXPORTS_LEAVING'
            ? { kind: 'leaving', text: visibleName(event.message) }
            : undefined;
        case 'root.offline':
          return { kind: 'stopped', text: visibleName(`${event.message} ${event.advice}`) };
        case 'incident.synced': {
          const { incidentId, title, uploaded, failed, pending } = event;
          if (pending > 0 || uploaded === 0 || failed > 0) return undefined;
          if (!isNews(incidentId, String(uploaded))) return undefined;
          const text = say('news.sent', { title: visibleName(title), count: uploaded });
          return { kind: 'finished', text, incidentId };
        }
        default:
          return undefined;
      }
    },
  };
}

/** Most notifications that are kept so that clicks on them arrive; systems hold about as many. */
const MOST_KEPT = 20;

/** Escapes a body: Linux desktops read it as markup with links, but what a folder or the service says is plain text. */
const asMarkup = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

/**
 * Shows system notifications and keeps references to them: one without a reference is garbage collected, and its click
 * lost.
 */
export function createNativeNotifications(
  { Notification }: Pick<ElectronApi, 'Notification'>,
  platform: NodeJS.Platform,
  logger: Logger,
): (card: NewsCard, onClick: () => void) => void {
  let kept: readonly Notification[] = [];
  return ({ title, body }, onClick) => {
    if (!Notification.isSupported()) return;
    const notification = new Notification({ title, body: platform === 'linux' ? asMarkup(body) : body });
    const forget = (): void => {
      kept = kept.filter((each) => each !== notification);
    };
    notification.on('click', () => {
      forget();
      onClick();
    });
    notification.on('close', forget);
    notification.on('failed', (_event, error) => {
      forget();
      logger.warn('A notification could not be shown', { error });
    });
    kept = [...kept, notification].slice(-MOST_KEPT);
    notification.show();
  };
}
