/** Checks where the packages come from and that each has a documented reason: a part of `npm run check`. */
import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { readLock, type LockedPackage } from './package/locked-packages.ts';

/** The files that the rules check, as read from disk. */
export interface Supply {
  readonly npmrc: string;
  readonly manifest: unknown;
  readonly locked: readonly LockedPackage[];
  readonly decided: readonly DecidedPackage[];
}

/**
 * Required settings: install scripts run only where they are allowed by name, versions are exact, and nothing bypasses
 * the registry.
 */
const wantedSettings: Readonly<Record<string, string>> = {
  'strict-allow-scripts': 'true',
  'save-exact': 'true',
  'allow-git': 'none',
  'allow-remote': 'none',
  'allow-file': 'none',
  'allow-directory': 'none',
};

const manifestSchema = z.object({
  dependencies: z.record(z.string(), z.string()),
  devDependencies: z.record(z.string(), z.string()),
  allowScripts: z.record(z.string(), z.boolean()),
  optionalDependencies: z.undefined().optional(),
  overrides: z.undefined().optional(),
});
const EXACT_VERSION = /^\d+\.\d+\.\d+(-[\w.]+)?$/;

/** Problems with the origin of the packages, one line each (security row S-52). */
export function supplyProblems(supply: Supply): readonly string[] {
  const read = manifestSchema.safeParse(supply.manifest);
  if (!read.success)
    return read.error.issues.map((issue) => `package.json: ${issue.path.join('.')} ${issue.message}`);
  const { dependencies, devDependencies, allowScripts } = read.data;
  const direct = { ...dependencies, ...devDependencies };
  return [
    ...settingProblems(supply.npmrc),
    ...versionProblems(direct, supply.locked),
    ...decisionProblems(Object.keys(direct), supply.decided),
    ...sourceProblems(supply.locked),
    ...scriptProblems(supply.locked, new Set(Object.keys(allowScripts))),
  ];
}

function settingProblems(npmrc: string): readonly string[] {
  const lines = npmrc.split('\n').map((line) => line.trim());
  const found = new Map(
    lines.map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]),
  );
  const wrong = Object.entries(wantedSettings)
    .filter(([name, value]) => found.get(name) !== value)
    .map(([name, value]) => `.npmrc: ${name} is ${found.get(name) ?? 'not set'}, wanted ${value}`);
  const secret = lines.some((line) => /_auth|_password|registry\s*=/i.test(line));
  return secret ? [...wrong, '.npmrc: names a registry or holds a secret'] : wrong;
}

function versionProblems(
  direct: Readonly<Record<string, string>>,
  locked: readonly LockedPackage[],
): readonly string[] {
  const versions = new Map(locked.map(({ folder, version }) => [folder, version]));
  return Object.entries(direct).flatMap(([name, version]) => {
    if (!EXACT_VERSION.test(version)) return [`package.json: ${name} ${version} is not one exact version`];
    const found = versions.get(`node_modules/${name}`);
    return found === version
      ? []
      : [`${name} is ${version} in package.json and ${found ?? 'absent'} in the lock file`];
  });
}

function decisionProblems(names: readonly string[], decided: readonly DecidedPackage[]): readonly string[] {
  const known = new Map(decided.map((each) => [each.name, each]));
  return [
    ...names
      .filter((name) => !known.has(name))
      .map((name) => `docs/decisions.md does not say why ${name} is needed`),
    ...decided
      .filter(({ name }) => !names.includes(name))
      .map(({ name }) => `docs/decisions.md lists ${name}, which is not in package.json`),
    ...decided
      .filter(({ reason, licence }) => reason === '' || licence === '')
      .map(({ name }) => `docs/decisions.md has no reason or licence for ${name}`),
  ];
}

/**
 * Every package must be a tarball fetched over HTTPS with a SHA-512; anyone could change what another source delivers.
 */
function sourceProblems(locked: readonly LockedPackage[]): readonly string[] {
  return locked.flatMap(({ folder, resolved, integrity, link }) => {
    if (link === true) return [`${folder} is a link to a folder`];
    const problems =
      integrity?.startsWith('sha512-') === true ? [] : [`${folder} has no SHA-512 in the lock file`];
    if (resolved !== undefined && !/^https:\/\/[^/]+\/.+\.tgz$/.test(resolved))
      return [...problems, `${folder} comes from ${resolved}`];
    return problems;
  });
}

function scriptProblems(locked: readonly LockedPackage[], allowed: ReadonlySet<string>): readonly string[] {
  return locked
    .filter(({ hasInstallScript, name }) => hasInstallScript === true && !allowed.has(name))
    .map(({ folder }) => `${folder} has an install script that allowScripts neither allows nor denies`);
}

/** A package in the table of docs/decisions.md, with the reason for it and its licence. */
interface DecidedPackage {
  readonly name: string;
  readonly reason: string;
  readonly licence: string;
}

/**
 * Reads the table below "Dependencies". A row may name several packages; `-router` after `@tanstack/react-query` is
 * short for `@tanstack/react-router`, `-dom` after `react` for `react-dom`.
 */
export function decidedPackages(page: string): readonly DecidedPackage[] {
  const rows = (page.split(/^## Dependencies$/m)[1] ?? '').split(/^## /m)[0]?.match(/^\|.*\|$/gm) ?? [];
  return rows.slice(2).flatMap((row) => {
    const [, packages = '', reason = '', licence = ''] = row.split('|').map((cell) => cell.trim());
    const names = [...packages.matchAll(/`([^`]+)`/g)].map((match) => match[1] ?? '');
    return names.map((name) => ({ name: wholeName(name, names[0] ?? ''), reason, licence }));
  });
}

function wholeName(name: string, first: string): string {
  if (!name.startsWith('-')) return name;
  const stem = first.slice(0, first.lastIndexOf('-'));
  return `${stem}${name}`;
}

if (import.meta.main) {
  const read = (file: string): string => readFileSync(file, 'utf8');
  const manifest: unknown = JSON.parse(read('package.json'));
  const locked = readLock();
  const decided = decidedPackages(read('docs/decisions.md'));
  const problems = supplyProblems({ npmrc: read('.npmrc'), manifest, locked, decided });
  for (const problem of problems) console.log(problem);
  console.log(
    `${locked.length} packages in the lock file, ${decided.length} chosen; ${problems.length} problems`,
  );
  process.exitCode = problems.length === 0 ? 0 : 1;
}
