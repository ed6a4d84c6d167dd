/** How a status looks. Colour is for what is abnormal or moves; what is done is quiet. */
export type Tone = 'waiting' | 'active' | 'warning' | 'failed' | 'done' | 'canceled' | 'neutral';

interface Look {
  readonly tone: Tone;
  readonly glyph: string;
}

const looks = {
  waiting: { tone: 'waiting', glyph: '○' },
  assigned: { tone: 'waiting', glyph: '◐' },
  active: { tone: 'active', glyph: '▲' },
  held: { tone: 'warning', glyph: '❚❚' },
  raised: { tone: 'warning', glyph: '!' },
  failed: { tone: 'failed', glyph: '✕' },
  done: { tone: 'done', glyph: '✓' },
  canceled: { tone: 'canceled', glyph: '⊘' },
  other: { tone: 'neutral', glyph: '•' },
} as const satisfies Readonly<Record<string, Look>>;

/**
 * Words that are known, in the order in which an action goes through them. The service may say any other (decisions
 * row 20).
 */
const words: ReadonlyMap<string, Look> = new Map<string, Look>([
  ['new', looks.waiting],
  ['open', looks.waiting],
  ['created', looks.waiting],
  ['pending', looks.waiting],
  ['waiting', looks.waiting],
  ['assigned', looks.assigned],
  ['accepted', looks.assigned],
  ['acknowledged', looks.assigned],
  ['doing', looks.active],
  ['active', looks.active],
  ['ongoing', looks.active],
  ['started', looks.active],
  ['in progress', looks.active],
  ['escalated', looks.raised],
  ['overdue', looks.raised],
  ['late', looks.raised],
  ['on hold', looks.held],
  ['hold', looks.held],
  ['paused', looks.held],
  ['blocked', looks.held],
  ['failed', looks.failed],
  ['rejected', looks.failed],
  ['refused', looks.failed],
  ['done', looks.done],
  ['closed', looks.done],
  ['completed', looks.done],
  ['complete', looks.done],
  ['finished', looks.done],
  ['resolved', looks.done],
  ['canceled', looks.canceled],
  ['cancelled', looks.canceled],
  ['aborted', looks.canceled],
]);
const ranks: ReadonlyMap<string, number> = new Map([...words.keys()].map((word, index) => [word, index]));

/** "in_progress", "In-Progress" and "in progress" are one word. */
const spaced = (key: string): string => key.replaceAll(/[_\-\s]+/g, ' ');

/** The look of a status by its key (`keyOf`); neutral when the word is not known. */
export function lookOf(key: string): Look {
  return words.get(spaced(key)) ?? looks.other;
}

/** Place of a status in the way of an action; words that are not known come after all others. */
export function statusRank(key: string): number {
  return ranks.get(spaced(key)) ?? ranks.size;
}
