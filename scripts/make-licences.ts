/** Writes dist/licences.txt: `npm run licences`. Fails when something is shipped that may not be, or without its licence. */
import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { LICENCES_FILE, writeShippedLicences } from './package/shipped-licences.ts';

mkdirSync(dirname(LICENCES_FILE), { recursive: true });
const shipped = writeShippedLicences();
console.log(`${LICENCES_FILE} was written; ${shipped.length} packages are shipped as modules.`);
