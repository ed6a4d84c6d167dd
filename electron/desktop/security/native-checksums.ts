/**
 * What `nativeDigest` says of the native modules of better-sqlite3 that packages carry, by system and processor; a new
 * version of it brings new ones. None for macOS: its loader takes only what is signed by the maker of the program.
 */
export const nativeChecksums: ReadonlyMap<string, string> = new Map([
  ['linux-arm64', 'bfa8c1f220b9430cb99c1197d5772e255aad3c90847572a202b29872ce1bcb4e'],
  ['linux-x64', '1a03a2916dd210925f8a074d460f0f7a2a28b1aeed2a1c3e2bf1a3b0322276cf'],
  ['win32-arm64', '12fd379eff6d1410c68bda06375bacd78f59ef4f443a2919e03d61ee75dd4845'],
  ['win32-x64', '5a4f4f1f4347d3a9ff54afa469bc8842a1a3e6fceed359066e8602e0bb4a0850'],
]);
