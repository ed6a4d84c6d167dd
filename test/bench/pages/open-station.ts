import { chromium, type Browser, type CDPSession, type Page } from '@playwright/test';
import { mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { startAgent, type AgentRun, type ConsoleEvent, type ToldEvent } from '../../demo/run-agent.ts';
import { createEventBook } from '../../demo/event-book.ts';
import { startSimulator, type Simulator } from '../../simulator/index.ts';
import { makeLargeClip } from '../make-files.ts';
import { watchFirstRows } from './in-page.ts';

/** A desk to measure: service, agent and browser, each a process of its own except for the service. */
export interface Station {
  readonly page: Page;
  readonly devtools: CDPSession;
  /** Shows the uploads in a freshly loaded page. */
  load(): Promise<void>;
  /** Puts large clips into the watched folder; resolves when all of them are being uploaded. */
  sendClips(count: number): Promise<void>;
  stop(): Promise<void>;
}

/** So slow that none is finished before everything is measured. */
const BYTES_PER_SECOND = 600_000;
const LIVE_MIB = 96;
const PART_BYTES = 5_242_880;
const SETTLE_SECONDS = 0.5;
const START_LIMIT_MS = 60_000;
const viewport = { width: 1440, height: 820 };
const browserFlags = ['--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking'];

/** Opens the desk over the data directory `home/data`. */
export async function openStation(home: string, chromiumPath: string): Promise<Station> {
  const simulator = await startSimulator({ discard: true });
  const root = join(home, 'exports');
  mkdirSync(root);
  const { agent, url } = await openAgent(home, simulator);
  const browser = await chromium.launch({ executablePath: chromiumPath, args: browserFlags });
  const page = await openPage(browser, url);
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('Performance.enable');
  // With every incident expanded: the longest list possible
  const uploads = `${new URL(url).origin}/#/uploads?open=true`;
  return {
    page,
    devtools,
    async load() {
      // Another document in between: otherwise only the part after # changes, and nothing is loaded
      await page.goto('about:blank');
      await page.goto(uploads);
    },
    async sendClips(count) {
      for (let number = 1; number <= count; number += 1) {
        const folder = join(home, `Flare at gate ${number}`);
        mkdirSync(folder);
        // Clips with the same bytes would be copies, which are not sent
        await makeLargeClip(join(folder, `Gate ${number} North.mp4`), LIVE_MIB, number);
        renameSync(folder, join(root, `Flare at gate ${number}`));
      }
      await until(async () => (await simulator.openUploads()).length === count, `${count} uploads under way`);
    },
    async stop() {
      await browser.close();
      await agent.stop();
      await simulator.stop();
    },
  };
}

async function openAgent(
  home: string,
  { baseUrl, apiKey }: Simulator,
): Promise<{ readonly agent: AgentRun; readonly url: string }> {
  const configFile = join(home, 'agent.json');
  writeFileSync(join(home, 'key.txt'), apiKey, { mode: 0o600 });
  const upload = {
    multipartThresholdBytes: PART_BYTES,
    partSizeBytes: PART_BYTES,
    concurrentFiles: 4,
    maxBytesPerSecond: BYTES_PER_SECOND,
  };
  const watch = [{ path: 'exports', settleSeconds: SETTLE_SECONDS }];
  writeFileSync(configFile, JSON.stringify({ baseUrl, apiKeyFile: 'key.txt', watch, upload }));
  const book = createEventBook();
  const agent = startAgent({
    configFile,
    dataDir: join(home, 'data'),
    once: false,
    consolePort: await freePort(),
    onEvent: book.add,
    onNote: (text) => console.error(text),
  });
  const opened = book.until((event) => event.event === 'console');
  const ended = agent.ended.then((how) => Promise.reject(new Error(`The agent ended with ${how}`)));
  // It ends in order later, when nobody awaits this any more
  ended.catch(() => undefined);
  const event = await Promise.race([opened, ended]);
  if (!isConsole(event)) throw new Error('The agent told no address');
  return { agent, url: event.url };
}

const isConsole = (event: ToldEvent): event is ConsoleEvent => event.event === 'console';

async function openPage(browser: Browser, launchUrl: string): Promise<Page> {
  const context = await browser.newContext({ viewport, colorScheme: 'dark', locale: 'en-GB' });
  const page = await context.newPage();
  await page.addInitScript(watchFirstRows);
  await page.goto(launchUrl);
  // The session's token is given out once: if a page is closed before it has stored it, later ones are refused
  await page.getByRole('navigation').waitFor();
  return page;
}

/** A port that was just free. */
function freePort(): Promise<number> {
  const server = createServer();
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() =>
        typeof address === 'object' && address !== null
          ? resolve(address.port)
          : reject(new Error('No port')),
      );
    });
  });
}

async function until(fact: () => Promise<boolean>, what: string): Promise<void> {
  const deadline = AbortSignal.timeout(START_LIMIT_MS);
  while (!(await fact())) {
    if (deadline.aborted) throw new Error(`${what} did not come within ${START_LIMIT_MS} ms`);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}
