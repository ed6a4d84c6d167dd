/** What `npm start` runs: the desktop app, or the agent without it and the sentence that says why. */
export type StartHost =
  | { readonly kind: 'desktop'; readonly executable: string }
  | { readonly kind: 'headless'; readonly notice: string };

/** The system as the choice needs it. */
export interface HostFacts {
  readonly platform: NodeJS.Platform;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** The runtime's executable when it is there. */
  find(): string | undefined;
  /** Tries to get it; answers what went wrong, in a few words, or nothing. */
  fetch(): Promise<string | undefined>;
}

/** The desktop app wherever it can run. The runtime is fetched only where a window could be shown. */
export async function chooseHost({ platform, environment, find, fetch }: HostFacts): Promise<StartHost> {
  const hasScreen =
    platform !== 'linux' || Boolean(environment['DISPLAY']) || Boolean(environment['WAYLAND_DISPLAY']);
  const present = find();
  if (!hasScreen)
    return headless(
      present === undefined ? `The Electron runtime is missing, and ${noScreen}` : sentence(noScreen),
    );
  if (present !== undefined) return { kind: 'desktop', executable: present };
  const reason = await fetch();
  const fetched = find();
  if (fetched !== undefined) return { kind: 'desktop', executable: fetched };
  return headless(`The Electron runtime is missing and could not be loaded (${reason ?? 'no reason given'})`);
}

const noScreen = 'there is no screen here (DISPLAY and WAYLAND_DISPLAY are not set)';
const sentence = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}`;

const headless = (why: string): StartHost => ({
  kind: 'headless',
  notice: `${why}: the agent starts without the desktop app, with its console in the browser.`,
});
