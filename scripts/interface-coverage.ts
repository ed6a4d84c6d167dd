import { writeFileSync } from 'node:fs';
import { coveragePage, PAGE } from '../test/contract/service/coverage-page.ts';
import { proveRules } from '../test/contract/service/prove.ts';

const [command, only] = process.argv.slice(2);
if (command === 'prove') {
  const { missed } = await proveRules(only);
  process.exitCode = missed === 0 ? 0 : 1;
} else {
  writeFileSync(PAGE, await coveragePage());
  console.log(`${PAGE} was written.`);
}
