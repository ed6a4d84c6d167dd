/**
 * `npm run interface` prints which test covers which rule of docs/service.md, by section. With `prove`, it breaks
 * copies of the product, one mistake each, and expects the tests for that rule to fail.
 */
import { contractBreaks } from '../test/contract/service/breaks/contract-breaks.ts';
import { collectRules, placesOf, readServicePage } from '../test/contract/service/collect-rules.ts';
import { proveRules } from '../test/contract/service/prove.ts';

const [command, only] = process.argv.slice(2);
if (command === 'prove') {
  const { missed } = await proveRules(only);
  process.exitCode = missed === 0 ? 0 : 1;
} else {
  const rules = collectRules();
  for (const place of placesOf(readServicePage())) {
    const shown = rules.filter((rule) => rule.place === place);
    if (shown.length > 0) console.log(`\n${place}`);
    for (const { subject, gap, text, file } of shown)
      console.log(`  ${subject}${gap === undefined ? '' : ` (${gap})`}: ${text} [${file}]`);
  }
  console.log(`\n${rules.length} tests, ${contractBreaks.length} deliberate mistakes`);
}
