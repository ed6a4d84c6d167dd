import { readFileSync } from 'node:fs';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import type { TestContext } from 'vitest';
import { startBench } from './agent-bench.ts';
import { startForwardProxy, type ProxyManners } from './forward-proxy.ts';
import { rewriteUrls, startFront } from './front.ts';

const read = (name: string) => readFileSync(new URL(`../fixtures/tls/${name}`, import.meta.url), 'utf8');

/** The name in the certificate `wrong-name`. It cannot be resolved on this PC; only the proxy knows it. */
const NAME = 'other.example.com';
export const SERVICE = `${NAME}:443`;
export const STORAGE = `${NAME}:8443`;
/** Key and certificate of this name. */
export const named = { key: read('server.key'), cert: read('wrong-name.crt') };
/** Key and certificate of 127.0.0.1. */
export const local = { key: read('server.key'), cert: read('good.crt') };

/** Trusts the test authority, as when an administrator adds the company's authority to the system's list. */
export function trustTestAuthority(): void {
  setDefaultCACertificates([...getCACertificates('default'), read('ca.crt')]);
}

type Bench = Omit<NonNullable<Parameters<typeof startBench>[1]>, 'baseUrl'>;

interface DeskOptions extends Bench {
  readonly manners?: Partial<ProxyManners>;
  /** Merged into the section `proxy`, beside the address. */
  readonly proxy?: Readonly<Record<string, unknown>>;
  readonly overTls?: boolean;
  /** The content of the file with name and password, each time it is read. */
  readonly passwords?: () => string;
}

/** An agent that can reach its service and storage, both over TLS and by name, only through a proxy. */
export async function startProxyDesk(
  context: Pick<TestContext, 'onTestFinished'>,
  options: DeskOptions = {},
) {
  const { manners, proxy: more, overTls = false, passwords, ...rest } = options;
  const proxy = await startForwardProxy(context, { knows: {}, ...manners }, overTls ? local : undefined);
  const bench = await startBench(context, {
    ...rest,
    ...(passwords !== undefined && {
      secrets: (simulator) => ({
        apiKey: async () => simulator.apiKey,
        proxyCredentials: async () => passwords(),
      }),
    }),
    settings: {
      ...rest.settings,
      proxy: { url: proxy.url, ...more },
      upload: { hosts: [STORAGE], ...section(rest.settings?.['upload']) },
    },
    baseUrl: async (simulator) => {
      const storage = await startFront(context, { target: simulator.storageUrl, tls: named });
      const rewrite = rewriteUrls((url) => url.replace(simulator.storageUrl, `https://${STORAGE}`));
      const target = new URL(simulator.baseUrl).origin;
      const service = await startFront(context, { target, rewrite, tls: named });
      proxy.change({ knows: { [SERVICE]: portOf(service.url), [STORAGE]: portOf(storage.url) } });
      return `https://${NAME}/v1`;
    },
  });
  return { bench, proxy };
}

const portOf = (url: string) => Number(new URL(url).port);
const section = (value: unknown) => (typeof value === 'object' && value !== null ? value : {});
