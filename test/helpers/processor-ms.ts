/** CPU time that this thread needs for `work`, milliseconds: unlike wall time, other programs do not add to it. */
export function processorMs(work: () => void): number {
  const before = process.threadCpuUsage();
  work();
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1000;
}
