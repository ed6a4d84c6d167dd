import { useEffect, useState } from 'react';
import { useServices } from '../../stores/services.ts';

const MINUTE_MS = 60_000;

/** The time, anew at each full minute: what is going on changes no faster. */
export function useMinute(): number {
  const { clock } = useServices();
  const [nowMs, setNowMs] = useState(() => clock.now());
  useEffect(() => {
    const timer = setTimeout(() => setNowMs(clock.now()), MINUTE_MS - (clock.now() % MINUTE_MS));
    return () => clearTimeout(timer);
  }, [clock, nowMs]);
  return nowMs;
}
