import { z } from 'zod';

/** What the service takes as a file name: what service.md gap 30 makes, and nothing with a path in it. */
export const filenameSchema = z
  .string()
  .regex(/^[A-Za-z0-9_-][A-Za-z0-9._-]{0,127}$/, 'is not an acceptable file name');

/** An id of a file is one line of text without separators of paths. */
export const fileIdSchema = z.string().regex(/^[^\p{Cc}/\\]{1,255}$/u, 'is not an acceptable file id');
