import { describe, expect, it } from 'vitest';
import type { FileSeen } from '../../../../../electron/agent/core/settle/file-seen.ts';
import { recogniseExport } from '../../../../../electron/agent/core/naming/recognise-export.ts';

const seen = (path: string, more: Partial<FileSeen> = {}): FileSeen => ({
  path,
  kind: 'file',
  sizeBytes: 1000,
  mtimeNs: '1777660205000000000',
  inode: '1',
  device: '1',
  links: 1,
  ...more,
});
const recognise = (...paths: readonly string[]) => recogniseExport(paths.map((path) => seen(path)));
const pathsOf = (files: readonly { readonly path: string }[]) => files.map((file) => file.path);

describe('clips', () => {
  it.each([
    ['a.mp4', 'mp4', false],
    ['a.MOV', 'mp4', false],
    ['a.m4v', 'mp4', false],
    ['a.mkv', 'mkv', false],
    ['a.webm', 'mkv', false],
    ['a.avi', 'avi', false],
    ['a.wmv', 'asf', false],
    ['a.m2ts', 'ts', false],
    ['a.mpg', 'ps', false],
    ['a.h265', 'raw', false],
    ['a.g64x', 'native', true],
    ['a.DAV', 'native', true],
    ['a.bvr', 'native', true],
    ['sub/deep/a.mp4', 'mp4', false],
    ['x.mp4.', 'mp4', false],
    ['sp .mp4 ', 'mp4', false],
    ['CON.mp4', 'mp4', false],
    ['=cmd|calc.mp4', 'mp4', false],
    ['-rf.mp4', 'mp4', false],
    ['..\\..\\evil.mp4', 'mp4', false],
    ['<img src=x onerror=y>.mp4', 'mp4', false],
  ])('takes %s as %s', (path, container, needsVendorPlayer) => {
    expect(recognise(path).clips).toMatchObject([{ path, container, needsVendorPlayer }]);
  });

  it('takes .ps beside a .psi index as a native store', () => {
    const { clips } = recognise('4412-1.ps', '4412-1.psi', 'film.ps');
    expect(clips.map((clip) => clip.container)).toEqual(['native', 'ps']);
  });

  it('lists the same files in the same order, whatever order they were seen in', () => {
    const paths = ['b.mp4', 'a/z.mp4', 'A.mp4', 'a.mp4', 'é.mp4', 'e\u0301.mp4', 'a/b.jpg'];
    expect(recognise(...paths.toReversed())).toEqual(recognise(...paths));
    expect(pathsOf(recognise(...paths).clips)).toEqual([
      'A.mp4',
      'a.mp4',
      'a/z.mp4',
      'b.mp4',
      'e\u0301.mp4',
      'é.mp4',
    ]);
  });

  it('input A8: takes a folder named like a clip as a folder', () => {
    const result = recogniseExport([seen('clip.mp4', { kind: 'directory' }), seen('clip.mp4/real.mp4')]);
    expect(pathsOf(result.clips)).toEqual(['clip.mp4/real.mp4']);
    expect(result.skipped).toEqual([]);
  });
});

describe('images', () => {
  it.each([
    ['a.jpg', 'a.jpg'],
    ['a.mp4.jpg', 'a.mp4.jpg'],
    ['a.PNG', 'a.PNG'],
    ['a.jpeg', 'a.jpeg'],
  ])('takes %s as the thumbnail of a.mp4', (image, expected) => {
    expect(recognise('a.mp4', image).thumbnailsByClip.get('a.mp4')?.path).toBe(expected);
  });

  it.each(['b.jpg', 'sub/a.jpg', 'a2.jpg', 'A.jpg'])(
    'does not take %s as the thumbnail of a.mp4',
    (image) => {
      const result = recognise('a.mp4', image);
      expect(result.thumbnailsByClip.size).toBe(0);
      expect(pathsOf(result.imagesWithoutClip)).toEqual([image]);
    },
  );

  it('prefers the whole name, then jpg', () => {
    const all = ['a.mp4', 'a.bmp', 'a.png', 'a.jpg', 'a.mp4.png'];
    expect(recognise(...all).thumbnailsByClip.get('a.mp4')?.path).toBe('a.mp4.png');
    expect(recognise(...all.slice(0, 4)).thumbnailsByClip.get('a.mp4')?.path).toBe('a.jpg');
  });

  it('gives one image to two clips of the same stem', () => {
    const { thumbnailsByClip } = recognise('a.mp4', 'a.mkv', 'a.jpg');
    expect([...thumbnailsByClip.keys()]).toEqual(['a.mkv', 'a.mp4']);
  });
});

describe('sidecars', () => {
  it('finds the one of the export and those of clips', () => {
    const result = recognise(
      'incident.json',
      'a.mp4',
      'a.json',
      'sub/b.mkv',
      'sub/b.mkv.json',
      'notes.json',
      'sub/incident.json',
    );
    expect(result.sidecar?.path).toBe('incident.json');
    expect([...result.clipSidecars].map(([clip, file]) => [clip, file.path])).toEqual([
      ['a.mp4', 'a.json'],
      ['sub/b.mkv', 'sub/b.mkv.json'],
    ]);
    expect(pathsOf(result.documents)).toEqual(['notes.json', 'sub/incident.json']);
  });
});

describe('files that are left alone', () => {
  it.each([
    'a.mp4.tmp',
    'a.mp4.part',
    'a.partial',
    'a.mp4.crdownload',
    '~$a.mp4',
    'a.lock',
    'sub/.b.mp4.part',
  ])('waits for %s as temporary', (path) => {
    const result = recognise(path);
    expect(pathsOf(result.temporary)).toEqual([path]);
    expect(result.clips).toEqual([]);
  });

  it.each(['Thumbs.db', '.DS_Store', 'desktop.ini', '._clip.mp4', 'index.db', 'logo.ico', '.cache/a.mp4'])(
    'ignores %s without a word',
    (path) => {
      const { accounts, ...rest } = recognise(path);
      expect({ ...rest, accounts: [] }).toEqual(recognise());
      expect(accounts).toMatchObject([{ path, class: 'system' }]);
    },
  );

  it.each([
    'SmartClient-Player.exe',
    'codec.dll',
    'run.BAT',
    'x.ps1',
    'a.lnk',
    'autorun.inf',
    'a.sh',
    'what.xyz',
    'noextension',
    'clip.mp4:stream',
  ])('lists %s as skipped', (path) => {
    const result = recognise(path);
    expect(result.skipped).toMatchObject([{ path, code: 'FILE_SKIPPED' }]);
    expect(result.clips).toEqual([]);
  });

  it.each([
    ['link', 'clip.mp4', 'FILE_LINK'],
    ['link', '.hidden', 'FILE_LINK'],
    ['link', 'incident.json', 'FILE_LINK'],
    ['link', 'thumb.jpg', 'FILE_LINK'],
    ['other', 'pipe.mp4', 'FILE_NOT_REGULAR'],
  ] as const)('refuses a %s named %s', (kind, path, code) => {
    const result = recogniseExport([seen(path, { kind })]);
    expect(result.skipped).toMatchObject([{ path, code }]);
    expect([...result.clips, ...result.documents, ...result.imagesWithoutClip]).toEqual([]);
  });

  it.each([
    ['bad\ufffd.mp4', '626164efbfbd2e6d7034'],
    ['lone\ud800.mp4', '6c6f6e65efbfbd2e6d7034'],
    ['bad\ufffd/a.mp4', 'the name "bad<U+FFFD>" is not valid text (hex 626164efbfbd)'],
  ])('input A21, input A22: refuses the unreadable name %j and shows its bytes', (path, hex) => {
    const [skipped] = recognise(path).skipped;
    expect(skipped?.code).toBe('FILE_NAME_UNREADABLE');
    expect(skipped?.message).toContain(hex);
    expect(recognise(path).clips).toEqual([]);
  });
});

describe('warnings', () => {
  it('takes a hard link and says so', () => {
    const result = recogniseExport([seen('a.mp4', { links: 2 })]);
    expect(pathsOf(result.clips)).toEqual(['a.mp4']);
    expect(result.warnings).toMatchObject([{ code: 'FILE_HARDLINK', file: 'a.mp4' }]);
  });

  it.each(['a\u202egpj.mp4', 'a\nb.mp4', 'a\u200b.mp4'])(
    'takes %j and says what is hidden in its name',
    (path) => {
      const result = recognise(path);
      expect(pathsOf(result.clips)).toEqual([path]);
      expect(result.warnings).toMatchObject([{ code: 'FILE_NAME_HIDDEN', file: path }]);
      expect(result.warnings[0]?.message).not.toContain(path);
    },
  );
});

describe('accounts', () => {
  it('place every file in exactly one class', () => {
    const files = [
      'a.mp4',
      'a.jpg',
      'a.json',
      'incident.json',
      'report.pdf',
      '2021/06/01/18/0530-0A000100.ps',
      '2021/06/01/18/0530-0A000100.psi',
      'North gate/2021/06/01/18/North gate_05.h264.1',
      'Player.exe',
      '.DS_Store',
      'b.mp4.part',
      'NVR_STANDBY_1.mov',
      'what.xyz',
      'numbers.mp4.1',
    ];
    const { accounts } = recogniseExport([
      ...files.map((path) => seen(path)),
      seen('l.mp4', { kind: 'link' }),
    ]);
    const classes = Object.fromEntries(accounts.map((account) => [account.path, account.class]));
    expect(accounts).toHaveLength(files.length + 1);
    expect(classes).toEqual({
      'a.mp4': 'clip',
      'a.jpg': 'picture',
      'a.json': 'sidecar',
      'incident.json': 'sidecar',
      'report.pdf': 'companion',
      '2021/06/01/18/0530-0A000100.ps': 'clip',
      '2021/06/01/18/0530-0A000100.psi': 'companion',
      'North gate/2021/06/01/18/North gate_05.h264.1': 'clip',
      'Player.exe': 'program',
      '.DS_Store': 'system',
      'b.mp4.part': 'waiting',
      'NVR_STANDBY_1.mov': 'waiting',
      'what.xyz': 'unknown',
      'numbers.mp4.1': 'unknown',
      'l.mp4': 'unknown',
    });
  });

  it.each([
    [
      'the older layout',
      [
        'SmartClient-Player.exe',
        'autorun.inf',
        'XProtect Files/Data/Mediadata/6a0b/Gate 4/block0.blk',
        'XProtect Files/Data/Mediadata/6a0b/Gate 4/pindex.idx',
        'XProtect Files/Data/Mediadata/6a0b/Gate 4/config.xml',
        'XProtect Files/Exported Project.scp',
      ],
    ],
    [
      'the newer layout',
      [
        'SmartClient-Player.exe',
        'Client Files/Data/a.blk',
        'Client Files/Data/x.mkv',
        'Client Files/Project.scp',
        'Client Files/Client/player.dll',
      ],
    ],
    ['that of a service', ['Data/Mediadata/6a0b/block0.blk', 'Data/pindex.idx', 'Export.scp']],
  ])('send nothing of a Milestone project in %s, and no program of it', (_layout, paths) => {
    const result = recognise(...paths);
    expect(result.clips).toEqual([]);
    expect(result.warnings).toMatchObject([{ code: 'PROJECT_NOT_SENT' }]);
    for (const { path, class: fileClass } of result.accounts)
      expect(fileClass, path).toBe(/\.(?:exe|inf|dll)$/.test(path) ? 'program' : 'companion');
  });

  it.each([
    [['20110601/09244102D.DSF', '20110601/09244102D.INX'], []],
    [['20110601/09244102D.DSF'], ['COMPANION_MISSING']],
    [['NVR_INDEX_00.mov', 'NVR_MEDIA_00.mov'], []],
    [['NVR_MEDIA_00.mov'], ['COMPANION_MISSING']],
    [['2021/06/01/18/0530-0A000100.ps', '2021/06/01/18/0530-0A000100.psi'], []],
    [['2021/06/01/18/0530-0A000100.ps'], ['COMPANION_MISSING']],
    [['a.ps', 'a.psi'], []],
    [['a.ps'], []],
    [['a.avi', 'b.psi'], ['COMPANION_MISSING']],
    [
      ['a.avi', 'b.INX', 'NVR_INDEX_00.mov'],
      ['COMPANION_MISSING', 'COMPANION_MISSING'],
    ],
  ])('take %j as one clip', (paths, codes) => {
    const result = recognise(...paths);
    expect(result.clips).toHaveLength(1);
    expect(result.warnings.map(({ code }) => code)).toEqual(codes);
  });
});
