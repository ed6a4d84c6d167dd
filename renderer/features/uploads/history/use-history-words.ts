import { useTranslation } from 'react-i18next';
import type { HistoryFacts } from '../../../../shared/domain/upload-history.ts';
import { formatBytes } from '../../../../shared/lib/bytes.ts';
import type { TimelineItem, TryItem } from './group-history.ts';

/** How a line looks and what it says. `quiet` is what went as it should. */
export interface HistoryWords {
  readonly glyph: string;
  readonly tone: 'quiet' | 'active' | 'failed' | 'held';
  readonly title: string;
}

type Look = Omit<HistoryWords, 'title'>;

const endLooks: Readonly<Record<TryItem['end'], Look>> = {
  failed: { glyph: '!', tone: 'failed' },
  'given-up': { glyph: '✕', tone: 'failed' },
  stopped: { glyph: '■', tone: 'held' },
  lost: { glyph: '■', tone: 'held' },
  sent: { glyph: '●', tone: 'quiet' },
  running: { glyph: '▲', tone: 'active' },
};

const plain: Look = { glyph: '·', tone: 'quiet' };
const looks: Readonly<Partial<Record<HistoryFacts['kind'], Look>>> = {
  paused: { glyph: '❚❚', tone: 'held' },
  cancelled: { glyph: '✕', tone: 'failed' },
  told: { glyph: '●', tone: 'quiet' },
  known: { glyph: '●', tone: 'quiet' },
  merged: { glyph: '⋮', tone: 'quiet' },
};

/** Answers the words of a line. An incident is told again and again: its tries are not counted. */
export function useHistoryWords(): (item: TimelineItem, tries: number, isIncident: boolean) => HistoryWords {
  const { t } = useTranslation();

  function numbersOf(facts: HistoryFacts): Readonly<Record<string, string | number>> {
    switch (facts.kind) {
      case 'queued':
        return { generation: facts.generation ?? 1 };
      case 'changed':
        return { size: formatBytes(facts.sizeBytes), generation: facts.generation ?? 1 };
      case 'told':
        return { version: facts.version };
      case 'opened':
        return { count: facts.parts };
      case 'parts':
        return { first: facts.first, last: facts.last, count: facts.count };
      case 'merged':
        return { count: facts.tries };
      default:
        return {};
    }
  }

  function titleOf(facts: HistoryFacts): string {
    const variant = variantOf(facts);
    const name = variant === undefined ? facts.kind : `${facts.kind}-${variant}`;
    return t(`uploads.history.event.${name}`, numbersOf(facts));
  }

  return (item, tries, isIncident) => {
    if (item.kind === 'event')
      return { ...(looks[item.event.facts.kind] ?? plain), title: titleOf(item.event.facts) };
    const end = t(`uploads.history.end.${item.end}`);
    const number = t('uploads.history.try', { number: item.number, total: tries });
    const title = isIncident ? t(`uploads.history.telling.${item.end}`) : `${number}: ${end}`;
    return { ...endLooks[item.end], title };
  };
}

/** Events of one kind that are said in different words. */
function variantOf(facts: HistoryFacts): string | undefined {
  switch (facts.kind) {
    case 'paused':
    case 'resumed':
      return facts.by;
    case 'changed':
      return facts.generation === undefined ? 'same' : 'new';
    case 'checked':
      return facts.isKnown ? 'known' : 'new';
    default:
      return undefined;
  }
}
