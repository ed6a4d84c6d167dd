/**
 * Kills clean-up at any moment: `node scripts/launch.mjs test/torture/clean-up-kills.ts [KILLS]`. A process that moves
 * exports (across two disks where there are two) or deletes them is killed with SIGKILL, again and again. After each
 * kill every file is where it was, or complete where it belongs; new files in a folder are never touched. Every third
 * export consists of loose files of the root.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { openDb } from '../../electron/agent/store/open-db.ts';
import { createTables } from '../../electron/agent/store/tables.ts';
import { openCleanUpDesk } from '../helpers/clean-up-desk.ts';
import { createDice } from './dice.ts';

const EXPORTS = 30;
const LONGEST_MS = 500;
const [mode, action = 'delete', home = '', folder = ''] = process.argv.slice(2);

function openTables(place: string) {
  const opened = openDb(join(place, 'queue.db'));
  if (!opened.ok) throw new Error(opened.error.message);
  return createTables(opened.value);
}

async function work(): Promise<void> {
  const policy = { action: action === 'move' ? 'move' : 'delete' } as const;
  const desk = await openCleanUpDesk({ home, folder, policy, tables: openTables(home) });
  process.stdout.write('ready\n');
  for (;;) await desk.passAll();
}

const filesOf = (index: number): readonly string[] =>
  ['a.mp4', 'cam 1/b.mp4', 'cam 1/c.mp4'].slice(0, 1 + (index % 3));
/** The folder of an export's files in the root. */
const placeOf = (index: number): string => (index % 3 === 2 ? '' : `Gate ${index}`);
const pathsOf = (index: number): readonly string[] =>
  placeOf(index) === ''
    ? filesOf(index).map((path) => path.replace(/(\w)\.mp4/, `$1 ${index}.mp4`))
    : filesOf(index);
/**
 * A file that appears after the proof: in a folder it belongs to the export, beside a loose clip it is another clip
 * with its name.
 */
const strangerOf = (index: number): string => (placeOf(index) === '' ? `a ${index}.mkv` : 'stranger.mp4');
const isIn = (path: string, text: string): boolean => existsSync(path) && readFileSync(path, 'utf8') === text;

async function batch(
  kills: number,
  how: 'move' | 'delete',
  elsewhere: string,
): Promise<Record<string, number>> {
  const place = await realpath(await mkdtemp(join(tmpdir(), 'clean-up-kills-')));
  await mkdir(elsewhere, { recursive: true });
  const dice = createDice(kills);
  const tables = openTables(place);
  const desk = await openCleanUpDesk({ home: place, folder: elsewhere, policy: { action: how }, tables });
  const names = Array.from({ length: EXPORTS }, (_, index) => `Gate ${index}`);
  const strangers = new Set(names.filter((_, index) => index % 5 === 4));
  const ids = new Map<string, string>();
  for (const [index, name] of names.entries()) {
    ids.set(name, await desk.add(name, pathsOf(index), {}, placeOf(index)));
    if (strangers.has(name)) await writeFile(join(desk.root, placeOf(index), strangerOf(index)), 'new');
  }
  await desk.close();
  let wrong = 0;
  let killed = 0;
  const done = () => tables.cleanUps.counts().find(({ state }) => state === 'done')?.exports ?? 0;
  while (killed < kills && done() < EXPORTS - strangers.size) {
    const program = fileURLToPath(import.meta.url);
    const child = spawn(process.execPath, [...process.execArgv, program, 'child', how, place, elsewhere], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    await once(child.stdout, 'data');
    await new Promise((resolve) => setTimeout(resolve, dice.between(0, LONGEST_MS)));
    child.kill('SIGKILL');
    await once(child, 'exit');
    killed += 1;
    for (const [index, name] of names.entries()) {
      const below = join(desk.root, placeOf(index));
      if (strangers.has(name) && !isIn(join(below, strangerOf(index)), 'new')) wrong += 1;
      for (const path of pathsOf(index)) {
        const text = `${name} ${path}`;
        const isThere = isIn(join(below, path), text);
        const isMoved = isIn(join(desk.target(name), path), text);
        const state = tables.cleanUps.byId(ids.get(name) ?? '')?.state;
        const mayBeGone =
          how === 'delete' && !strangers.has(name) && (state === 'acting' || state === 'done');
        if (!isThere && !isMoved && !mayBeGone) wrong += 1;
      }
    }
  }
  const result = { killed, done: done(), kept: strangers.size, wrong };
  await rm(place, { recursive: true });
  await rm(elsewhere, { recursive: true, force: true });
  return result;
}

if (mode === 'child') await work();
else {
  const kills = Number(mode ?? 300);
  const totals = { killed: 0, done: 0, kept: 0, wrong: 0 };
  const away = existsSync('/dev/shm') ? '/dev/shm' : tmpdir();
  for (let round = 0; totals.killed < kills; round += 1) {
    const how = round % 3 === 0 ? 'delete' : 'move';
    const elsewhere = join(round % 3 === 1 ? away : tmpdir(), `clean-up-sent-${process.pid}-${round}`);
    const result = await batch(kills - totals.killed, how, elsewhere);
    for (const name of ['killed', 'done', 'kept', 'wrong'] as const) totals[name] += result[name] ?? 0;
    process.stdout.write(`${how} ${elsewhere}: ${JSON.stringify(result)}\n`);
  }
  process.stdout.write(`${JSON.stringify(totals)}\n`);
  process.exit(totals.wrong === 0 ? 0 : 1);
}
