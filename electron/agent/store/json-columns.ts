import { z } from 'zod';
import type { MediaFacts } from '../core/naming/file-content.ts';
import {
  clipFlags,
  type ClipFlag,
  type Alteration,
  alterationSchema,
} from '../../../shared/domain/upload-view.ts';
import { fileAccountSchema, type FileAccount } from '../../../shared/domain/file-account.ts';
import { failureSchema, type Failure } from '../../../shared/domain/failure.ts';
import { seenFactsSchema, type SeenFacts } from '../../../shared/domain/seen-export.ts';
import { madeFactsSchema, type MadeFacts } from '../../../shared/domain/thumbnail-answer.ts';

const originsSchema = z.record(
  z.string(),
  z.object({
    source: z.string(),
    confidence: z.enum(['high', 'medium', 'low']),
    note: z.string().exactOptional(),
    zone: z.string().exactOptional(),
  }),
);

/** Where each field of a row came from: field name to source, confidence and note. */
export type Origins = z.infer<typeof originsSchema>;

const extraSchema = z.object({
  externalId: z.string().exactOptional(),
  guessedAt: z.object({ ms: z.number(), note: z.string() }).exactOptional(),
});

/** Facts kept of an incident beside its record: `guessedAt` is when its files were written, milliseconds since 1970. */
export type IncidentExtra = z.infer<typeof extraSchema>;

/** Reads the `extra` column of an incident. */
export function parseExtra(text: string | null): IncidentExtra {
  return text === null ? {} : extraSchema.parse(JSON.parse(text));
}

/** Reads a column that is a list of part numbers. */
export function parseNumbers(text: string): readonly number[] {
  return z.array(z.number()).parse(JSON.parse(text));
}

const namesSchema = z.array(z.string());

/** Reads a list of names that SQLite built. */
export function parseNames(text: string): readonly string[] {
  return namesSchema.parse(JSON.parse(text));
}

/** Reads the `files` column of an incident. */
export function parseFiles(text: string | null): FileAccount | undefined {
  return text === null ? undefined : fileAccountSchema.parse(JSON.parse(text));
}

const flagsSchema = z.array(z.enum(clipFlags)).readonly();

/** Reads the `flags` column of a clip. */
export function parseFlags(text: string): readonly ClipFlag[] {
  return flagsSchema.parse(JSON.parse(text));
}

/** Reads a failure column. */
export function parseFailure(text: string | null): Failure | undefined {
  return text === null ? undefined : failureSchema.parse(JSON.parse(text));
}

/** Reads an `altered` column. */
export function parseAltered(text: string): Alteration {
  return alterationSchema.parse(JSON.parse(text));
}

/** Reads a `sources` column. */
export function parseOrigins(text: string): Origins {
  return originsSchema.parse(JSON.parse(text));
}

/** Reads a `made` column: what is known of a thumbnail that was made from its clip. */
export function parseMade(text: string | null): MadeFacts | undefined {
  return text === null ? undefined : madeFactsSchema.parse(JSON.parse(text));
}

/** Reads the `facts` of an export that is not in the queue. */
export function parseSeenFacts(text: string): SeenFacts {
  return seenFactsSchema.parse(JSON.parse(text));
}

const factsSchema = z.object({
  durationMs: z.number().exactOptional(),
  createdAtMs: z.number().exactOptional(),
  clockText: z.string().exactOptional(),
  statedStartMs: z.number().exactOptional(),
  otherStartMs: z.number().exactOptional(),
  sourceName: z.string().exactOptional(),
  sourceMac: z.string().exactOptional(),
  sourceUrl: z.string().exactOptional(),
  latitude: z.number().exactOptional(),
  longitude: z.number().exactOptional(),
  format: z.string().exactOptional(),
  videoCodec: z.string().exactOptional(),
  frameRate: z.number().exactOptional(),
  width: z.number().exactOptional(),
  height: z.number().exactOptional(),
});

/** Reads a `facts` column: what a clip says about itself. */
export function parseFacts(text: string): MediaFacts {
  return factsSchema.parse(JSON.parse(text));
}
