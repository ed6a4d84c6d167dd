import { z } from 'zod';
/** A string or number that only its own constructor can create, so that ids of different things are never mixed up. */
type Brand<T, Name extends string> = T & { readonly __brand: Name };

/** Id of an incident: the `{incident_id}` of service.md endpoints 1 to 6. Chosen here: service.md gap 11. */
export type IncidentId = Brand<string, 'IncidentId'>;
/** Id of a clip: the video object's `id` and the `file_id` of service.md endpoint 1. See service.md gap 12. */
export type ClipId = Brand<string, 'ClipId'>;
/** Id of a file that is sent: a clip's own id, or that id with `-thumbnail`. service.md gap 12. */
export type FileId = Brand<string, 'FileId'>;
/** Id of a watched root: derived from the desk id and the root's real path, so that a lost database finds it again. */
export type RootId = Brand<string, 'RootId'>;
/** Id of this desk: a random UUID kept next to the settings, apart from the queue database. */
export type DeskId = Brand<string, 'DeskId'>;

/** Marks a string as an incident id. */
export const incidentId = (text: string): IncidentId => text as IncidentId;
/** Marks a string as a clip id. */
export const clipId = (text: string): ClipId => text as ClipId;
/** Marks a string as a file id. */
export const fileId = (text: string): FileId => text as FileId;
/** Marks a string as a root id. */
export const rootId = (text: string): RootId => text as RootId;
/** Marks a string as a desk id. */
export const deskId = (text: string): DeskId => text as DeskId;

/** The file id under which a clip's thumbnail is uploaded. */
export const thumbnailFileId = (clip: ClipId): FileId => fileId(`${clip}-thumbnail`);

/** Longest id that is accepted, characters; a longer one is a broken answer. */
const MAX_ID_LENGTH = 1024;

/** An id that the service gave: integer or string, kept as received (service.md gap 25). */
export const serviceIdSchema = z.union([z.int(), z.string().min(1).max(MAX_ID_LENGTH)]);

/** See `serviceIdSchema`. */
export type ServiceId = z.infer<typeof serviceIdSchema>;
