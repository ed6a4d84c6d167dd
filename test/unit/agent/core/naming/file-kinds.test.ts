import { describe, expect, it } from 'vitest';
import {
  isIgnoredFileName,
  isIgnoredFolderName,
  isTemporaryName,
} from '../../../../../electron/agent/core/naming/file-kinds.ts';

describe('temporary names', () => {
  it.each([
    'clip.mp4.tmp',
    'clip.mp4.part',
    'a.PARTIAL',
    'b.crdownload',
    '~$report.docx',
    '.~lock.x#',
    '.clip.mp4.part',
    'x.lock',
    'x.mp4.filepart',
    'x.download',
    'x.!ut',
  ])('takes %s for a file that another program still makes', (name) => {
    expect(isTemporaryName(name)).toBe(true);
    expect(isIgnoredFileName(name)).toBe(false);
  });

  it.each([
    'clip.mp4',
    'part.mp4',
    'tmp',
    'lock',
    'download.mkv',
    'incident.json',
    'party',
    'a~b.mp4',
    'x.temperature',
  ])('takes %s as it is', (name) => {
    expect(isTemporaryName(name)).toBe(false);
    expect(isIgnoredFileName(name)).toBe(false);
  });

  it.each(['Thumbs.db', 'THUMBS.DB', '.DS_Store', 'desktop.ini', '.hidden.mp4'])('leaves out %s', (name) => {
    expect(isIgnoredFileName(name)).toBe(true);
  });

  it.each([
    ['.git', true],
    ['$RECYCLE.BIN', true],
    ['System Volume Information', true],
    ['@eaDir', true],
    ['lost+found', true],
    ['export.tmp', true],
    ['2026-01-15 Gate 4', false],
    ['Client Files', false],
    ['clip.mp4', false],
  ])('folder %s is left out: %s', (name, isIgnored) => {
    expect(isIgnoredFolderName(name)).toBe(isIgnored);
  });
});
