/** What CHANGELOG.md says about a version. Throws when it says nothing: a release without a word is a mistake. */
export function releaseNotes(changelog: string, version: string): string {
  const sections = changelog.split(/^## /m).slice(1);
  const section = sections.find((each) => new RegExp(`^${escape(version)}(,|\\s|$)`).test(each));
  const notes = section?.slice(section.indexOf('\n')).trim() ?? '';
  if (notes === '') throw new Error(`CHANGELOG.md has no section for ${version}.`);
  return notes;
}

const escape = (text: string): string => text.replaceAll('.', String.raw`\.`);
