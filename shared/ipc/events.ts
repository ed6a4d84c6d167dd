import { z } from 'zod';
import { failureCodes, type FailureCode } from '../domain/failure.ts';

const count = z.number().min(0);

/** News beside failures: an incident that arrived, and what is odd without stopping anything. */
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
 * What the agent tells those who watch. A change says "look again" with the subject's version, which only grows;
 * what is lost on the way is made good by the next one. The service itself sends none (service.md "Events").
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
  /** At most four times a second while bytes move. `clips` are those in flight, with what storage has taken. */
  z
    .object({
      kind: z.literal('progress'),
      bytesPerSecond: count,
      bytesTotal: count,
      bytesDone: count,
      clips: z.array(z.object({ id: z.string(), bytesSent: count }).readonly()).readonly(),
    })
    .readonly(),
  /** Something a person may want to read now. It stays true in the lists; this is only the news of it. */
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
