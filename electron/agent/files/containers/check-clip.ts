import type { MediaFacts } from '../../core/naming/file-content.ts';
import {
  containerOf,
  contentOf,
  isNoise,
  isPadding,
  type FileContent,
} from '../../core/naming/file-content.ts';
import { baseName, fileKindOf, type Container } from '../../core/naming/file-kinds.ts';
import type { FileSeen } from '../../core/settle/file-seen.ts';
import type { Failure } from '../../../../shared/domain/failure.ts';
import { err, ok, type Result } from '../../../../shared/lib/result.ts';
import { agentPolicyOf } from '../../core/failures/failure-policy.ts';
import { fileFailure, fileOffline } from '../file-failures.ts';
import { judgeFileFailure } from '../judge-file-failure.ts';
import { SMALL_BYTES } from '../snapshot-file.ts';
import { openFile, type OpenedFile } from '../opened-file.ts';
import type { RootGate } from '../root-gate.ts';
import { systemErrorName } from '../../system-errors.ts';
import { isProvable, isProvenClosed } from './prove-closed.ts';
import { WINDOW_BYTES, type Completeness, type MediaReader } from './media-reader.ts';
import { checkMp4 } from './read-boxes.ts';
import { checkMatroska } from './read-matroska.ts';

/** Whether clips of this container are parsed to their end. */
export function isParsedContainer(container: Container): boolean {
  return container === 'mp4' || container === 'mkv';
}

/** Whether the container of a clip is whole, or why it could not be read. */
export type ClipCheck =
  | (Completeness & {
      readonly content?: FileContent;
      /** Noise or padding, which no container reader can interpret. */
      readonly isMute?: true;
    })
  | { readonly kind: 'unreadable'; readonly failure: Failure };

/**
 * Media facts that need no other reader: those of a parsed clip with a duration, none for noise or padding.
 * Undefined: another reader may know more.
 */
export function factsOf(check: ClipCheck): MediaFacts | undefined {
  if (check.kind === 'complete' && (check.durationMs ?? 0) > 0) return statedFacts(check);
  return check.kind === 'unknown-format' && check.isMute === true ? {} : undefined;
}

/** The facts that the clip's own boxes state. */
export function statedFacts(check: ClipCheck): MediaFacts {
  if (check.kind !== 'complete') return {};
  const { kind: _kind, content: _content, isMute: _isMute, ...stated } = check;
  return stated;
}

/** Bytes of padding at both ends from which a transport stream counts as empty. */
const PADDING_BYTES = 64 * 1024;

async function isMute(
  reader: MediaReader,
  head: Uint8Array,
  content: FileContent | undefined,
): Promise<boolean> {
  if (content === undefined) return isNoise(head);
  if (content !== 'ts' || !isPadding(head)) return false;
  const length = Math.min(PADDING_BYTES, reader.sizeBytes);
  const last = Math.floor((reader.sizeBytes - length) / 188) * 188;
  return isPadding(await reader.read(0, length)) && isPadding(await reader.read(last, length));
}

/**
 * Whether a quiet file is complete, and what it is by its first bytes. Clips in a container that is parsed here must
 * parse to their end. Other clips, documents and files of unknown kinds must only be readable; the rest are not opened.
 * Opens read-only through the gate and keeps nothing. `unreadable` names the root when that is what cannot be read.
 */
export function createClipCheck(gate: RootGate, rootPath: string) {
  return async (path: string, seen: FileSeen): Promise<ClipCheck> => {
    const kind = fileKindOf(baseName(seen.path));
    if (kind.kind !== 'clip' && kind.kind !== 'document' && kind.kind !== 'unknown')
      return { kind: 'unknown-format' };
    const unreadable = async (failure: Failure): Promise<ClipCheck> => ({
      kind: 'unreadable',
      failure: await judgeFileFailure(gate, { rootPath, path, isFolderGone: false }, failure),
    });
    const opened = await open(gate, rootPath, path, seen);
    if (!opened.ok) return unreadable(opened.error);
    try {
      const reader = await opened.value.read();
      const { head } = reader;
      const content = kind.kind === 'document' ? undefined : contentOf(head);
      const named = kind.kind === 'clip' ? kind.container : 'native';
      const container = content === undefined ? named : containerOf(content);
      const isParsed = container !== undefined && isParsedContainer(container);
      const check = isParsed ? await checkComplete(reader, container) : ({ kind: 'unknown-format' } as const);
      const mute = check.kind === 'unknown-format' && (await isMute(reader, head, content));
      gate.noteReadable(path);
      return { ...check, ...(content !== undefined && { content }), ...(mute && { isMute: true }) };
    } catch (error) {
      if (systemErrorName(error) === undefined) throw error;
      return await unreadable(fileFailure(error, seen.path));
    } finally {
      opened.value.close();
    }
  };
}

/**
 * Whether a clip that has stopped changing proves that its writer has closed it. False when it cannot be read: it then
 * waits as long as any other. Rejects with the failure of its root. `isTrusted`: whether clips named as this container
 * may settle early at all; others are not opened.
 */
export function createClosedCheck(
  gate: RootGate,
  rootPath: string,
  isTrusted: (container: Container) => boolean,
) {
  return async (path: string, seen: FileSeen): Promise<boolean> => {
    const kind = fileKindOf(baseName(seen.path));
    if (kind.kind !== 'clip' || !isTrusted(kind.container)) return false;
    const opened = await open(gate, rootPath, path, seen);
    if (!opened.ok) return false;
    try {
      const reader = await opened.value.read();
      const content = contentOf(reader.head);
      const container = content === undefined ? kind.container : containerOf(content);
      return container !== undefined && isProvable(container) && (await isProvenClosed(reader, container));
    } catch (error) {
      if (systemErrorName(error) === undefined) throw error;
      return false;
    } finally {
      opened.value.close();
    }
  };
}

/** A clip opened for a check. */
interface OpenedClip {
  /** Rejects as the reader does. */
  read(): Promise<MediaReader & { readonly head: Uint8Array }>;
  /** Does not wait: a read that hangs in a dead share would block every later scan of the root. */
  close(): void;
}

/** Opens a clip through the gate; a small one is read whole by a thread. Errors: those of `openFile`, FILE_OFFLINE. */
async function open(
  gate: RootGate,
  rootPath: string,
  path: string,
  seen: FileSeen,
): Promise<Result<OpenedClip, Failure>> {
  const { reader } = gate;
  if (reader !== undefined && seen.sizeBytes > 0 && seen.sizeBytes <= SMALL_BYTES) {
    const { sizeBytes, mtimeNs, inode, device } = seen;
    const request = { path, rootPath, name: seen.path, version: { sizeBytes, mtimeNs, inode, device } };
    const held = await gate.run(() => reader.bytes(request));
    if (held.ok) return ok({ read: async () => heldReader(held.value.bytes), close: () => undefined });
    // When handles run out, the gate waits for one
    if (agentPolicyOf(held.error.code).slows !== true) return held;
  }
  const opened = await gate.run(
    () => openFile(path, seen, rootPath, seen.path),
    undefined,
    (late) => void (late.ok && late.value.close()),
  );
  if (!opened.ok) return opened;
  const file = opened.value;
  const close = (): void => void file.close().catch(() => undefined);
  if (!file.isOffline) return ok({ read: () => readerOf(gate, file), close });
  close();
  return err(fileOffline(seen.path));
}

function heldReader(bytes: Uint8Array): MediaReader & { readonly head: Uint8Array } {
  return {
    sizeBytes: bytes.length,
    head: bytes.subarray(0, WINDOW_BYTES),
    read: async (offset, length) => bytes.subarray(offset, offset + length),
  };
}

/** Reads the beginning of the file first: it identifies the file, and most later reads fall into it. */
async function readerOf(
  gate: RootGate,
  file: OpenedFile,
): Promise<MediaReader & { readonly head: Uint8Array }> {
  const buffer = new Uint8Array(WINDOW_BYTES);
  const { sizeBytes } = file.version;
  const first = new Uint8Array(Math.min(WINDOW_BYTES, sizeBytes));
  const head = first.subarray(0, await gate.run(() => file.read(first, 0, first.length, 0)));
  return {
    sizeBytes,
    head,
    read: async (offset, length) => {
      if (offset + length <= head.length) return head.subarray(offset, offset + length);
      const into = length <= buffer.length ? buffer : new Uint8Array(length);
      const bytes = await gate.run(() => file.read(into, 0, length, offset));
      return into.subarray(0, bytes);
    },
  };
}

/**
 * Whether a clip is complete, by its container. `unknown-format`: the container is not parsed here, or the file is not
 * of that container. Rejects with the reader's errors.
 */
export async function checkComplete(reader: MediaReader, container: Container): Promise<Completeness> {
  if (container === 'mp4') return checkMp4(reader);
  if (container === 'mkv') return checkMatroska(reader);
  return { kind: 'unknown-format' };
}
