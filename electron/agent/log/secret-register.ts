import { secretsOf } from '../core/settings/choose-proxy.ts';
import { secretForms } from '../core/text/redact.ts';
import type { Secrets } from '../ports.ts';

/** Secrets that were handed out in this run: all output is searched for them. */
export interface SecretRegister {
  add(secret: string): void;
  /** All forms of all secrets, longest first. */
  forms(): readonly string[];
}

/** Creates an empty register. Secrets are never removed: a replaced key may still appear in an old response. */
export function createSecretRegister(): SecretRegister {
  const known = new Set<string>();
  let forms: readonly string[] = [];
  return {
    add(secret) {
      if (known.has(secret)) return;
      known.add(secret);
      forms = [...known]
        .flatMap((each) => secretForms(each))
        .toSorted((left, right) => right.length - left.length);
    },
    forms: () => forms,
  };
}

/** The same secrets, each registered before it is handed out. */
export function registerSecrets(secrets: Secrets, register: SecretRegister): Secrets {
  const { proxyCredentials } = secrets;
  return {
    ...secrets,
    async apiKey() {
      const key = await secrets.apiKey();
      if (key !== undefined) register.add(key);
      return key;
    },
    ...(proxyCredentials !== undefined && {
      async proxyCredentials(file: string) {
        const credentials = await proxyCredentials(file);
        for (const secret of secretsOf(credentials)) register.add(secret);
        return credentials;
      },
    }),
  };
}
