import { readdirSync, readFileSync, writeFileSync } from 'node:fs';

/** CPU time is counted in hundredths of a second on every Linux that runs Node. */
const TICKS_PER_SECOND = 100;
const KIB_PER_MIB = 1024;

function read(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    // The process has ended
    return '';
  }
}

/** A process and all its living descendants. */
function treeOf(pid: number): readonly number[] {
  let threads: readonly string[] = [];
  try {
    threads = readdirSync(`/proc/${pid}/task`);
  } catch {
    return [];
  }
  const children = threads.flatMap((thread) =>
    read(`/proc/${pid}/task/${thread}/children`).split(' ').filter(Boolean),
  );
  return [pid, ...children.flatMap((child) => treeOf(Number(child)))];
}

/** CPU seconds that a process, its threads and its children have used, user and system. */
export function cpuSeconds(pid: number): number {
  const ticks = treeOf(pid).flatMap((one) => {
    const stat = read(`/proc/${one}/stat`);
    // utime, stime, and the same of children that have ended
    return stat
      .slice(stat.lastIndexOf(')') + 2)
      .split(' ')
      .slice(11, 15)
      .map(Number);
  });
  return ticks.reduce((sum, some) => sum + some, 0) / TICKS_PER_SECOND;
}

function memoryMib(pid: number, field: 'VmRSS' | 'VmHWM'): number {
  const kib = new RegExp(`${field}:\\s*(\\d+) kB`).exec(read(`/proc/${pid}/status`))?.[1];
  return Number(kib ?? 0) / KIB_PER_MIB;
}

/** Memory in use now, MiB. */
export const residentMib = (pid: number): number => memoryMib(pid, 'VmRSS');

/** Peak memory since the start or the last `forgetPeak`, MiB; of the largest process of the tree. */
export const peakMib = (pid: number): number =>
  Math.max(0, ...treeOf(pid).map((one) => memoryMib(one, 'VmHWM')));

/** Resets the peak to the memory in use now. */
export function forgetPeak(pid: number): void {
  writeFileSync(`/proc/${pid}/clear_refs`, '5');
}
