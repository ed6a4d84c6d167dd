import { z } from 'zod';

/** In which order a date without a format is written. */
export const dateOrders = ['YMD', 'DMY', 'MDY'] as const;
/** What a count since 1970 counts. */
export const epochUnits = ['s', 'ms', 'us', 'ns'] as const;

/** Most patterns of a desk. */
export const MOST_PATTERNS = 50;

/** A pattern that the desk wrote for file names. */
export const patternSchema = z.strictObject({
  name: z
    .string()
    .regex(
      /^[\p{L}\p{N}][\p{L}\p{N} ._-]{0,39}$/u,
      'must be letters, digits, blanks, dots and hyphens, at most 40',
    )
    .describe('What the pattern is called; a watched folder can name it as its profile.'),
  template: z
    .string()
    .min(1)
    .max(300)
    .optional()
    .describe('The end of a path with fields, such as `{camera}_{date:YYYYMMDD}_{time:HHmmss}`.'),
  expression: z
    .string()
    .min(1)
    .max(300)
    .optional()
    .describe('Instead of a template: an expression for RE2 with named groups.'),
  dateOrder: z.enum(dateOrders).default('YMD').describe('Order of a date without a format.'),
  clock: z
    .string()
    .min(1)
    .max(64)
    .default('local')
    .describe('`local`: the zone of the watched folder; `utc`; or an IANA time zone.'),
  epoch: z.enum(epochUnits).default('s').describe('What `{epoch}` counts since 1970.'),
  folder: z
    .string()
    .min(1)
    .optional()
    .describe('Path of the watched folder that it is for. Without it, all.'),
  samples: z
    .array(z.string().min(1).max(500))
    .min(1)
    .max(20)
    .describe('Real names that it must fit; settings with one that it does not fit are refused.'),
});
/** See `patternSchema`. */
export type PatternSettings = z.infer<typeof patternSchema>;
