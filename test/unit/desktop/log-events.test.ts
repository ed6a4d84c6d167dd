import { describe, expect, it } from 'vitest';
import { AgentEvents, type AgentEvent } from '../../../electron/agent/events.ts';
import { createLogger, createSystemClock } from '../../../electron/agent/index.ts';
import { logEvents } from '../../../electron/desktop/log-events.ts';

const clip = { incidentId: 'i1', clipId: 'c1', file: 'ramp.mp4' };
const failed: AgentEvent = {
  event: 'clip.failed',
  ...clip,
  code: 'FILE_EMPTY',
  message: 'ramp.mp4 is empty.',
  advice: 'Export it again.',
};

function openLog() {
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
    const { written, events } = openLog();
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
    const { written, events } = openLog();
    events.emit(failed);
    expect(written).toMatchObject([
      {
        level: 'warn',
        message: 'A clip failed',
        ...clip,
        code: 'FILE_EMPTY',
        reason: 'ramp.mp4 is empty.',
        advice: 'Export it again.',
      },
    ]);
  });

  it('ends with its host', () => {
    const { written, events, end } = openLog();
    end();
    events.emit(failed);
    expect(written).toEqual([]);
  });
});
