const UTC_TIME = /^(\d{4}-\d{2}-\d{2})T(\d{2}:\d{2})(?::\d{2}(?:\.\d+)?)?(?:Z|\+00:00)$/;

/** A time in UTC to the minute, for a narrow table: "2026-05-01 19:30". What is no such time stays as it came. */
export function shortTime(time: string | undefined): string {
  return (time ?? '').replace(UTC_TIME, '$1 $2');
}
