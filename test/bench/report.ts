import { cpus, loadavg, release, totalmem } from 'node:os';
import type { CaseReport } from './bench-run.ts';
import { GIB } from './figures.ts';
import type { Tool } from './tools.ts';

/** The table of a case with its verdicts, as Markdown. */
export function caseText({ title, columns, rows, verdicts }: CaseReport): string {
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  const table = [line(columns), line(columns.map(() => '---')), ...rows.map(line)];
  const said = verdicts.map(({ text, isReached }) => `- ${isReached ? 'reached' : 'MISSED'}: ${text}`);
  return `\n### ${title}\n\n${table.join('\n')}\n${said.length > 0 ? `\n${said.join('\n')}\n` : ''}`;
}

/** The facts that a reader needs to judge the figures; nothing that identifies the machine. */
export function machineFacts(tools: readonly Tool[]) {
  const processors = cpus();
  return {
    date: new Date().toISOString().slice(0, 10),
    processors: `${processors.length} x ${processors[0]?.model ?? 'unknown'}`,
    memoryGib: Math.round(totalmem() / GIB),
    kernel: release(),
    node: process.versions.node,
    loadBefore: loadavg()[0]?.toFixed(2),
    tools: tools.map(({ name, version, startSeconds }) => ({ name, version, startSeconds })),
  };
}
