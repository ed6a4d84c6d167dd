import type { Agent } from '../../electron/agent/index.ts';
import type { Transport } from '../../shared/ipc/caller.ts';

/** Carries calls to an agent in this process. Requests and answers are cloned, as between a window and its host. */
export function memoryTransport(agent: Pick<Agent, 'call'>): Transport {
  return async (request) => structuredClone(await agent.call(structuredClone(request)));
}
