import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { basename } from 'node:path';
import { pipeline } from 'node:stream/promises';

/** As `sha256sum` writes it, so that `sha256sum --check` reads it. */
export async function checksumLines(paths: readonly string[]): Promise<string> {
  const lines: string[] = [];
  for (const path of paths.toSorted()) {
    const hash = createHash('sha256');
    await pipeline(createReadStream(path), hash);
    lines.push(`${hash.digest('hex')}  ${basename(path)}\n`);
  }
  return lines.join('');
}

/** What CHANGELOG.md says about a version. Throws when it says nothing: a release without a word is a mistake. */
export function releaseNotes(changelog: string, version: string): string {
  const sections = changelog.split(/^## /m).slice(1);
  const section = sections.find((each) => new RegExp(`^${escape(version)}(,|\\s|$)`).test(each));
  const notes = section?.slice(section.indexOf('\n')).trim() ?? '';
  if (notes === '') throw new Error(`CHANGELOG.md has no section for ${version}.`);
  return notes;
}

const escape = (text: string): string => text.replaceAll('.', String.raw`\.`);
