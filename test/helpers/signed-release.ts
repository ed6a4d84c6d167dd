import { createHash, generateKeyPairSync, sign } from 'node:crypto';

/** A publisher of releases with a key of its own. */
export function createMaker() {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  return {
    /** The key in the format that is built into the app. */
    publicKey: publicKey.export({ type: 'spki', format: 'der' }).subarray(-32).toString('base64'),
    /** The signed manifest of a release, as published on the server. */
    release(version: string, files: Readonly<Record<string, string>>, share?: number) {
      const list = Object.entries(files).map(([name, content]) => ({
        name,
        sha512: createHash('sha512').update(content).digest('base64'),
        size: Buffer.byteLength(content),
      }));
      const signature = sign(null, Buffer.from(JSON.stringify({ version, share, files: list })), privateKey);
      return {
        version,
        ...(share !== undefined && { share }),
        files: list,
        signature: signature.toString('base64'),
      };
    },
  };
}
