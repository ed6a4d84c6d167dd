import type { Agent, AgentEvent, Logger } from '../agent/index.ts';

/** What each fact of the agent is in the log, and from which level on it is read. */
const lines = {
  'incident.found': ['info', 'An export became an incident'],
  'incident.synced': ['info', 'An incident was told to the service'],
  'clip.uploaded': ['info', 'A clip was sent'],
  'clip.failed': ['warn', 'A clip failed'],
  'clip.retrying': ['warn', 'A clip is tried again later'],
  'file.held': ['warn', 'A file waits'],
  'circuit.paused': ['warn', 'A circuit of the queue is paused'],
  'circuit.resumed': ['info', 'A circuit of the queue is running again'],
  'root.offline': ['warn', 'A watched folder cannot be reached'],
  'root.online': ['info', 'A watched folder can be reached again'],
  warning: ['warn', 'The agent warns'],
} as const satisfies Readonly<Record<AgentEvent['event'], readonly ['info' | 'warn', string]>>;

/**
 * Writes what the agent did into the log: pages show how things are now, support asks how they were. Answers the
 * function that ends it.
 */
export function logEvents(events: Agent['events'], logger: Logger): () => void {
  return events.on(({ event, ...facts }) => {
    const [level, line] = lines[event];
    if (!('message' in facts)) return logger[level](line, facts);
    // A line has a message of its own
    const { message: reason, ...rest } = facts;
    logger[level](line, { ...rest, reason });
  });
}
