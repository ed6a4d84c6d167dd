/**
 * The public half of the key that releases are signed with: 32 bytes, base64, written here by `npm run update-key`
 * (docs/release.md). Without one the app does not update itself. It is not a setting: whoever could change it could
 * distribute programs.
 */
export const updatePublicKey: string | undefined = undefined;
