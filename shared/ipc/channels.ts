/**
 * The channels between a window and the main process; there are no others. `call` and `order` are requests (invoke),
 * `signal` and `event` are sent to the window.
 */
export const channels = {
  /** A request of the contract (envelope.ts), answered with its reply. */
  call: 'agent:call',
  /** A signal of the agent (events.ts). */
  signal: 'agent:signal',
  /** A command of desktop.ts, answered with its reply. */
  order: 'desktop:order',
  /** An event of desktop.ts. */
  event: 'desktop:event',
} as const;
Object.freeze(channels);
