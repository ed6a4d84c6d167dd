import { describeExport } from '../../electron/agent/core/naming/describe-export.ts';
import type { ExportEvidence } from '../../electron/agent/core/naming/described-export.ts';
import type { MediaFacts } from '../../electron/agent/core/naming/file-content.ts';
import type { FileSeen } from '../../electron/agent/core/settle/file-seen.ts';
import { recogniseExport } from '../../electron/agent/core/naming/recognise-export.ts';
import { formatUtc } from '../../electron/agent/core/times/zoned-time.ts';

export const ms = (text: string) => Date.parse(text);
export const iso = (sourced: { readonly value: number } | undefined) => sourced && formatUtc(sourced.value);

/** When the sample files were written: an hour after the recorded time. */
export const FILE_MS = ms('2026-05-01T19:40:00Z');

export const seen = (path: string, more: Partial<FileSeen> = {}): FileSeen => ({
  path,
  kind: 'file',
  sizeBytes: 1000,
  mtimeNs: String(BigInt(FILE_MS) * 1_000_000n),
  inode: '1',
  device: '1',
  links: 1,
  ...more,
});

export const evidence = (
  folder: string,
  files: readonly (string | FileSeen)[],
  more: Partial<ExportEvidence> = {},
): ExportEvidence => ({
  exportRef: {
    rootId: 'r',
    rootPath: '/exports',
    exportPath: folder,
    birthMs: FILE_MS,
    mtimeMs: FILE_MS + 1000,
  },
  recognised: recogniseExport(files.map((file) => (typeof file === 'string' ? seen(file) : file))),
  watch: { timeZone: 'Europe/London', profile: 'auto', clockOffsetSeconds: 0 },
  settledAtMs: FILE_MS + 60_000,
  ...more,
});
export const described = (...input: Parameters<typeof evidence>) => describeExport(evidence(...input));
export const firstClip = (...input: Parameters<typeof evidence>) => {
  const [clip] = described(...input).clips;
  if (clip === undefined) throw new Error('no clip');
  return clip;
};
export const probes = (facts: Readonly<Record<string, MediaFacts>>) => ({
  probes: new Map(Object.entries(facts)),
});
export const nx = 'Gate 4 North_2026_05_01_19_30_05.mkv';
export const nxStart = '2026-05-01T18:30:05.000Z';
export const video = (file: string, more: object = {}) => ({ file, extra: {}, ...more });
export const sidecar = (more: object) => ({ sidecar: { videos: [], extra: {}, ...more } });
