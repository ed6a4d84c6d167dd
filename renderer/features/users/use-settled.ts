import { useEffect, useState } from 'react';

/** So long nothing more was typed, milliseconds: each question to the service counts against its limits. */
const SETTLE_MS = 300;

/** A text that is being typed, as it was when the typing last paused. */
export function useSettled(text: string): string {
  const [settled, setSettled] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), SETTLE_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return settled;
}
