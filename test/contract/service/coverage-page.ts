import { format, resolveConfig } from 'prettier';
import { contractBreaks } from './breaks/contract-breaks.ts';
import { collectRules, type Rule } from './collect-rules.ts';

/** Where the page stands, from the project's root. */
export const PAGE = 'docs/interface-coverage.md';
const TESTS = '../test/contract/service';

/** Places of the interface in its own order, under the headings of the page. */
const sections: readonly (readonly [heading: string, places: readonly string[]])[] = [
  ['What the service does', ['Service', 'Dates']],
  ['Resource: Incident (video management)', ['Incident']],
  ['Resource: video object', ['Video']],
  ['Resource: Multipart upload handle', ['Multipart handle']],
  ['Resource: Period', ['Period']],
  ['Resource: Action', ['Action']],
  ['Resource: Chat message', ['Chat message']],
  ['Resource: User', ['User']],
  ['States: Multipart upload', ['Multipart states']],
  ['States: Action status', ['Action status']],
  ['States: User activity', ['User activity']],
  ['Endpoints', ['Endpoints']],
  ['1. Create Multipart Upload', ['1']],
  ['2. Get Upload Urls', ['2']],
  ['3. Complete Multipart Upload', ['3']],
  ['4. Abort Multipart Upload', ['4']],
  ['5. Get An Incident', ['5']],
  ['6. Create/Update Incident', ['6']],
  ['7. Get Periods', ['7']],
  ['8. Get Actions for a Period', ['8']],
  ['9. Add a Channel Message', ['9']],
  ['10. Add a Direct Message Channel Message', ['10']],
  ['11. Get All Users', ['11']],
  ['12. Create User', ['12']],
  ['13. Get Specified User', ['13']],
  ['14. Update User', ['14']],
  ['15. Delete User', ['15']],
  ['Authentication', ['Authentication']],
  ['Events', ['Events']],
  ['Errors', ['Errors']],
  ['Limits', ['Limits']],
  ['Versioning', ['Versioning']],
];

const intro = `# Coverage of the service's interface

Made by \`scripts/interface-coverage.ts\` from the titles of the tests in \`test/contract/service\`; a test fails when it is out of date. Each line is one test: it runs this program's own client, or the whole agent, against the simulated service, and looks at what came back and at what was received.

The sentences are in the order of the interface description, which is not part of this repository. With the argument \`prove\` that script breaks copies of the product on purpose, one mistake each, and expects the tests that the mistake is about to fail.`;

const gapsIntro = `## Where the interface is silent or disagrees with itself

The rows are those of [service-gaps.md](service-gaps.md); "none" means that nothing is built on it.`;

/** The page as it should stand in the repository. Throws for a rule whose place is in no section. */
export async function coveragePage(rules: readonly Rule[] = collectRules()): Promise<string> {
  const places = new Set(sections.flatMap(([, names]) => names));
  const lost = rules.find(({ place }) => !places.has(place));
  if (lost !== undefined) throw new Error(`No section of the page is about "${lost.place}"`);
  const spoken = rules.filter(({ row }) => row === undefined);
  const text = [
    intro,
    `${spoken.length} sentences, ${rules.length - spoken.length} gaps, ${contractBreaks.length} deliberate mistakes; each test is named by at least one of them.`,
    ...sections.flatMap(([heading, names]) => section(heading, names, spoken)),
    gapsIntro,
    table(['where', 'open', 'decisions', 'what is done', 'test'], gapLines(rules)),
  ].join('\n\n');
  return format(text, { ...(await resolveConfig(PAGE)), parser: 'markdown' });
}

function section(heading: string, places: readonly string[], rules: readonly Rule[]): readonly string[] {
  const mine = rules.filter(({ place }) => places.includes(place));
  if (mine.length === 0) return [];
  const lines = mine.map((each) => [each.subject, each.text, link(each)]);
  return [`## ${heading}`, table(['about', 'what is shown', 'test'], lines)];
}

function gapLines(rules: readonly Rule[]): readonly (readonly string[])[] {
  const order = sections.flatMap(([, places]) => places);
  return rules
    .filter(({ row }) => row !== undefined)
    .toSorted((left, right) => order.indexOf(left.place) - order.indexOf(right.place))
    .map((each) => [each.place, each.subject, each.row ?? '', each.text, link(each)]);
}

const link = ({ file }: Rule): string => `[${file.replace('.test.ts', '')}](${TESTS}/${file})`;

/** Cells are plain text, except for a link in the last. */
function table(head: readonly string[], lines: readonly (readonly string[])[]): string {
  const plain = (cell: string) => cell.replaceAll(/[|<*[\]]/g, '\\$&');
  const row = (cells: readonly string[]) =>
    `| ${[...cells.slice(0, -1).map(plain), ...cells.slice(-1)].join(' | ')} |`;
  return [`| ${head.join(' | ')} |`, `|${' --- |'.repeat(head.length)}`, ...lines.map(row)].join('\n');
}
