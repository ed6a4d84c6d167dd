import { createHash, randomUUID } from 'node:crypto';

/** The file that a storage key was issued for. */
export interface KeyOwner {
  readonly incidentId: string;
  readonly fileId: string;
}

/** The keys that the service has issued, and for which file of which incident. */
export interface UploadRegister {
  /** A key for an upload in one piece; with `isStable`, the file keeps its key until an incident lists it. */
  singleKey(owner: KeyOwner, filename: string, isStable: boolean): string;
  /** A key for a multipart upload. */
  multipartKey(owner: KeyOwner, filename: string, isStable: boolean): string;
  ownerOf(key: string): KeyOwner | undefined;
  /** Marks the key as listed by an incident: the next request for its file gets another one. */
  settle(key: string): void;
}

export function createUploadRegister(): UploadRegister {
  const owners = new Map<string, KeyOwner>();
  const pending = new Map<string, string>();
  const pendingNames = new Map<string, string>();
  const issue = (owner: KeyOwner, filename: string) => {
    const key = `vms/${segment(owner.incidentId)}/${segment(owner.fileId)}/${randomUUID().slice(0, 8)}-${filename}`;
    owners.set(key, owner);
    return key;
  };
  const issueStable = (kind: string, owner: KeyOwner, filename: string) => {
    const name = JSON.stringify([kind, owner.incidentId, owner.fileId, filename]);
    const known = pending.get(name);
    if (known !== undefined) return known;
    const key = issue(owner, filename);
    pending.set(name, key);
    pendingNames.set(key, name);
    return key;
  };
  return {
    singleKey: (owner, filename, isStable) =>
      isStable ? issueStable('single', owner, filename) : issue(owner, filename),
    multipartKey: (owner, filename, isStable) =>
      isStable ? issueStable('multipart', owner, filename) : issue(owner, filename),
    ownerOf: (key) => owners.get(key),
    settle(key) {
      const name = pendingNames.get(key);
      if (name === undefined) return;
      pending.delete(name);
      pendingNames.delete(key);
    },
  };
}

/** Longest name of one folder in a key, so that keys stay far below storage's limit of 1,024 bytes. */
const MAX_SEGMENT_LENGTH = 80;

/** An id as one folder of a key; an id that had to be changed gets a digest, so that two ids never share a folder. */
function segment(id: string): string {
  const plain = id.replace(/[^A-Za-z0-9_-]/g, '_').slice(0, MAX_SEGMENT_LENGTH);
  if (plain === id) return plain;
  return `${plain}-${createHash('sha256').update(id).digest('hex').slice(0, 8)}`;
}
