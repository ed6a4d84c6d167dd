import { z } from 'zod';

/** File names that the service accepts: those that service.md gap 30 produces, and nothing with a path in it. */
export const filenameSchema = z
  .string()
  .regex(/^[A-Za-z0-9_-][A-Za-z0-9._-]{0,127}$/, 'is not an acceptable file name');

/** A file id is one line of text without path separators. */
export const fileIdSchema = z.string().regex(/^[^\p{Cc}/\\]{1,255}$/u, 'is not an acceptable file id');
