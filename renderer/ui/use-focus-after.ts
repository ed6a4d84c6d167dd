import { useEffect, useRef, type RefObject } from 'react';

/**
 * Gives the keyboard to an element each time that `shown` has changed and `isDue`: a dialog that followed another one
 * has nothing to give it back to, and a part of the screen that was replaced has taken it along.
 */
export function useFocusAfter<T extends HTMLElement>(shown: unknown, isDue: boolean): RefObject<T | null> {
  const target = useRef<T>(null);
  const before = useRef(shown);
  useEffect(() => {
    if (before.current === shown) return;
    before.current = shown;
    if (isDue) target.current?.focus();
  }, [shown, isDue]);
  return target;
}
