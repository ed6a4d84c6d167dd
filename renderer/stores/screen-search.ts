import { useNavigate, useSearch } from '@tanstack/react-router';
import { useCallback, useMemo } from 'react';
import type { z } from 'zod';

/**
 * What of a screen stands in the address: filters, order, what is chosen. What cannot be read there counts as not
 * given, so each field of the schema needs a `catch`. `change` replaces the entry, so that Back leaves the screen.
 */
export function useScreenSearch<Schema extends z.ZodObject>(
  schema: Schema,
): readonly [z.output<Schema>, (change: Partial<z.input<Schema>>) => void] {
  const navigate = useNavigate();
  const search: unknown = useSearch({ strict: false });
  const change = useCallback(
    (fields: Partial<z.input<Schema>>) => {
      void navigate({
        to: '.',
        replace: true,
        search: (before: Record<string, unknown>) => ({ ...before, ...fields }),
      });
    },
    [navigate],
  );
  const read = useMemo(() => schema.parse(search), [schema, search]);
  return [read, change];
}

/** What stood in the address of a screen when it was left, as it is kept. */
export function readPlace(kept: string | undefined): Record<string, unknown> {
  const place: unknown = kept === undefined ? {} : JSON.parse(kept);
  return typeof place === 'object' && place !== null ? { ...place } : {};
}
