export { connectTeam, type TeamConnection } from './api/connect-team.ts';
export { checkConnection } from './api/check-connection.ts';
export { createAgent } from './create-agent.ts';
export type { Agent, AgentConfig, Progress, PushRequest } from './agent.ts';
export type { AgentEvent } from './events.ts';
export type { Clock, Logger, Ports, Secrets } from './ports.ts';
