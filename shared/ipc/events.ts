import { z } from 'zod';
import { failureCodes, type FailureCode } from '../domain/failure.ts';

const count = z.number().min(0);

/** News besides failures: an incident that arrived, and oddities that stop nothing. */
const newsCodes = [
  'INCIDENT_SENT',
  'EXPORT_COPY',
  'FILE_ALTERED',
  'CLOCK_SKEW',
  'DESK_RESTORED',
  'LOCK_RESTORED',
  'QUEUE_LOST',
  'QUEUE_REPLACED',
  'SIDECAR_SHA256',
  'FILE_NAME_HIDDEN',
  'FILE_TIME_UNLIKELY',
  'TIME_DOUBLED',
  'TIME_MISSING_HOUR',
  'TIME_ORDER',
  'DURATION_DIFFERS',
  'SIDECAR_CLIP_MISSING',
  'SIDECAR_THUMBNAIL_MISSING',
  'PROFILE_UNKNOWN',
  'COMPANION_MISSING',
  'PROJECT_NOT_SENT',
  'SYSTEM_UNCLEAR',
  'SYSTEMS_MIXED',
  'CLOCKS_DIFFER',
  'ZONE_UNLIKELY',
  'NEEDS_VENDOR_PLAYER',
  'FILE_NOT_LISTED',
  'CAMERA_CLOCK',
  'SERIES_GAP',
  'SERVER_DUPLICATE',
  'UPLOAD_UNCONFIRMED',
  'WATCHES_USED_UP',
  'EXPORTS_LEAVING',
  'EXPORT_KEPT',
] as const;
/** What a notice can be about. */
export type NoticeCode = FailureCode | (typeof newsCodes)[number];
/** See `NoticeCode`. */
export const noticeCodes = [...failureCodes, ...newsCodes] as const;

/**
 * What the agent reports to the pages. A change means "read again" and has the subject's version, which only grows; the
 * next one makes up for a lost one. The service itself sends none (service.md "Events").
 */
export const agentSignalSchema = z.discriminatedUnion('kind', [
  z
    .object({
      kind: z.literal('changed'),
      subject: z.enum(['uploads', 'health', 'settings']),
      version: z.int().min(1),
      /** The incidents that changed, when they are few; missing: any of them. */
      incidentIds: z.array(z.string()).readonly().exactOptional(),
    })
    .readonly(),
  /**
   * At most four times a second while bytes are sent. `clips` are those in flight, with the bytes that storage has
   * accepted.
   */
  z
    .object({
      kind: z.literal('progress'),
      bytesPerSecond: count,
      bytesTotal: count,
      bytesDone: count,
      clips: z.array(z.object({ id: z.string(), bytesSent: count }).readonly()).readonly(),
    })
    .readonly(),
  /** Something a person may want to read now. The lists keep showing it; this only announces it. */
  z
    .object({
      kind: z.literal('notice'),
      level: z.enum(['info', 'warning', 'failure']),
      code: z.enum(noticeCodes),
      message: z.string(),
      incidentId: z.string().exactOptional(),
      clipId: z.string().exactOptional(),
    })
    .readonly(),
]);
/** See `agentSignalSchema`. */
export type AgentSignal = z.infer<typeof agentSignalSchema>;
