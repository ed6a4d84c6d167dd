import { formatBytes } from '../../shared/lib/readable-amounts.ts';
import type { TortureReport } from './run-torture.ts';

/** A run's report for people, with counts that show that the kills landed where they should. */
export function reportText(report: TortureReport): string {
  const { tree, journal, objects, kills, migrations } = report;
  const clips = tree.clips();
  const large = clips.filter(({ isLarge }) => isLarge).length;
  const moments = [...report.moments].toSorted(([, a], [, b]) => b - a);
  const lines = [
    `${kills} kills in ${report.killSeconds.toFixed(1)} s (${(kills / report.killSeconds).toFixed(2)} a second), ${report.seconds.toFixed(1)} s with the last run and the checks`,
    `killed after the first request of a life: ${report.inWork}, with a request open: ${report.withOpenRequest}; from start to first request: ${Math.round(report.usualStartMs)} ms (median of the last lives)`,
    ...moments.map(([name, count]) => `  ${String(count).padStart(4)} ${name}`),
    `${tree.folders().length} incidents, ${clips.length} clips, ${large} of them in parts, ${formatBytes(tree.totalBytes())}; ${report.changes} changed meanwhile`,
    `${journal.requests} requests, ${journal.faulted} with an ordered fault; parts: ${formatBytes(journal.partBytes)} received, ${formatBytes(journal.partBytesAgain)} of it again`,
  ];
  if (objects === undefined) return lines.join('\n');
  return [
    ...lines,
    `${objects.objects} objects: ${objects.listed} listed, ${objects.earlierVersions} overtaken by a change of their file, ${objects.doubles} that no incident lists; ${objects.emptyUploads} empty uploads whose opening was never answered`,
    `${migrations.kills} kills while an old database was brought up to date: ${migrations.before} left it as it was, ${migrations.after} had it done`,
  ].join('\n');
}
