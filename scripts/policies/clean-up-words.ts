import { z } from 'zod';

/** What becomes of exports that are proved stored, as administrators read it. */
export const cleanUpWords = z.strictObject({
  afterDays: z
    .int()
    .min(1)
    .max(3650)
    .optional()
    .describe(
      'Days after which an export leaves its watched folder, counted from when every clip of it was proved stored. Without it, exports stay. Only when managed.',
    ),
  action: z
    .enum(['move', 'delete'])
    .default('move')
    .describe(
      'What becomes of it: `move` takes the folder whole to `cleanUp.folder`, `delete` deletes it if every file in it was sent.',
    ),
  folder: z.string().optional().describe('Folder that exports are moved to, outside of all watched folders.'),
});
