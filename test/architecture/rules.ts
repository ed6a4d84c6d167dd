import { forbiddenImports } from './rooms.ts';
import { failureDecisions } from './failure-decisions.ts';
import type { SourceFacts } from './source-facts.ts';

/** A rule for the source code: a check that finds violations in a file, and samples that it must find. */
export interface Rule {
  readonly name: string;
  readonly find: (file: SourceFacts) => readonly string[];
  /** Path and text of files that break the rule, each in a different way. */
  readonly broken: readonly (readonly [path: string, text: string])[];
  /** Files that look similar but are right. */
  readonly fine: readonly (readonly [path: string, text: string])[];
}

const MOST_LINES = 300;
/** One for each side: the agent's clock, and the page's. */
const CLOCK_FILES = ['electron/agent/system-clock.ts', 'renderer/bridge/bridge.ts'];
/** Using these makes the result depend on more than the arguments. */
const IMPURE = [
  'process',
  'performance',
  'crypto',
  'globalThis',
  'console',
  'fetch',
  'new Date',
  'Date',
  'require',
];
const TIMERS = ['setTimeout', 'setInterval', 'setImmediate', 'queueMicrotask'];
const SQL =
  /^\s*(SELECT\s.*\sFROM\s|INSERT\s+(OR\s+\w+\s+)?INTO\s|UPDATE\s+\S+\s+SET\s|DELETE\s+FROM\s|(CREATE|DROP|ALTER)\s+(UNIQUE\s+)?(TABLE|INDEX|TRIGGER|VIEW)\s|PRAGMA\s)/s;

/** Properties, attributes and methods that turn text into elements or script. */
const MARKUP = ['dangerouslySetInnerHTML', 'innerHTML', 'outerHTML', 'srcDoc', 'srcdoc'];
const MARKUP_CALLS = [
  'createContextualFragment',
  'executeJavaScript',
  'insertAdjacentHTML',
  'insertCSS',
  'parseFromString',
  'setHTMLUnsafe',
];

/** Inserts two element names, which are literals in the same file, into a pattern. */
const PATTERN_FILE = 'electron/agent/service/signed-put-answer.ts';
const isForeignPattern = (name: string, file: SourceFacts): boolean =>
  name === 'RegExp(computed)' && file.path !== PATTERN_FILE;

/** These rooms handle files named `*.asar`, which `node:fs` in Electron takes for folders. */
const MEETS_EVIDENCE =
  /^electron\/agent\/(files|queue|watch|intake|upload|record|thumbnails|evidence|calls)\//;

const isSource = (file: SourceFacts): boolean => /^(shared|electron|renderer)\//.test(file.path);
const when = (broken: boolean, file: SourceFacts, what: string): readonly string[] =>
  broken ? [`${file.path} ${what}`] : [];

/** Uses of forbidden names, one line each; pure calls on the same object are in `except`. */
function usesOf(
  file: SourceFacts,
  names: readonly string[],
  except: readonly string[] = [],
): readonly string[] {
  const used = [...file.uses].filter((use) => names.includes(use) || names.includes(use.split('.')[0] ?? ''));
  const members = used.filter((use) => use.includes('.') && !except.includes(use));
  const alone = used.filter(
    (use) => !use.includes('.') && !used.some((other) => other.startsWith(`${use}.`)),
  );
  return [...members, ...alone].map((use) => `${file.path} uses ${use}`);
}

export const rules: readonly Rule[] = [
  {
    name: 'each room imports only what it may',
    find: forbiddenImports,
    broken: [
      ['shared/lib/a.ts', "import { join } from 'node:path';"],
      ['shared/lib/a.ts', "export { b } from '../../electron/agent/core/b.ts';"],
      ['electron/agent/core/a.ts', "import { z } from 'zod';"],
      ['electron/agent/core/a.ts', "import type { WriteDb } from '../store/open-db.ts';"],
      ['electron/agent/core/a.ts', "import type { Clock } from '../ports.ts';"],
      ['electron/agent/upload/a.ts', "import got from 'got';"],
      ['electron/agent/upload/a.ts', "import { request } from 'node:https';"],
      ['electron/agent/upload/a.ts', "const sql = await import('better-sqlite3');"],
      ['electron/agent/upload/a.ts', "let app: import('electron').App;"],
      ['electron/agent/a.ts', "import { main } from '../cli/main.ts';"],
      ['electron/agent/a.ts', "import { start } from '../../test/simulator/index.ts';"],
      ['electron/agent/a.ts', "import { parse } from 'yaml';"],
      ['electron/cli/a.ts', "import { openDb } from '../agent/store/open-db.ts';"],
      ['electron/console/a.ts', "import { visibleName } from '../agent/core/visible-name.ts';"],
      ['electron/console/a.ts', "import { openWindow } from '../desktop/window.ts';"],
      ['electron/console/page-files.ts', "import { createRouter } from './router.ts';"],
      ['electron/console/page-files.ts', "import { createServer } from 'node:http';"],
      ['electron/desktop/a.ts', "import { createRouter } from '../console/router.ts';"],
      ['electron/a.ts', "import { b } from './b.ts';"],
      ['renderer/features/uploads/a.ts', "import { b } from '../users/b.ts';"],
      ['renderer/ui/a.ts', "import { readFileSync } from 'node:fs';"],
    ],
    fine: [
      ['shared/lib/a.ts', "import { z } from 'zod'; import { b } from '../domain/b.ts';"],
      ['electron/agent/core/a.ts', "import { parseZoned } from '@internationalized/date';"],
      ['electron/agent/service/a.ts', "import got from 'got'; import { Agent } from 'node:https';"],
      ['electron/agent/store/a.ts', "import Database from 'better-sqlite3';"],
      ['electron/cli/a.ts', "import { createAgent } from '../agent/index.ts';"],
      ['electron/console/a.ts', "import { createServer } from 'node:http';"],
      ['electron/desktop/a.ts', "import { findAsset } from '../console/page-files.ts';"],
      ['renderer/features/uploads/a.ts', "import { b } from './b.ts'; import { c } from '../../ui/c.ts';"],
    ],
  },
  {
    name: 'core is pure: no clock, no randomness, no timers, no surroundings',
    find: (file) =>
      file.path.startsWith('electron/agent/core/')
        ? usesOf(file, [...IMPURE, ...TIMERS, 'Math.random'], ['Date.UTC', 'Date.parse'])
        : [],
    broken: [
      ['electron/agent/core/a.ts', 'export const a = () => Date.now();'],
      ['electron/agent/core/a.ts', 'export const a = () => new Date();'],
      ['electron/agent/core/a.ts', 'export const a = () => Math.random();'],
      ['electron/agent/core/a.ts', 'export const a = () => performance.now();'],
      ['electron/agent/core/a.ts', 'setTimeout(() => undefined, 1);'],
      ['electron/agent/core/a.ts', 'export const a = process.env.HOME;'],
      ['electron/agent/core/a.ts', 'export const a = crypto.randomUUID();'],
    ],
    fine: [
      [
        'electron/agent/core/a.ts',
        '// Date.now() is the caller\nexport const a = Math.max(Date.UTC(2026, 0), 1);',
      ],
      ['electron/agent/core/a.ts', "export const a = new Date(5).toISOString() + 'Math.random()';"],
      ['electron/agent/queue/a.ts', 'setTimeout(() => undefined, 1);'],
    ],
  },
  {
    name: 'wall clock and randomness stand in one file a side',
    find: (file) =>
      isSource(file) && !CLOCK_FILES.includes(file.path)
        ? ['Date.now', 'Math.random', 'new Date'].flatMap((use) =>
            when(file.uses.has(use), file, `uses ${use}`),
          )
        : [],
    broken: [
      ['electron/agent/upload/a.ts', 'export const a = Date.now();'],
      ['electron/cli/a.ts', 'export const a = Math.random();'],
      ['shared/lib/a.ts', 'export const a = new Date();'],
    ],
    fine: [
      ...CLOCK_FILES.map((path) => [path, 'export const now = () => Date.now();'] as const),
      ['electron/agent/upload/a.ts', 'export const a = new Date(0);'],
      ['test/simulator/a.ts', 'export const a = Date.now();'],
    ],
  },
  {
    name: 'SQL stands in electron/agent/store',
    find: (file) =>
      isSource(file) && !file.path.startsWith('electron/agent/store/')
        ? [
            ...file.strings
              .filter((text) => SQL.test(text))
              .map((text) => `${file.path} has SQL: ${text.slice(0, 40)}`),
            ...['prepare', 'prepare()', 'pragma()'].flatMap((call) =>
              when(file.calls.has(call), file, `calls ${call}`),
            ),
          ]
        : [],
    broken: [
      ['electron/agent/queue/a.ts', "db.prepare('SELECT id FROM jobs');"],
      ['electron/agent/queue/a.ts', 'db.prepare(`UPDATE jobs\n SET state = ${state}`);'],
      ['electron/agent/calls/a.ts', "db.exec('PRAGMA user_version = 1');"],
      ['electron/agent/calls/a.ts', 'db.prepare(text);'],
      ['electron/agent/calls/a.ts', "db.pragma('user_version');"],
    ],
    fine: [
      ['electron/agent/store/job-rows.ts', "db.prepare('SELECT id FROM jobs');"],
      ['electron/agent/core/a.ts', "export const a = /x/.exec('Select a folder from the list');"],
    ],
  },
  {
    name: 'checklist 13: no text becomes markup or script',
    find: (file) =>
      isSource(file)
        ? [
            ...[...file.assigned].filter((name) => MARKUP.includes(name)),
            ...[...file.calls].filter((name) => MARKUP_CALLS.includes(name.replace('()', ''))),
            ...[...file.uses].filter((name) => ['eval', 'new Function', 'document.write'].includes(name)),
            ...[...file.made].filter((name) => name.startsWith('Function')),
            ...file.strings.filter((text) => /^\s*javascript:/i.test(text)),
          ].map((name) => `${file.path} has ${name}`)
        : [],
    broken: [
      ['renderer/ui/a.tsx', 'export const A = () => <p dangerouslySetInnerHTML={{ __html: name }} />;'],
      ['renderer/ui/a.tsx', 'export const A = () => <iframe srcDoc={name} />;'],
      ['renderer/ui/a.tsx', 'export const A = () => <a href="javascript:void 0">A</a>;'],
      ['renderer/ui/a.tsx', "export const A = () => <a href={'JavaScript:x()'}>A</a>;"],
      ['renderer/ui/a.ts', 'element.innerHTML = name;'],
      ['renderer/ui/a.ts', "element['outerHTML'] = name;"],
      ['renderer/ui/a.ts', "element.insertAdjacentHTML('beforeend', name);"],
      ['renderer/ui/a.ts', 'element.setHTMLUnsafe(name);'],
      ['renderer/ui/a.ts', "new DOMParser().parseFromString(name, 'text/html');"],
      ['renderer/ui/a.ts', 'document.write(name);'],
      ['electron/desktop/a.ts', "contents.executeJavaScript('1');"],
      ['shared/lib/a.ts', 'eval(text);'],
      ['shared/lib/a.ts', "new Function('a', text);"],
    ],
    fine: [
      ['renderer/ui/a.tsx', 'export const A = () => <p title={name}>{name}</p>;'],
      ['renderer/ui/a.ts', 'element.textContent = name; const { innerHTML } = element;'],
      ['test/unit/a.test.ts', "page.evaluate(() => (document.body.innerHTML = 'x'));"],
    ],
  },
  {
    // With a pattern that somebody else wrote, a single line can take minutes
    name: 'checklist 43: no pattern is made from foreign text',
    find: (file) =>
      isSource(file)
        ? [...file.made]
            .filter((name) => isForeignPattern(name, file))
            .map((name) => `${file.path} has ${name}`)
        : [],
    broken: [
      ['electron/agent/core/a.ts', "new RegExp(pattern, 'u');"],
      ['electron/agent/core/a.ts', 'new RegExp(`^${pattern}$`);'],
    ],
    fine: [['electron/agent/core/a.ts', "export const a = [new RegExp('^a$'), /b/];"]],
  },
  {
    name: 'what a failure code means is decided in the failure policy alone',
    find: (file) => (isSource(file) ? failureDecisions(file) : []),
    broken: [
      ['electron/agent/queue/a.ts', "const stopping = new Set<FailureCode>(['NETWORK', 'KEY_REFUSED']);"],
      ['electron/cli/a.ts', "const keyCodes = new Set(['KEY_REFUSED']);"],
      ['electron/cli/a.ts', "const exits = [[11, ['KEY_REFUSED', 'KEY_MISSING']]];"],
      ['electron/agent/a.ts', "const waits = new Map([['NETWORK', 1], ['API_TIMEOUT', 2]]);"],
      ['electron/agent/service/a.ts', "const advices = { NETWORK: 'Check it.', ...more };"],
      ['electron/agent/service/a.ts', "const advices = { 'NETWORK': 'a', API_TIMEOUT: 'b' };"],
      ['renderer/app/a.tsx', "export const A = () => (failure.code === 'NETWORK' ? <b /> : null);"],
      ['renderer/app/a.ts', "if ('NETWORK' !== code) stop();"],
      ['shared/domain/a.ts', "switch (code) { case 'NETWORK': break; }"],
      ['electron/agent/a.ts', "if (codes.has('NETWORK')) stop();"],
      ['electron/agent/a.ts', "if (seen.includes('NETWORK')) stop();"],
      ['electron/agent/store/open-db.ts', "if (code === 'DB_NEWER') stop();"],
    ],
    fine: [
      ['electron/agent/service/a.ts', "const failure = { code: 'NETWORK', message: 'a', advice: 'b' };"],
      [
        'electron/agent/files/containers/a.ts',
        "const byErrno = { ENOENT: ['FILE_GONE', 'is gone', false] };",
      ],
      ['electron/agent/a.ts', "fail('NETWORK', 'a'); if (policyOf(code).mends === 'person') stop();"],
      ['electron/agent/store/open-db.ts', "if (code === 'DB_BROKEN') rebuild();"],
      ['shared/domain/failure.ts', "export const failureCodes = ['NETWORK', 'API_TIMEOUT'] as const;"],
      ['test/unit/a.test.ts', "test.each(['NETWORK', 'API_TIMEOUT'])('a', (code) => code === 'NETWORK');"],
    ],
  },
  {
    name: 'what meets files of watched folders takes the file system that knows no archives',
    find: (file) =>
      MEETS_EVIDENCE.test(file.path) && !file.path.endsWith('/plain-fs.ts')
        ? file.imports
            .filter((name) => /^(node:)?fs(\/promises)?$/.test(name))
            .map((name) => `${file.path} imports ${name}`)
        : [],
    broken: [
      ['electron/agent/watch/a.ts', "import { lstat } from 'node:fs/promises';"],
      ['electron/agent/evidence/clean-up/a.ts', "const fs = await import('fs');"],
    ],
    fine: [
      ['electron/agent/files/a.ts', "import { lstat } from './plain-fs.ts';"],
      ['electron/agent/store/a.ts', "import { rename } from 'node:fs/promises';"],
    ],
  },
  {
    name: 'exports have names',
    // vitest loads reporters, and tools their configuration, by default export.
    find: (file) => when(file.hasDefaultExport, file, 'has a default export'),
    broken: [
      ['shared/lib/a.ts', 'export default 1;'],
      ['test/helpers/a.ts', 'const a = 1; export { a as default };'],
    ],
    fine: [['shared/lib/a.ts', 'export const a = 1;']],
  },
  {
    name: `no file is longer than ${MOST_LINES} lines`,
    find: (file) => when(file.lineCount > MOST_LINES, file, `has ${file.lineCount} lines`),
    broken: [['shared/lib/a.ts', 'export {};\n'.repeat(MOST_LINES + 1)]],
    fine: [['shared/lib/a.ts', 'export {};\n'.repeat(MOST_LINES)]],
  },
  {
    name: 'no test is run alone',
    find: (file) =>
      ['it.only', 'test.only', 'describe.only'].flatMap((use) =>
        when(file.uses.has(use), file, `uses ${use}`),
      ),
    broken: [
      ['test/unit/a.test.ts', "it.only('a', () => undefined);"],
      ['test/unit/a.test.ts', "describe.only('a', () => undefined);"],
    ],
    fine: [['test/unit/a.test.ts', "it('it.only', () => undefined);"]],
  },
];
