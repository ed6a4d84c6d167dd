/** Measures how well names are read: `npm run formats`. Exits with 1 when a figure misses its target. */
import { systems } from '../../electron/agent/core/naming/recognisers.ts';
import { describeDeepExport, falseRecognitions, readersOf, readUnseen, timeToRead } from './measure.ts';

const UNSEEN = Number(process.argv[2] ?? 300);
const seed = Number(process.argv[3] ?? 20_260_501);

const rows = systems.map((recogniser) => {
  const samples = recogniser.samples.filter(({ path }) => readersOf(path).join() === recogniser.name);
  const refused = recogniser.refuses.filter((path) => !readersOf(path).includes(recogniser.name));
  const unseen = readUnseen(recogniser, UNSEEN, seed);
  return { recogniser, samples, refused, unseen };
});
const percent = (part: number, whole: number): string =>
  whole === 0 ? '-' : `${((100 * part) / whole).toFixed(1)} %`;
const line = (...cells: readonly string[]): void =>
  console.log([cells[0]?.padEnd(14), ...cells.slice(1).map((cell) => cell.padStart(12))].join(''));

line('system', 'samples', 'refusals', 'unseen', 'right', 'sure, wrong');
for (const { recogniser, samples, refused, unseen } of rows) {
  line(
    recogniser.name,
    `${samples.length}/${recogniser.samples.length}`,
    `${refused.length}/${recogniser.refuses.length}`,
    String(unseen.names),
    percent(unseen.names - unseen.faults.length, unseen.names),
    String(unseen.confident),
  );
}
const misread = falseRecognitions(seed);
const msPerFile = timeToRead(seed);
console.log(
  `\nfalse recognitions: ${misread.found.length} of ${misread.names}, ${misread.confident.length} of them sure`,
);
for (const name of misread.found.slice(0, 10)) console.log(`  ${name}`);
console.log(`time to read a file: ${msPerFile.toFixed(3)} ms`);
const deep = describeDeepExport();
console.log(
  `100,000 files in 12 levels: ${deep.seconds.toFixed(2)} s of the processor per 10,000, ${deep.leftMb.toFixed(0)} MB left behind`,
);
for (const { recogniser, unseen } of rows)
  for (const fault of unseen.faults.slice(0, 2)) console.log(`  ${recogniser.name}: ${fault}`);

const isGood = rows.every(
  ({ recogniser, samples, refused, unseen }) =>
    samples.length === recogniser.samples.length &&
    refused.length === recogniser.refuses.length &&
    unseen.faults.length <= unseen.names * 0.05 &&
    unseen.confident === 0,
);
/** Growth that is allowed for caches, megabytes. */
const FLAT_MB = 15;
const isWithin =
  deep.seconds <= 2 &&
  deep.leftMb <= FLAT_MB &&
  misread.found.length <= misread.names * 0.001 &&
  misread.confident.length === 0 &&
  msPerFile <= 0.2;
console.log(isGood && isWithin ? '\nAll figures are within reach.' : '\nOut of reach: see above.');
process.exitCode = isGood && isWithin ? 0 : 1;
