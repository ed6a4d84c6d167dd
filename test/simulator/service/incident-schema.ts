import { z } from 'zod';
import { isTimestamp } from './timestamp.ts';

const timestamp = z.string().refine(isTimestamp, 'must be a UTC time of the form YYYY-MM-DDTHH:MM:SS.sssZ');
const longitude = z.number().min(-180).max(180);
const latitude = z.number().min(-90).max(90);
const id = z.string().min(1).max(255);

const videoSchema = z.strictObject({
  id,
  started_at: timestamp.optional(),
  ended_at: timestamp.optional(),
  camera_id: z.string().optional(),
  camera_name: z.string().optional(),
  camera_description: z.string().optional(),
  camera_longitude: longitude.optional(),
  camera_latitude: latitude.optional(),
  storage_key: z.string().min(1).optional(),
  storage_thumbnail_key: z.string().min(1).optional(),
  upload_errors: z.array(z.string().min(1)).optional(),
});

const incidentSchema = z.strictObject({
  id: id.optional(),
  title: z.string().optional(),
  description: z.string().optional(),
  incident_at: timestamp.optional(),
  created_at: timestamp.optional(),
  updated_at: timestamp.optional(),
  longitude: longitude.optional(),
  latitude: latitude.optional(),
  uploaded_videos: z.array(videoSchema),
  failed_videos: z.array(videoSchema),
});

/** Body of endpoint 6. Unknown fields are refused, so that a misspelt one is noticed. */
export const incidentBodySchema = z.strictObject({ vms_incident: incidentSchema });

export type VideoWrite = z.infer<typeof videoSchema>;
export type IncidentWrite = z.infer<typeof incidentSchema>;
