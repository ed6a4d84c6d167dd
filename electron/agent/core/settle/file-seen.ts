/** A file as one look at its folder saw it. Paths are relative to the export folder with `/` between names. */
export interface FileSeen {
  readonly path: string;
  readonly kind: 'file' | 'link' | 'directory' | 'other';
  readonly sizeBytes: number;
  /** Modification time, nanoseconds since 1970 as decimal text: exact, and comparable as it stands. */
  readonly mtimeNs: string;
  readonly inode: string;
  readonly device: string;
  /** Number of hard links. */
  readonly links: number;
}

/** What identifies the bytes of a file at one moment: equal versions are taken for equal bytes until hashes say otherwise. */
export interface FileVersion {
  readonly sizeBytes: number;
  readonly mtimeNs: string;
  readonly inode: string;
  readonly device: string;
}

/** An export folder: one incident. */
export interface ExportRef {
  readonly rootId: string;
  /** Absolute path of the watched root. */
  readonly rootPath: string;
  /** Path of the export inside the root; one name for a child folder. */
  readonly exportPath: string;
  /** Birth time of the export folder, milliseconds since 1970 (0 where the file system knows none). */
  readonly birthMs: number;
  /** Modification time of the export folder, milliseconds since 1970. */
  readonly mtimeMs: number;
}
