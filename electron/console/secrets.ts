import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';

/** Bytes of randomness in each secret: nothing to guess, in any number of tries. */
const SECRET_BYTES = 32;

/** A new secret that can stand in an address, a cookie and a header: 43 characters. */
export function createSecret(): string {
  return randomBytes(SECRET_BYTES).toString('base64url');
}

/** Whether two texts are the same, in a time that tells nothing about either. */
export function isSameSecret(one: string, other: string): boolean {
  return timingSafeEqual(digest(one), digest(other));
}

/** A key to find a secret by: how long the search takes tells nothing about the secret itself. */
export function secretKey(secret: string): string {
  return digest(secret).toString('base64');
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
