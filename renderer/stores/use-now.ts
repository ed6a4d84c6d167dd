import { useEffect, useEffectEvent, useState } from 'react';
import type { ProgressState } from './progress.ts';
import { useServices } from './services.ts';

/** The time, anew at each full second. */
export function useNow(): number {
  const { clock } = useServices();
  const [nowMs, setNowMs] = useState(() => clock.now());
  useEachSecond(() => setNowMs(clock.now()));
  return nowMs;
}

/**
 * What is selected of the progress, as it is at each full second: nobody reads numbers faster, and each change costs a
 * frame, which is one with that of the clocks.
 */
export function useCalmProgress<T extends number | string>(select: (progress: ProgressState) => T): T {
  const { progress } = useServices();
  const [shown, setShown] = useState(() => select(progress.getState()));
  useEachSecond(() => setShown(select(progress.getState())));
  return shown;
}

function useEachSecond(act: () => void): void {
  const { clock } = useServices();
  const onSecond = useEffectEvent(act);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout>;
    const wait = (): void => {
      timer = setTimeout(
        () => {
          onSecond();
          wait();
        },
        1000 - (clock.now() % 1000),
      );
    };
    wait();
    return () => clearTimeout(timer);
  }, [clock]);
}
