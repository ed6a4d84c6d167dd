import { useServices } from '../../stores/services.ts';

/** Names a CSV file of today, in UTC: "users-2026-05-01.csv". */
export function useFileName(): (what: string) => string {
  const { clock } = useServices();
  return (what) => `${what}-${new Date(clock.now()).toISOString().slice(0, 10)}.csv`;
}
