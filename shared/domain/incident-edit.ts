import { z } from 'zod';
import { hasHiddenCharacters } from '../lib/visible-name.ts';

/** Longest title that a person may give an incident, characters. */
const MAX_TITLE_LENGTH = 255;
/** Longest title of a folder that is sent, characters; intake cuts its own titles at this length. */
const MAX_GIVEN_TITLE_LENGTH = 200;
const MAX_DESCRIPTION_LENGTH = 10_000;

/** Joiners and plain direction marks: some scripts need them, and they reorder nothing. */
const scriptMarks = /[\u061c\u200c-\u200f]/gu;
const lineMarks = /[\n\r\t]/g;

const withoutMarks = (text: string): string => text.replace(scriptMarks, '');
const fits = (text: string, maxLength: number): boolean => [...text].length <= maxLength;

const title = (maxLength: number) =>
  z
    .string()
    .trim()
    .refine((text) => withoutMarks(text).trim() !== '', 'must not be blank')
    .refine((text) => fits(text, maxLength), `must have at most ${maxLength} characters`)
    .refine(
      (text) => !hasHiddenCharacters(withoutMarks(text)),
      'must not contain hidden or unreadable characters',
    );

const description = z
  .string()
  .trim()
  .refine(
    (text) => fits(text, MAX_DESCRIPTION_LENGTH),
    `must have at most ${MAX_DESCRIPTION_LENGTH} characters`,
  )
  .refine(
    (text) => !hasHiddenCharacters(withoutMarks(text).replace(lineMarks, '')),
    'must not contain hidden or unreadable characters other than line breaks and tabs',
  );

const utcTime = z.iso.datetime({ error: 'must be an ISO 8601 time that ends in Z' });

/**
 * What a person changes about an incident; service.md "Incident". A missing field stays as it is, null clears it.
 * `incidentAt` is ISO 8601 UTC; the position is in degrees, and is set or cleared as a whole.
 */
export const incidentChangesSchema = z
  .strictObject({
    title: title(MAX_TITLE_LENGTH).exactOptional(),
    description: description.nullable().exactOptional(),
    incidentAt: utcTime.nullable().exactOptional(),
    latitude: z.number().min(-90).max(90).nullable().exactOptional(),
    longitude: z.number().min(-180).max(180).nullable().exactOptional(),
  })
  .refine((changes) => Object.keys(changes).length > 0, 'must contain at least one change')
  .refine(({ latitude, longitude }) => kindOf(latitude) === kindOf(longitude), {
    message: 'must be set or cleared together with the longitude',
    path: ['latitude'],
  })
  .readonly();
/** See `incidentChangesSchema`. */
export type IncidentChanges = z.infer<typeof incidentChangesSchema>;

const kindOf = (value: number | null | undefined): string => (value === null ? 'null' : typeof value);

/** Details that a person gives when sending folders. They override those in the folders. */
export const givenDetailsSchema = {
  title: title(MAX_GIVEN_TITLE_LENGTH).exactOptional(),
  description: description.exactOptional(),
  incidentAt: utcTime.exactOptional(),
};
