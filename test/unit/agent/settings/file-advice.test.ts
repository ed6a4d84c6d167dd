import { expect, it } from 'vitest';
import { readConfigFile } from '../../../../electron/agent/settings/config-file.ts';
import { fileAdvice, systemCode } from '../../../../electron/agent/settings/file-advice.ts';
import { createKeyFileSecrets } from '../../../../electron/agent/settings/key-file.ts';

const DISK = 'Check the disk or share that the file is on, then try again.';

it.each([
  ['EACCES', 'Give access.'],
  ['EPERM', 'Give access.'],
  ['ENOENT', 'Give access.'],
  ['EISDIR', 'This is the path of a folder. Give the path of a file.'],
  ['EIO', DISK],
  ['EROFS', 'The disk or share that the file is on is read-only. Make it writable and try again.'],
  ['ENAMETOOLONG', 'The name or path of the file is too long. Shorten it and try again.'],
  ['ESTALE', DISK],
  ['EBUSY', 'Another program is using the file. Close it there and try again.'],
  ['EDQUOT', "The disk or the account's quota is full. Free some space and try again."],
  ['EMFILE', "Restart the program. If this happens again, raise its account's limit on open files."],
])('the advice on %s blames the rights of the account only where they may be the cause', (code, advice) => {
  expect(fileAdvice(code, 'Give access.')).toBe(advice);
});

it.runIf(process.platform === 'linux').each([
  [-122, 'Unknown system error -122', 'EDQUOT'],
  [-116, 'Unknown system error -116', 'ESTALE'],
  [-28, 'ENOSPC', 'ENOSPC'],
  [undefined, 'ERR_FS_EISDIR', 'ERR_FS_EISDIR'],
])('an error %s with the code %s is called %s', (errno, code, name) => {
  expect(systemCode(Object.assign(new Error('x'), { errno, code }))).toBe(name);
});

// Linux returns EIO for the memory at address 0
it.skipIf(process.platform !== 'linux')('a configuration and a key say so of a disk error', async () => {
  const file = '/proc/self/mem';
  expect(await readConfigFile(file)).toMatchObject({
    error: { code: 'CONFIG_UNREADABLE', message: `Could not read ${file} (EIO).`, advice: DISK },
  });
  await expect(createKeyFileSecrets({ apiKeyPath: file }).apiKey()).rejects.toMatchObject({
    failure: { code: 'KEY_FILE_OPEN', advice: DISK },
  });
});
