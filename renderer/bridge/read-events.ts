import { agentSignalSchema, type AgentSignal } from '../../shared/ipc/events.ts';

/** Longest event that is believed, characters; the agent's own are far below. */
const MAX_EVENT_LENGTH = 1_000_000;

/** Reads server-sent events until the stream ends; lines that are no signals are left out. */
export async function readEvents(
  stream: ReadableStream<Uint8Array>,
  take: (signal: AgentSignal) => void,
): Promise<void> {
  const decoder = new TextDecoder();
  const reader = stream.getReader();
  let pending = '';
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    pending += decoder.decode(value, { stream: true });
    if (pending.length > MAX_EVENT_LENGTH) throw new Error('The event stream is not one of the agent');
    const lines = pending.split('\n');
    pending = lines.pop() ?? '';
    for (const line of lines) {
      const signal = parseLine(line);
      if (signal !== undefined) take(signal);
    }
  }
}

function parseLine(line: string): AgentSignal | undefined {
  if (!line.startsWith('data:')) return undefined;
  try {
    return agentSignalSchema.safeParse(JSON.parse(line.slice('data:'.length))).data;
  } catch {
    return undefined;
  }
}
