import { generateKeyPairSync, sign } from 'node:crypto';
import { signPolicy } from '../../scripts/sign.ts';

/** Address of the tests' signed policy. */
export const POLICY_URL = 'https://policy.example.com/desks.json';
export const ISSUED_AT = '2026-11-20T08:00:00.000Z';

/** An organisation with a key of its own. */
export function createSigner() {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
  return {
    /** The key in the format that desks use. */
    publicKey: publicKey.export({ type: 'spki', format: 'der' }).subarray(-32).toString('base64'),
    /** A document signed as the script signs it. */
    document: (policy: Readonly<Record<string, unknown>> = {}): string =>
      signPolicy(JSON.stringify(policyOf(policy)), pem, new Date(ISSUED_AT)),
    /** A document around any text, which the script would not sign; `purpose` is signed in front of it. */
    around(policy: string, purpose = 'vms-export-agent policy\n'): string {
      const signature = sign(null, Buffer.from(purpose + policy), privateKey).toString('base64');
      return JSON.stringify({ policy, signature });
    },
  };
}

/** A policy with these members instead of the usual ones. */
export const policyOf = (members: Readonly<Record<string, unknown>> = {}) => ({
  address: POLICY_URL,
  sequence: 5,
  issuedAt: ISSUED_AT,
  managed: { upload: { concurrentFiles: 3 } },
  ...members,
});
