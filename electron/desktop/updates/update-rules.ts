/** What decides whether this copy of the app updates itself. */
export interface UpdateFacts {
  readonly isPackaged: boolean;
  readonly platform: NodeJS.Platform;
  /** What the organisation says. */
  readonly policy: {
    readonly enabled: boolean;
    readonly channel: 'stable' | 'beta';
    readonly feedUrl?: string;
  };
  /** Text of the file that the installer put beside the app (app-update.yml); undefined: there is none. */
  readonly built: string | undefined;
  /** False: the program is a file in a folder that this account may not write to. */
  readonly canReplace: boolean;
  /** The key that updates are checked with; undefined: none was built in. */
  readonly publicKey: string | undefined;
}

/** Whether and from where; `reason` is a sentence for people. */
export type UpdateRules =
  | { readonly kind: 'off'; readonly reason: string }
  | {
      readonly kind: 'on';
      /** Ends with a slash. */
      readonly feedUrl: string;
      /** As the files of the feed are called. */
      readonly channel: 'latest' | 'beta';
      readonly publicKey: string;
    };

/** Decides it. What cannot be checked is not installed: the updater itself would let some of it pass. */
export function decideUpdates(facts: UpdateFacts): UpdateRules {
  const { isPackaged, platform, policy, built, publicKey } = facts;
  if (!isPackaged) return off('This is not an installed app.');
  if (!policy.enabled) return off('Updates are switched off by the policy of this organisation.');
  if (publicKey === undefined) return off('This copy was built without a key to check updates with.');
  if (built === undefined) return off('This copy was not made by an installer that can be updated.');
  if (!facts.canReplace) return off('The program lies in a folder that this account may not write to.');
  // Without it the updater takes any installer on Windows, signed or not
  if (platform === 'win32' && !/^\s*publisherName:\s*\S/m.test(built))
    return off('This copy does not name the publisher whose signature updates must have.');
  const feedUrl = policy.feedUrl ?? builtFeed(built);
  const url = feedUrl === undefined ? null : URL.parse(feedUrl);
  if (url === null || url.protocol !== 'https:' || url.username !== '' || url.password !== '')
    return off('The address of the updates is not one that begins with https.');
  url.search = '';
  url.hash = '';
  if (!url.pathname.endsWith('/')) url.pathname += '/';
  const channel = policy.channel === 'beta' ? 'beta' : 'latest';
  return { kind: 'on', feedUrl: url.href, channel, publicKey };
}

const builtFeed = (built: string): string | undefined =>
  /^url:\s*(?:'([^'\n]+)'|"([^"\n]+)"|(\S+))\s*$/m
    .exec(built)
    ?.slice(1)
    .find((each) => each !== undefined);

const off = (reason: string): UpdateRules => ({ kind: 'off', reason });
