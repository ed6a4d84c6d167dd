import type { ReactNode } from 'react';
import { visibleName } from '../../shared/lib/visible-name.ts';

/** Characters that stay at the end of a name that is cut: the extension and what is before it tell most. */
const TAIL_LENGTH = 12;

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
  if (as !== 'cut') return <bdi title={as === 'tip' ? shown : undefined}>{shown}</bdi>;
  const characters = [...shown];
  if (characters.length <= TAIL_LENGTH * 2) return <bdi title={shown}>{shown}</bdi>;
  return (
    <bdi className="cut-name" title={shown}>
      <span>{characters.slice(0, -TAIL_LENGTH).join('')}</span>
      <span>{characters.slice(-TAIL_LENGTH).join('')}</span>
    </bdi>
  );
}
