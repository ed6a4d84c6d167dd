import type { Agent, Clock, Logger } from '../agent/index.ts';
import type { DeskState } from './tray/health-poll.ts';

/** Time without a byte after which the PC may fall asleep by itself, milliseconds: a retry on a bad line takes as long. */
const REST_MS = 60_000;

/** What Electron tells and does about power, as much as is used. */
export interface PowerDeps {
  readonly powerMonitor: { on(event: 'suspend' | 'resume', listener: () => void): unknown };
  readonly powerSaveBlocker: {
    start(type: 'prevent-app-suspension'): number;
    stop(id: number): unknown;
  };
  readonly agent: Pick<Agent, 'suspend' | 'resume'>;
  readonly clock: Pick<Clock, 'monotonic'>;
  readonly logger: Logger;
}

/**
 * Takes the agent through sleeps of the PC and keeps it awake while bytes move. A locked screen and a battery change
 * nothing: the control room waits for the clips all the same.
 */
export function followPower({ powerMonitor, powerSaveBlocker, agent, clock, logger }: PowerDeps): {
  readonly update: (state: DeskState) => void;
  readonly stop: () => void;
} {
  let blocker: number | undefined;
  let lastBytes: number | undefined;
  let movedMs = clock.monotonic();

  const sleep = (work: Promise<void>): void => {
    work.catch((error: unknown) =>
      logger.error('A sleep of the PC was not gone through in order', { error }),
    );
  };
  powerMonitor.on('suspend', () => {
    logger.info('The PC goes to sleep; nothing is begun till it wakes up');
    letSleep();
    sleep(agent.suspend());
  });
  powerMonitor.on('resume', () => {
    logger.info('The PC woke up');
    sleep(agent.resume());
  });

  function letSleep(): void {
    if (blocker !== undefined) powerSaveBlocker.stop(blocker);
    blocker = undefined;
  }

  return {
    update({ progress }) {
      const bytes = progress.bytesUploaded + progress.bytesInFlight;
      const now = clock.monotonic();
      const hasMoved = lastBytes !== undefined && bytes !== lastBytes;
      lastBytes = bytes;
      if (hasMoved) {
        movedMs = now;
        blocker ??= powerSaveBlocker.start('prevent-app-suspension');
      } else if (now - movedMs >= REST_MS) {
        letSleep();
      }
    },
    stop: letSleep,
  };
}
