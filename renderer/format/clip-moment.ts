/** A time within a clip as players show it: "0:03", "12:40", "1:02:03". */
export function formatClipMoment(atMs: number): string {
  const seconds = Math.floor(Math.max(0, atMs) / 1000);
  const pad = (value: number): string => String(value).padStart(2, '0');
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes}:${pad(seconds % 60)}`;
  return `${Math.floor(minutes / 60)}:${pad(minutes % 60)}:${pad(seconds % 60)}`;
}
