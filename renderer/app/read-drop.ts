/** The part of a dropped thing that is looked at: the browser says whether it is a folder, if it says anything. */
export interface DroppedItem {
  readonly kind: string;
  webkitGetAsEntry(): { readonly isDirectory: boolean } | null;
  getAsFile(): File | null;
}

/** What was dropped: folders, and how many files beside them. */
export interface Drop {
  readonly folders: readonly File[];
  readonly files: number;
}

/** Reads a drop. It can be read only as long as its event is handled. */
export function readDrop(items: Iterable<DroppedItem>): Drop {
  const folders: File[] = [];
  let files = 0;
  for (const item of items) {
    const file = item.kind === 'file' ? item.getAsFile() : null;
    if (file === null) continue;
    if (item.webkitGetAsEntry()?.isDirectory === true) folders.push(file);
    else files += 1;
  }
  return { folders, files };
}
