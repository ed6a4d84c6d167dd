import { describe, expect, it } from 'vitest';
import {
  checkRoots,
  isWithin,
  type ForbiddenPlaces,
  type RootFacts,
} from '../../../../../electron/agent/core/settings/check-roots.ts';

const posix: ForbiddenPlaces = {
  platform: 'posix',
  dataDir: '/home/desk/.local/share/agent',
  homeDir: '/home/desk',
};
const win32: ForbiddenPlaces = {
  platform: 'win32',
  dataDir: 'C:\\ProgramData\\Agent',
  homeDir: 'C:\\Users\\desk',
};

function codes(places: ForbiddenPlaces, ...roots: (string | RootFacts)[]): readonly string[] {
  const facts = roots.map((root) => (typeof root === 'string' ? { path: root } : root));
  return checkRoots(facts, places).map((result) => (result.ok ? 'ok' : result.error.code));
}

describe('checklist 39: check roots', () => {
  it.each([
    ['/', 'ROOT_FORBIDDEN'],
    ['//', 'ROOT_FORBIDDEN'],
    ['/home/..', 'ROOT_FORBIDDEN'],
    ['/home', 'ROOT_FORBIDDEN'],
    ['/home/desk', 'ROOT_FORBIDDEN'],
    ['/home/desk/', 'ROOT_FORBIDDEN'],
    ['/home/desk/./exports/..', 'ROOT_FORBIDDEN'],
    ['/home/desk/.local/share/agent', 'ROOT_FORBIDDEN'],
    ['/home/desk/.local', 'ROOT_FORBIDDEN'],
    ['/home/desk/.local/share/agent/exports', 'ROOT_FORBIDDEN'],
    ['/etc', 'ROOT_FORBIDDEN'],
    ['/etc/exports', 'ROOT_FORBIDDEN'],
    ['/proc/1/fd', 'ROOT_FORBIDDEN'],
    ['/usr/share', 'ROOT_FORBIDDEN'],
    ['/var', 'ROOT_FORBIDDEN'],
    ['/mnt', 'ROOT_FORBIDDEN'],
    ['exports', 'ROOT_FORBIDDEN'],
    ['C:\\exports', 'ROOT_FORBIDDEN'],
    ['/home/desk/exports', 'ok'],
    ['/home/desk/.local/share/agent-exports', 'ok'],
    ['/etcetera', 'ok'],
    ['/mnt/vms', 'ok'],
    ['/run/media/desk/USB', 'ok'],
    ['/srv/exports', 'ok'],
    ['/tmp/demo/exports', 'ok'],
    ['/home/desk/back\\slash', 'ok'],
  ])('on posix %s is %s', (path, code) => expect(codes(posix, path)).toEqual([code]));

  it.each([
    ['C:\\', 'ROOT_FORBIDDEN'],
    ['c:/', 'ROOT_FORBIDDEN'],
    ['D:\\', 'ROOT_FORBIDDEN'],
    ['C:\\Windows', 'ROOT_FORBIDDEN'],
    ['c:\\WINDOWS\\Temp', 'ROOT_FORBIDDEN'],
    ['C:\\Windows. \\Temp', 'ROOT_FORBIDDEN'],
    ['C:\\Program Files\\VMS', 'ROOT_FORBIDDEN'],
    ['C:\\Users', 'ROOT_FORBIDDEN'],
    ['C:\\Users\\Desk', 'ROOT_FORBIDDEN'],
    ['C:/Users/desk/', 'ROOT_FORBIDDEN'],
    ['C:\\PROGRAMDATA\\agent', 'ROOT_FORBIDDEN'],
    ['C:\\Users\\desk\\Videos\\..', 'ROOT_FORBIDDEN'],
    ['C:exports', 'ROOT_FORBIDDEN'],
    ['\\exports', 'ROOT_FORBIDDEN'],
    ['\\\\nas', 'ROOT_FORBIDDEN'],
    ['\\\\nas\\exports', 'ok'],
    ['C:\\Users\\desk\\Videos', 'ok'],
    ['D:\\exports', 'ok'],
  ])('on Windows %s is %s', (path, code) => expect(codes(win32, path)).toEqual([code]));

  it('refuses folders inside each other, whichever comes first, and names both', () => {
    expect(codes(posix, '/srv/a', '/srv/a/b')).toEqual(['ok', 'ROOT_OVERLAP']);
    expect(codes(posix, '/srv/a/b', '/srv/a')).toEqual(['ok', 'ROOT_OVERLAP']);
    expect(codes(posix, '/srv/a', '/srv/a/')).toEqual(['ok', 'ROOT_OVERLAP']);
    expect(codes(win32, 'D:\\Exports', 'd:/exports/x')).toEqual(['ok', 'ROOT_OVERLAP']);
    expect(codes(posix, '/srv/a', '/srv/ab', '/srv/A')).toEqual(['ok', 'ok', 'ok']);
    const [, second] = checkRoots([{ path: '/srv/a' }, { path: '/srv/a/b' }], posix);
    expect(second?.ok === false && second.error.message).toContain('/srv/a and /srv/a/b');
  });

  it('says of a folder that is named twice that it is the same one', () => {
    const [, second] = checkRoots([{ path: '/srv/a' }, { path: '/srv/a/' }], posix);
    expect(second?.ok === false && second.error.message).toBe(
      'The watched folders /srv/a and /srv/a/ are the same folder.',
    );
  });

  it.each([
    ['/home/desk/.local/share/agent/', "it is the agent's data directory"],
    ['/home/desk/.local', "it contains the agent's data directory"],
    ['/home/desk/.local/share/agent/exports', "it is inside the agent's data directory"],
  ])('says how %s and the data directory lie to each other', (path, reason) => {
    const [result] = checkRoots([{ path }], posix);
    expect(result?.ok === false && result.error.message).toBe(
      `The folder ${path} cannot be watched: ${reason}.`,
    );
  });

  it('asks for the full path of a folder that is named without it', () => {
    const [result] = checkRoots([{ path: 'exports' }], posix);
    expect(result).toMatchObject({ error: { advice: 'Enter the full path of the folder.' } });
  });

  it('judges a folder by its real path', () => {
    expect(codes(posix, { path: '/srv/x', realPath: '/etc/x' })).toEqual(['ROOT_FORBIDDEN']);
    expect(codes(posix, { path: '/srv/x', realPath: '/data/x' }, '/data')).toEqual(['ok', 'ROOT_OVERLAP']);
  });

  it('refuses a link and shows where it leads', () => {
    const [result] = checkRoots([{ path: '/srv/x', realPath: '/data/x', isLink: true }], posix);
    expect(result).toMatchObject({ ok: false, error: { code: 'ROOT_LINK' } });
    expect(result?.ok === false && result.error.message).toContain('/data/x');
  });
});

describe('isWithin', () => {
  it.each([
    ['/srv/exports/gate 4', '/srv/exports', 'posix', true],
    ['/srv/exports', '/srv/exports/', 'posix', true],
    ['/srv/exports-old/gate 4', '/srv/exports', 'posix', false],
    ['gate 4', '/', 'posix', false],
    ['C:\\Exports\\Gate 4', 'c:\\exports', 'win32', true],
    ['C:\\Exports2', 'C:\\Exports', 'win32', false],
  ] as const)('%s in %s on %s: %s', (path, outer, platform, expected) => {
    expect(isWithin(path, outer, platform)).toBe(expected);
  });
});
