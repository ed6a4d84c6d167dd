import { parentPort } from 'node:worker_threads';
import { lookAtSome } from './entry-stats.ts';
import { readBytes, sumFile } from './snapshot-file.ts';

/** The tasks of the thread; what they return is its answer. */
const tasks = {
  sum: { run: sumFile },
  bytes: { run: readBytes },
  stats: { run: lookAtSome },
};

export type Task = keyof typeof tasks;
export type TaskRequest<T extends Task> = Parameters<(typeof tasks)[T]['run']>[0];
export type TaskAnswer<T extends Task> = ReturnType<(typeof tasks)[T]['run']>;

/** Tasks requested together: one message there and one back. */
export interface TaskBatch {
  readonly id: number;
  readonly asked: readonly { readonly task: Task; readonly request: TaskRequest<Task> }[];
}

/** Buffers that are transferred with an answer instead of copied. */
function heldBy(answer: TaskAnswer<Task>): readonly ArrayBuffer[] {
  return 'ok' in answer && answer.ok && 'bytes' in answer.value ? [answer.value.bytes.buffer] : [];
}

/** Every message pairs a task with a request of its kind. */
const runners: Readonly<Record<Task, { run(request: TaskRequest<Task>): TaskAnswer<Task> }>> = tasks;

parentPort?.on('message', (message: TaskBatch | object) => {
  // Some are for what the same thread does besides
  if (!('asked' in message)) return;
  const { id, asked } = message;
  const answers = asked.map(({ task, request }) => runners[task].run(request));
  // In the order of the requests
  parentPort?.postMessage({ id, answers }, answers.flatMap(heldBy));
});
