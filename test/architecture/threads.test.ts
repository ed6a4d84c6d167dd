import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parseSync } from 'vite';
import { describe, expect, it } from 'vitest';

/** The modules that a file loads at run time, when types are gone. */
function loadedBy(path: string): readonly string[] {
  const { program } = parseSync(path, readFileSync(path, 'utf8'));
  return program.body.flatMap((node) => {
    const isExport = node.type === 'ExportNamedDeclaration' || node.type === 'ExportAllDeclaration';
    if (isExport) return node.source && node.exportKind !== 'type' ? [node.source.value] : [];
    if (node.type !== 'ImportDeclaration' || node.importKind === 'type') return [];
    const areTypes = node.specifiers.map(
      (one) => one.type === 'ImportSpecifier' && one.importKind === 'type',
    );
    return areTypes.length > 0 && areTypes.every(Boolean) ? [] : [node.source.value];
  });
}

/** The packages that a program loads, starting with its first file. */
function packagesOf(entry: string): ReadonlySet<string> {
  const packages = new Set<string>();
  const seen = new Set<string>();
  const files = [entry];
  for (let path = files.pop(); path !== undefined; path = files.pop()) {
    if (seen.has(path)) continue;
    seen.add(path);
    for (const name of loadedBy(path)) {
      if (name.startsWith('.')) files.push(join(dirname(path), name));
      else if (!name.startsWith('node:')) packages.add(name);
    }
  }
  return packages;
}

describe('threads', () => {
  const threads = globSync('electron/agent/**/*-worker.ts').filter((path) =>
    readFileSync(path, 'utf8').includes('parentPort'),
  );

  it('are found', () => {
    expect(threads.length).toBeGreaterThanOrEqual(5);
  });

  // Loading it would cost each of them 4 MiB and 60 ms
  it.each(threads)('%s checks no schemas', (thread) => {
    expect([...packagesOf(thread)]).not.toContain('zod');
  });

  it('are known to load a package that they load', () => {
    const probe = threads.find((path) => path.endsWith('probe-worker.ts')) ?? '';
    expect([...packagesOf(probe)]).toContain('mediainfo.js');
  });
});
