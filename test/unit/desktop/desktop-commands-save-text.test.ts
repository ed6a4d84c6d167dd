import { describe, expect, it } from 'vitest';
import { safeFileName } from '../../../electron/desktop/desktop-commands.ts';

describe('the name that is offered in a save dialog', () => {
  it.each([
    ['actions 2026-05-01.csv', 'actions 2026-05-01.csv'],
    ['Zuschauer Südtribüne.csv', 'Zuschauer Südtribüne.csv'],
    ['../../.ssh/authorized_keys', 'ssh-authorized_keys'],
    ['..\\..\\run.bat', 'run.bat'],
    ['/etc/passwd', 'etc-passwd'],
    ['C:\\Windows\\win.ini', 'C-Windows-win.ini'],
    ['.bashrc', 'bashrc'],
    ['--help.csv', 'help.csv'],
    ['a\u0000b\nc.csv', 'a-b-c.csv'],
    ['report\u202Evsc.exe', 'report-vsc.exe'],
    ['what?.csv', 'what-.csv'],
    ['ends.csv. . ', 'ends.csv'],
    ['CON', 'export-CON'],
    ['nul.csv', 'export-nul.csv'],
    ['lpt1.tar.csv', 'export-lpt1.tar.csv'],
    ['console.csv', 'console.csv'],
    ['', 'export'],
    ['...', 'export'],
    ['\ud800.csv', 'csv'],
    [`${'n'.repeat(300)}.csv`, `${'n'.repeat(60)}.csv`],
  ])('%j becomes %j', (name, safe) => {
    expect(safeFileName(name)).toBe(safe);
  });

  it('never holds more bytes than a file system takes', () => {
    expect(Buffer.byteLength(safeFileName(`${'🎥'.repeat(200)}.json`))).toBeLessThanOrEqual(255);
  });
});
