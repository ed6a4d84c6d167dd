import { describe, expect, it } from 'vitest';
import { createSystemLog } from '../../../../electron/agent/evidence/system-log.ts';

describe('the log of the system', () => {
  it.each([
    ['linux', 'logger', 'journalctl'],
    ['darwin', '/usr/bin/logger', '/usr/bin/log'],
    // With the full path: Windows looks for a bare name in the working folder first
    ['win32', 'C:\\Windows\\System32\\eventcreate.exe', 'C:\\Windows\\System32\\wevtutil.exe'],
  ] as const)('is written and read by the programs of %s', async (platform, writer, reader) => {
    const ran: (readonly string[])[] = [];
    const log = createSystemLog({
      platform,
      userId: 1000,
      run: async (program, args) => {
        ran.push([program, ...args]);
        return 'a line';
      },
    });
    expect([await log.write('one line'), await log.read()]).toEqual([true, 'a line']);
    expect(ran.map(([program]) => program)).toEqual([writer, reader]);
    expect(ran[0]?.at(-1)).toBe('one line');
  });

  it('that is not there takes nothing and has nothing', async () => {
    const log = createSystemLog({ platform: 'linux', userId: 1000, run: async () => undefined });
    expect([await log.write('one line'), await log.read()]).toEqual([false, undefined]);
  });
});
