import type { Agent, Clock } from '../../agent/index.ts';
import type { ChoiceStore } from '../choice-store.ts';
import type { MainWindow } from '../desktop-ports.ts';
import { groupNews, type NewsCard } from './group-news.ts';
import { createNewsPicker, type News } from './pick-news.ts';

/** News that come within this time are told together, milliseconds. */
const GROUP_MS = 4_000;
/** More than this at once are counted and not kept. */
const MOST_NEWS = 1_000;

interface Deps {
  readonly events: Agent['events'];
  readonly window: Pick<MainWindow, 'bringToFront' | 'isFocused' | 'tell'>;
  readonly choice: Pick<ChoiceStore, 'get'>;
  readonly clock: Clock;
  /** Shows a notification of the system. */
  readonly show: (card: NewsCard, onClick: () => void) => void;
}

/** Tells of failures, and of finished incidents where a person chose so; nothing to one who looks at the window. */
export function startNotifications({ events, window, choice, clock, show }: Deps): { stop(): void } {
  const stopping = new AbortController();
  const picker = createNewsPicker();
  let collected: readonly News[] = [];

  function tell(): void {
    const cards = window.isFocused() ? [] : groupNews(collected);
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
