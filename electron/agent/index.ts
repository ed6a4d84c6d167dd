export { probeService, type Probe } from './api/probe-service.ts';
export { createAgent } from './create-agent.ts';
export type { Agent, AgentConfig, Progress, PushRequest } from './agent.ts';
export type { AgentEvent } from './events.ts';
export type { Clock, Logger, Ports, Secrets } from './ports.ts';
