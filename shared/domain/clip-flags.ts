/** What a person should know about a clip at a glance; kept with it. */
export const clipFlags = [
  'needs-vendor-player',
  'hard-link',
  'hidden-characters',
  'time-doubled-hour',
  'time-nonexistent',
  'time-order',
  'time-unlikely',
  'clocks-differ',
  'zone-unlikely',
  'duration-differs',
  'not-listed',
] as const;
/** One of `clipFlags`. */
export type ClipFlag = (typeof clipFlags)[number];
