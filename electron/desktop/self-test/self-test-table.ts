import { z } from 'zod';

const rowSchema = z.object({
  name: z.string(),
  state: z.enum(['ok', 'failed', 'skipped']),
  detail: z.string(),
});

/** The file of a result. */
export const resultSchema = z.object({
  at: z.string(),
  version: z.string(),
  runtime: z.string(),
  system: z.string(),
  isPackaged: z.boolean(),
  rows: z.array(rowSchema),
  /** Links that a later start handed over. */
  linksTaken: z.int().min(0).exactOptional(),
  /** When the end was asked for, with an upload on the line; ISO 8601. */
  quitAt: z.string().exactOptional(),
});
/** What a test of the program found. */
export type SelfTestResult = z.infer<typeof resultSchema>;
/** One line of it. */
export type SelfTestRow = z.infer<typeof rowSchema>;

/** The result as lines that can be pasted into a report. */
export function selfTestTable({ version, runtime, system, isPackaged, rows }: SelfTestResult): string {
  const cell = (text: string): string => text.replaceAll('|', '\\|').replaceAll('\n', ' ');
  return [
    `Self-test of ${version}, ${isPackaged ? 'packaged' : 'unpacked'}, on ${runtime}, ${system}`,
    '',
    '| check | result | detail |',
    '| --- | --- | --- |',
    ...rows.map(({ name, state, detail }) => `| ${cell(name)} | ${state} | ${cell(detail)} |`),
  ].join('\n');
}
