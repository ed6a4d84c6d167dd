import { parentPort } from 'node:worker_threads';
import { lookAtSome } from './entry-stats.ts';
import { lookAgain, readBytes, takeSnapshot } from './snapshot-file.ts';

/** What the thread does, and what it answers. */
const tasks = { read: takeSnapshot, bytes: readBytes, look: lookAgain, stats: lookAtSome };

export type Task = keyof typeof tasks;
export type TaskRequest<T extends Task> = Parameters<(typeof tasks)[T]>[0];
export type TaskAnswer<T extends Task> = ReturnType<(typeof tasks)[T]>;

/** Tasks asked for together: one message there and one back. */
export interface TaskBatch {
  readonly id: number;
  readonly asked: readonly { readonly task: Task; readonly request: TaskRequest<Task> }[];
}

/** The answers of a batch in the same order. */
export interface TaskAnswers {
  readonly id: number;
  readonly answers: readonly TaskAnswer<Task>[];
}

/** What is handed over with an answer instead of being copied. */
function heldBy(answer: TaskAnswer<Task>): readonly ArrayBuffer[] {
  return 'ok' in answer && answer.ok && 'bytes' in answer.value ? [answer.value.bytes.buffer] : [];
}

parentPort?.on('message', ({ id, asked }: TaskBatch) => {
  const answers = asked.map(({ task, request }) => {
    // Whoever asks names both together
    const run = tasks[task] as (request: TaskRequest<Task>) => TaskAnswer<Task>;
    return run(request);
  });
  parentPort?.postMessage({ id, answers } satisfies TaskAnswers, answers.flatMap(heldBy));
});
