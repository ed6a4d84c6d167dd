const MIB = 1024 * 1024;
const SIZES_MIB = [8, 16, 32, 64, 128, 256, 512];

/** Sizes of parts to choose from, with the one in use when it is another. */
export function partSizes(
  current: number | undefined,
): readonly { readonly bytes: number; readonly mib: number }[] {
  const sizes = SIZES_MIB.map((mib) => mib * MIB);
  const all = current === undefined || sizes.includes(current) ? sizes : [...sizes, current];
  return all
    .toSorted((left, right) => left - right)
    .map((bytes) => ({ bytes, mib: Math.round((bytes / MIB) * 100) / 100 }));
}

/** Hosts as they are typed, one a line or between commas. An empty last line stays: it is being typed. */
export function readHosts(text: string): string[] {
  return text.split(/[\n,]/).map((host) => host.trim());
}
