import { z } from 'zod';
import type { Period } from '../domain/period.ts';
import { serviceIdSchema } from '../domain/ids.ts';
import { knownFields } from '../lib/known-fields.ts';

/**
 * Wire format of service.md "Period". Reading is tolerant: unknown fields are dropped, optional ones may be missing
 * or null, and the markers may come as one object (as the interface writes it) or as a list of them.
 */
const text = z.string().nullish();
const wireMarkerSchema = z.object({ name: text, timestamp: text });

const wirePeriodSchema = z.object({
  id: serviceIdSchema,
  name: text,
  start_date: text,
  end_date: text,
  created_at: text,
  updated_at: text,
  markers: z.union([wireMarkerSchema, z.array(wireMarkerSchema)]).nullish(),
});

/** Answer of endpoint 7: the periods, in the order of the service. */
export const periodsAnswerSchema = z
  .object({ periods: z.array(wirePeriodSchema.transform(toPeriod)).nullable() })
  .transform(({ periods }): readonly Period[] => periods ?? []);

function toPeriod(wire: z.infer<typeof wirePeriodSchema>): Period {
  return {
    id: wire.id,
    ...knownFields<Omit<Period, 'id' | 'markers'>>({
      name: wire.name,
      startAt: wire.start_date,
      endAt: wire.end_date,
      createdAt: wire.created_at,
      updatedAt: wire.updated_at,
    }),
    markers: [wire.markers ?? []].flat().flatMap(toMarker),
  };
}

function toMarker({ name, timestamp }: z.infer<typeof wireMarkerSchema>): Period['markers'] {
  const marker = knownFields<Period['markers'][number]>({ name, at: timestamp });
  return Object.keys(marker).length === 0 ? [] : [marker];
}
