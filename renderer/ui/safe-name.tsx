import type { ReactNode } from 'react';
import { visibleName } from '../../shared/lib/visible-name.ts';

/**
 * A name of 25 characters or more keeps its last 12: the extension and the characters before it are the most
 * distinctive. A number after right-to-left letters is not split: its second half would be displayed before the first.
 */
const HEAD_AND_TAIL = /^(?=.{25})(.+?)((?:(?<=[\u0590-\u08ff].*)\d+(?=\d))?.{12})$/su;

/**
 * A name from outside (file, incident, person): characters that hide or reorder text are made visible, and the name is
 * isolated from the surrounding text. With `cut`, it is shortened in the middle when space is short; `tip` shows the
 * full name on hover, for a name whose beginning matters most.
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

/** `SafeName` without a component: scrolling a list renders rows by the hundred. */
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
