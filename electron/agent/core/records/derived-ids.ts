import { v5 as uuidV5 } from 'uuid';
import {
  clipId,
  deskId,
  incidentId,
  rootId,
  type ClipId,
  type DeskId,
  type IncidentId,
  type RootId,
} from '../../../../shared/domain/ids.ts';
import { baseName, isKnownExtension, splitName } from '../naming/file-kinds.ts';

/** Namespace of all ids that this product derives. */
const NAMESPACE = '6f0d3a86-5f4e-4e6b-9a53-0f6f1f2d7c11';

/** The owner that IDs are derived from: the site if several desks share one, otherwise the desk (service.md gap 11). */
export const idOwner = (siteId: string, desk: DeskId): DeskId => (siteId === '' ? desk : deskId(siteId));

/** Id of a watched root, from the desk and the root's real path. */
export function rootIdOf(desk: DeskId, realPath: string): RootId {
  return rootId(uuidV5(`root\n${desk}\n${realPath}`, NAMESPACE));
}

/**
 * Id of an incident (service.md gap 11): the same export folder always gives the same id, a reused name a different
 * one.
 */
export function incidentIdOf(desk: DeskId, root: string, exportPath: string, birthMs: number): IncidentId {
  return incidentId(uuidV5(`incident\n${desk}\n${root}\n${exportPath}\n${birthMs}`, NAMESPACE));
}

/** Id of a clip (service.md gap 12). Generations after the first add `#2`, `#3` ... to the path. */
export function clipIdOf(incident: string, path: string, generation: number): ClipId {
  const suffix = generation === 1 ? '' : `#${generation}`;
  return clipId(uuidV5(`clip\n${incident}\n${path}${suffix}`, NAMESPACE));
}

/** Longest stem in a name that is sent, characters (service.md gap 30). */
const MAX_STEM_LENGTH = 64;

/** How much of the video id goes into the name, characters (service.md gap 30). */
const ID_LENGTH = 8;

/**
 * The `filename` that the service gets (service.md gap 30): ASCII letters, digits, `-` and `_`, the start
 * of the video id, a known extension. The original name is never sent as a path or key.
 */
export function serviceFileName(originalPath: string, videoId: string): string {
  const { stem, extension } = splitName(baseName(originalPath));
  const reduced = stem
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .replace(/[^A-Za-z0-9_-]+/g, '_')
    .slice(0, MAX_STEM_LENGTH)
    .replace(/^_+|_+$/g, '');
  const known = isKnownExtension(extension) ? extension : 'bin';
  return `${reduced === '' ? 'clip' : reduced}-${videoId.slice(0, ID_LENGTH)}.${known}`;
}

/** The start of an id as part of a file name on any system: an id from a sidecar may contain what Windows forbids. */
export const idInName = (id: string): string => id.slice(0, ID_LENGTH).replaceAll(/[^A-Za-z0-9_-]/g, '_');
