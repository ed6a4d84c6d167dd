import { useEffect, useState } from 'react';
import { useServices } from './services.ts';

/** The time, anew at each full second. */
export function useNow(): number {
  const { clock } = useServices();
  const [nowMs, setNowMs] = useState(() => clock.now());
  useEffect(() => {
    const timer = setTimeout(() => setNowMs(clock.now()), 1000 - (clock.now() % 1000));
    return () => clearTimeout(timer);
  }, [clock, nowMs]);
  return nowMs;
}
