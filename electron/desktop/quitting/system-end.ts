import type { QuitProtocol } from './quit-app.ts';

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** What tells that the system ends, as much as is used. `shutdown`: Linux and macOS. */
export interface SystemEndSource {
  readonly powerMonitor: {
    on(event: 'shutdown', listener: (event?: { preventDefault(): void }) => void): unknown;
  };
  readonly process: { on(signal: (typeof SIGNALS)[number], listener: () => void): unknown };
}

/** Ends in order when the system does. The queue is on the disk with every step, so the system is never held up for long. */
export function followSystemEnd(
  { powerMonitor, process }: SystemEndSource,
  quit: Pick<QuitProtocol, 'quit'>,
): void {
  const end = (): void => void quit.quit('system');
  powerMonitor.on('shutdown', (event) => {
    // Asks the system to wait until the app is gone
    event?.preventDefault();
    end();
  });
  for (const signal of SIGNALS) process.on(signal, end);
}
