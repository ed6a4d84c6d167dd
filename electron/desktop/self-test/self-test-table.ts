import { z } from 'zod';

const rowSchema = z.object({
  name: z.string(),
  state: z.enum(['ok', 'failed', 'skipped']),
  detail: z.string(),
});

/** Contents of a result file. */
export const resultSchema = z.object({
  at: z.string(),
  version: z.string(),
  runtime: z.string(),
  system: z.string(),
  isPackaged: z.boolean(),
  rows: z.array(rowSchema),
  /** App links that a later start passed on. */
  linksTaken: z.int().min(0).exactOptional(),
  /** When quitting was requested, during an upload; ISO 8601. */
  quitAt: z.string().exactOptional(),
});
/** The result of a self-test. */
export type SelfTestResult = z.infer<typeof resultSchema>;
/** One row of the result. */
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
