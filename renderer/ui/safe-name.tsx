import type { ReactNode } from 'react';
import { visibleName } from '../../shared/lib/visible-name.ts';

/**
 * A name of 25 characters or more keeps its last 12: the extension and what comes before it tell most. A number after
 * right-to-left letters is not split: its second half would be shown before the first.
 */
const HEAD_AND_TAIL = /^(?=.{25})(.+?)((?:(?<=[\u0590-\u08ff].*)\d+(?=\d))?.{12})$/su;

/**
 * A name from outside (file, incident, person): what hides or turns text is made visible, and it is kept apart from the
 * text around it. With `cut` it gives way in its middle when the room is small; `tip` shows it whole where the pointer
 * rests, for a name whose beginning tells most.
 */
export function SafeName({
  name,
  cut = false,
  tip = cut,
}: {
  readonly name: string;
  readonly cut?: boolean;
  readonly tip?: boolean;
}): ReactNode {
  return safeName(name, cut ? 'cut' : tip ? 'tip' : undefined);
}

/** The same without a component: rows come by the hundred while a list is scrolled. */
export function safeName(name: string, as?: 'cut' | 'tip'): ReactNode {
  const shown = visibleName(name);
  const [, head, tail] = (as === 'cut' && HEAD_AND_TAIL.exec(shown)) || [];
  if (tail === undefined) return <bdi title={as && shown}>{shown}</bdi>;
  return (
    <bdi className="cut-name" title={shown}>
      <span>{head}</span>
      <span>{tail}</span>
    </bdi>
  );
}
