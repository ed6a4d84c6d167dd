import { mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createLogFile, logEvents } from '../../../electron/desktop/log.ts';
import { makeFolder } from '../../helpers/desk-tools.ts';
import { AgentEvents, type AgentEvent } from '../../../electron/agent/events.ts';
import { createLogger, createSystemClock } from '../../../electron/agent/index.ts';

const openLog = async (fileBytes?: number) => {
  const folder = join(await makeFolder(), 'logs');
  const log = createLogFile({ folder, name: 'agent.log', ...(fileBytes !== undefined && { fileBytes }) });
  const read = (name = 'agent.log') => readFile(join(folder, name), 'utf8');
  return { folder, log, read };
};

describe('the log on the disk', () => {
  it('has each line, in order, for this account only', async () => {
    const { folder, log, read } = await openLog();
    for (const line of ['one', 'two', 'three']) log.write(line);
    await log.flush();
    expect(await read()).toBe('one\ntwo\nthree\n');
    expect((await stat(join(folder, 'agent.log'))).mode & 0o777).toBe(0o600);
  });

  it('goes on with the file of the last start', async () => {
    const { folder, log, read } = await openLog();
    log.write('before');
    await log.flush();
    const next = createLogFile({ folder, name: 'agent.log' });
    next.write('after');
    await next.flush();
    expect(await read()).toBe('before\nafter\n');
  });

  it('begins a new file at its size and keeps five', async () => {
    const { folder, log, read } = await openLog(10);
    for (const line of ['1234567', '2234567', '3234567', '4234567', '5234567', '6234567', '7234567']) {
      log.write(line);
      await log.flush();
    }
    expect((await readdir(folder)).toSorted()).toEqual([
      'agent.log',
      'agent.log.1',
      'agent.log.2',
      'agent.log.3',
      'agent.log.4',
    ]);
    expect(await read()).toBe('7234567\n');
    expect(await read('agent.log.4')).toBe('3234567\n');
  });

  it('fault 15: never fails who writes: the lines of a broken disk are gone, later ones are written', async () => {
    const { folder, log, read } = await openLog();
    await writeFile(folder, 'in the way');
    log.write('lost');
    await log.flush();
    await rm(folder);
    log.write('kept');
    await log.flush();
    expect(await read()).toBe('kept\n');
    await rm(folder, { recursive: true });
    log.write('again');
    await log.flush();
    expect(await read()).toBe('again\n');
  });

  it('counts what it had to drop', async () => {
    const { folder, log, read } = await openLog();
    await mkdir(folder);
    log.write('first');
    for (let index = 0; index < 3; index += 1) log.write('x'.repeat(900_000));
    await log.flush();
    expect(await read()).toContain('{"message":"Lines were dropped","lines":2}\n');
  });
});

const clip = { incidentId: 'i1', clipId: 'c1', file: 'ramp.mp4' };

const failed: AgentEvent = {
  event: 'clip.failed',
  ...clip,
  code: 'FILE_EMPTY',
  message: 'Empty file: ramp.mp4.',
  advice: 'Export it again.',
};

function openEventLog() {
  const written: unknown[] = [];
  const logger = createLogger({
    level: 'info',
    format: 'json',
    write: (line) => void written.push(JSON.parse(line)),
    clock: createSystemClock(),
    rules: () => ({ secrets: [], homeDir: '/home/ada' }),
  });
  const events = new AgentEvents();
  return { written, events, end: logEvents(events, logger) };
}

describe('what the agent did, in the log', () => {
  it('is a line for each fact, with what support asks for, and without the home of the account', () => {
    const { written, events } = openEventLog();
    events.emit({
      event: 'incident.found',
      incidentId: 'i1',
      title: 'Ramp',
      folder: '/home/ada/exports/Ramp',
      clips: 1,
    });
    events.emit({ event: 'clip.uploaded', ...clip, bytes: 5, sha256: 'ab', storageKey: 'k' });
    expect(written).toMatchObject([
      { level: 'info', message: 'An export became an incident', folder: '~/exports/Ramp', clips: 1 },
      { level: 'info', message: 'A clip was sent', ...clip, bytes: 5, sha256: 'ab', storageKey: 'k' },
    ]);
  });

  it('says why a clip failed under its own name, as a warning', () => {
    const { written, events } = openEventLog();
    events.emit(failed);
    expect(written).toMatchObject([
      {
        level: 'warn',
        message: 'A clip failed',
        ...clip,
        code: 'FILE_EMPTY',
        reason: 'Empty file: ramp.mp4.',
        advice: 'Export it again.',
      },
    ]);
  });

  it('ends with its host', () => {
    const { written, events, end } = openEventLog();
    end();
    events.emit(failed);
    expect(written).toEqual([]);
  });
});
