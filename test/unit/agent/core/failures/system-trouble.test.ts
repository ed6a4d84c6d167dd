import { describe, expect, it } from 'vitest';
import { troubleOf } from '../../../../../electron/agent/core/failures/system-trouble.ts';

describe('troubleOf', () => {
  it.each([
    ['ENOENT', { whom: 'entry', what: 'gone' }],
    ['ELOOP', { whom: 'entry', what: 'link' }],
    ['EISDIR', { whom: 'entry', what: 'folder' }],
    ['ENAMETOOLONG', { whom: 'entry', what: 'name-too-long' }],
    ['EACCES', { whom: 'root', what: 'denied' }],
    ['EPERM', { whom: 'root', what: 'denied' }],
    ['EBUSY', { whom: 'root', what: 'busy' }],
    ['ESTALE', { whom: 'root', what: 'unreachable' }],
    ['ENODEV', { whom: 'root', what: 'unreachable' }],
    ['ENXIO', { whom: 'root', what: 'unreachable' }],
    ['EIO', { whom: 'root', what: 'unreadable' }],
    ['UNKNOWN', { whom: 'root', what: 'unreadable' }],
    ['errno 1999', { whom: 'root', what: 'unreadable' }],
    ['EMFILE', { whom: 'process' }],
    ['ENFILE', { whom: 'process' }],
  ])('says whom %s concerns', (name, trouble) => {
    expect(troubleOf(name)).toEqual(trouble);
  });
});
