import type { Logger } from '../../../../electron/agent/ports.ts';

/** A logger that keeps its lines, each as one text that includes the causes of errors. */
export function createCollectedLog() {
  const lines: string[] = [];
  const at = (level: string) => (message: string, fields?: Readonly<Record<string, unknown>>) =>
    void lines.push(`${level} ${message} ${JSON.stringify(fields, plain)}`);
  const logger: Logger = { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') };
  return { logger, lines };
}

function plain(_: string, value: unknown): unknown {
  return value instanceof Error ? { message: value.message, cause: value.cause } : value;
}
