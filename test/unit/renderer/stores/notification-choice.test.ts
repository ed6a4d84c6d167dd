import { expect, it } from 'vitest';
import { keepChoice, placesFor, readChoice } from '../../../../renderer/stores/preferences.ts';

it('news come up where they were chosen to; on the desktop only problems that nobody sees', () => {
  const problems = { toasts: 'problems', desktop: true } as const;
  expect(placesFor(problems, 'info', false)).toEqual({ toast: false, desktop: false });
  expect(placesFor(problems, 'failure', false)).toEqual({ toast: true, desktop: true });
  expect(placesFor(problems, 'failure', true)).toEqual({ toast: true, desktop: false });
  expect(placesFor({ toasts: 'none', desktop: false }, 'warning', false)).toEqual({
    toast: false,
    desktop: false,
  });
});

it('a choice is kept, and what cannot be read counts as none', () => {
  const kept = new Map<string, string>();
  const storage = {
    getItem: (name: string) => kept.get(name) ?? null,
    setItem: (name: string, value: string) => void kept.set(name, value),
  };
  expect(keepChoice(storage, { toasts: 'none', desktop: true })).toBe(true);
  expect(readChoice(storage)).toEqual({ toasts: 'none', desktop: true });
  kept.set('notifications', '{"toasts": 3');
  expect(readChoice(storage)).toEqual({ toasts: 'all', desktop: false });
});

it('a storage that refuses is said, not thrown', () => {
  const refuse = (): never => {
    throw new Error('full');
  };
  const storage = { getItem: refuse, setItem: refuse };
  expect(keepChoice(storage, { toasts: 'none', desktop: true })).toBe(false);
  expect(readChoice(storage).toasts).toBe('all');
});
