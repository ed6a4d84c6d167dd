import type { HelpPage } from '../../../shared/ipc/desktop.ts';

/** Opens an address in the system's browser. */
interface Browser {
  openExternal(url: string): Promise<void>;
}

const PROJECT = 'https://vms-export-agent.example/docs/';

/** Every address that this app opens in a browser. A page chooses one by its name and can add nothing to it. */
export const helpAddresses = {
  readme: `${PROJECT}readme`,
  operations: `${PROJECT}operations`,
  changelog: `${PROJECT}changelog`,
  licences: `${PROJECT}licences`,
} as const satisfies Readonly<Record<HelpPage, `https://${string}`>>;

/** Opens a page of the help; the only way from this app to a browser. Rejects when the system has none. */
export function openHelpPage(browser: Browser, page: HelpPage): Promise<void> {
  return browser.openExternal(helpAddresses[page]);
}
