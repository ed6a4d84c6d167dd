import type { Agent } from '../../electron/agent/index.ts';
import type { Transport } from '../../shared/ipc/caller.ts';

/** Carries calls to an agent in this process. Both ways are cloned, as between a window and its host. */
export function memoryTransport(agent: Pick<Agent, 'call'>): Transport {
  return async (request) => structuredClone(await agent.call(structuredClone(request)));
}
