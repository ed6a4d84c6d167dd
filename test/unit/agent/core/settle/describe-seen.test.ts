import { describe, expect, it } from 'vitest';
import { describeSeen } from '../../../../../electron/agent/core/settle/describe-seen.ts';
import { fileEmpty, fileIncomplete } from '../../../../../electron/agent/files/file-failures.ts';
import { seenStates, type SeenFacts } from '../../../../../shared/domain/seen-export.ts';

const facts = (paths: readonly string[], more: Partial<SeenFacts> = {}): SeenFacts => ({
  files: paths.length,
  sizeBytes: 1,
  concerned: paths.length,
  named: paths.map((path) => ({ path })),
  ...more,
});
const unrecognised = (...paths: readonly string[]) => describeSeen('unrecognised', 'Gate 4', facts(paths));

describe('an export that is not in the queue', () => {
  it.each([
    [['a.jpg', 'b.png'], /^Only pictures, no video: "a\.jpg", "b\.png"/, /with its video/],
    [['in/export.zip', 'a.jpg'], /an archive that may contain one: "export\.zip"\./, /Unpack it/],
    [['player.exe', 'codec.dll'], /^Only programs, no video/, /as video files/],
    [['cam1.xyz'], /^No known video format: "cam1\.xyz"/, /MP4/],
    [
      ['SmartClient-Player.exe', 'XProtect Files/Data/block0.blk'],
      /Milestone export in the XProtect format/,
      /as MP4 or MKV/,
    ],
    [['a.jpg', 'player.exe'], /^No known video format/, /MP4/],
  ])('holding only %j says what it holds and what to do', (paths, message, advice) => {
    expect(unrecognised(...paths).message).toMatch(message);
    expect(unrecognised(...paths).advice).toMatch(advice);
  });

  it('names three files and counts the rest', () => {
    const paths = Array.from({ length: 20 }, (_, index) => `cam${index}.xyz`);
    const { message } = describeSeen('unrecognised', 'Gate 4', facts(paths, { files: 4_321 }));
    expect(message).toContain('"cam0.xyz", "cam1.xyz", "cam2.xyz" and 4,318 more.');
  });

  it('does not say of more files than it knows that they are pictures', () => {
    const { message } = describeSeen('unrecognised', 'Gate 4', facts(['a.jpg', 'b.jpg'], { files: 3 }));
    expect(message).toMatch(/^No known video format: "a\.jpg", "b\.jpg" and 1 more\./);
  });

  it('makes names visible that would turn or hide text', () => {
    expect(unrecognised('a\u202e4pm.xyz').message).toContain('a<U+202E>4pm.xyz');
  });

  it('that is held says why of the first file and counts the others', () => {
    const one = { path: 'a.mp4', failure: fileIncomplete('a.mp4', 'box "moov" is missing') };
    const two = { path: 'b.mp4', failure: fileEmpty('b.mp4') };
    const held = (...named: SeenFacts['named']) =>
      describeSeen('held', 'Gate 4', facts([], { named, concerned: named.length }));
    expect(held(one).message).toBe(
      'Cut off before its end: a.mp4. The export is unfinished or was interrupted.',
    );
    expect(held(one).advice).toMatch(/^If it is still being exported, wait\. Otherwise, export it again\./);
    expect(held(one, two).message).toMatch(/1 other item is held back\.$/);
    expect(held(two, one, one).message).toBe('Empty file: b.mp4. 2 other items are held back.');
  });

  it('says how far the reading of a large one is', () => {
    const read = { done: 3_000, total: 100_000 };
    expect(describeSeen('reading', 'Gate 4', facts([], { read })).message).toBe(
      '3,000 of 100,000 clips read.',
    );
  });

  it('with listed files that are missing names them first', () => {
    const missing = facts(['Gate 3.mp4'], { list: 'checksums.sha256' });
    expect(describeSeen('missing', 'Gate 4', missing)).toEqual({
      message: 'Listed in "checksums.sha256" but missing: "Gate 3.mp4".',
      advice: 'Add the missing file, or send the rest without it.',
    });
  });

  it('of loose files says that none of them is sent', () => {
    expect(describeSeen('unrecognised', '', facts(['a.mp4'])).message).toBe(
      '1 file outside any export folder: "a.mp4". It is not sent.',
    );
  });

  it('that a marker keeps back does not call a clip a folder', () => {
    expect(describeSeen('ignored', 'Gate 4.mp4', facts(['Gate 4.mp4']))).toEqual({
      message: 'Ignored because of a .ignore file.',
      advice: 'Remove that file to send the export.',
    });
    expect(describeSeen('onHold', 'Gate 4.mp4', facts(['Gate 4.mp4'])).message).toBe(
      'Not sent because of a .hold file.',
    );
  });

  it('holding only programs does not say that programs are never sent', () => {
    expect(unrecognised('player.exe').advice).toMatch(/is sent only if the settings allow it/);
  });

  it.each(seenStates)('in the state %s has no word of a container format, and advice', (state) => {
    const named = [
      { path: 'a.mp4', failure: fileIncomplete('a.mp4', 'box "mdat" at byte 40 needs 9 bytes') },
    ];
    const { message, advice } = describeSeen(state, 'Gate 4', facts(['a.mp4'], { named }));
    expect(`${message} ${advice}`).not.toMatch(/\bbox\b|moov|mdat|ebml|undefined|byte/i);
    expect(advice).toMatch(/\.$/);
  });
});
