import { agentSignalSchema, type AgentSignal } from '../../shared/ipc/events.ts';

/** Longest event that is believed, characters; the agent's own are far below. */
const MAX_EVENT_LENGTH = 1_000_000;

/** The agent writes a line every 15 s, even when there is nothing to say: after this silence it is gone, milliseconds. */
export const LONGEST_SILENCE_MS = 40_000;

/** Reads server-sent events until the stream ends or falls silent; lines that are no signals are left out. */
export async function readEvents(
  stream: ReadableStream<Uint8Array>,
  take: (signal: AgentSignal) => void,
): Promise<void> {
  const decoder = new TextDecoder();
  const reader = stream.getReader();
  let pending = '';
  try {
    for (;;) {
      const { done, value } = await readInTime(reader);
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
  } finally {
    // Frees the connection; what it answers is of no interest any more
    reader.cancel().catch(() => undefined);
  }
}

/** A process that hangs keeps its connections open: only its silence tells. */
async function readInTime(
  reader: ReadableStreamDefaultReader<Uint8Array>,
): Promise<ReadableStreamReadResult<Uint8Array>> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const silence = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error('The agent fell silent')), LONGEST_SILENCE_MS);
  });
  try {
    return await Promise.race([reader.read(), silence]);
  } finally {
    clearTimeout(timer);
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
