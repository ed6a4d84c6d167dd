import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { checkSettings } from '../../../../../electron/agent/settings/load-settings.ts';
import { isConsoleOn, noPolicy } from '../../../../../electron/agent/settings/policy/policy.ts';
import {
  readPolicyWith,
  readWithGuards,
  runProgram,
} from '../../../../../electron/agent/settings/policy/read-policy.ts';
import { createPolicyTools, rootFile } from './policy-tools.ts';

const PLACE = '/etc/vms-export-agent/policy.json';
const read = (value: unknown) => {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return readPolicyWith(createPolicyTools('linux', { files: { [PLACE]: rootFile(text) } }).tools);
};
const textsOf = async (policy: ReturnType<typeof readPolicyWith>): Promise<readonly string[]> => {
  const answer = await policy;
  if (answer.ok) throw new Error('The policy was taken');
  return answer.error.map(({ code, message, advice }) => `${code}: ${message} ${advice}`);
};

describe('the policy of a Linux PC', () => {
  it('is none without its file', async () => {
    expect(await readPolicyWith(createPolicyTools('linux').tools)).toEqual({ ok: true, value: noPolicy });
  });

  it('is what the file says, with what concerns hosts apart', async () => {
    const managed = {
      baseUrl: 'https://api.example.com/v1',
      upload: { maxBytesPerSecond: null },
      updates: { enabled: false, feedUrl: 'https://updates.example.com/feed' },
      console: { enabled: false },
    };
    const recommended = {
      upload: { concurrentFiles: 1 },
      updates: { channel: 'beta' },
      console: { enabled: true },
    };
    expect(await read({ managed, recommended })).toEqual({
      ok: true,
      value: {
        places: [`${PLACE}, "managed"`, `${PLACE}, "recommended"`],
        count: 8,
        managed: { baseUrl: 'https://api.example.com/v1', upload: { maxBytesPerSecond: null } },
        recommended: { upload: { concurrentFiles: 1 } },
        updates: { enabled: false, channel: 'beta', feedUrl: 'https://updates.example.com/feed' },
        console: { managed: false, recommended: true },
      },
    });
  });

  it.each<[unknown, readonly RegExp[]]>([
    ['{"managed": {', [/^POLICY_INVALID: .*policy\.json is not valid JSON: line 1/]],
    [{ managd: {} }, [/managd is not a known setting\. Did you mean managed\? .*policy\.json/]],
    [
      { baseUrl: 'https://a.example' },
      [/baseUrl is not a known setting\. Settings allowed here: managed, recommended\./],
    ],
    [
      { managed: { uplod: {} } },
      [/uplod is not a known setting\. Did you mean upload\? The setting is in .*policy\.json, "managed"/],
    ],
    [
      { managed: { auth: { scheme: 'query', name: 'per_page' } } },
      [/^POLICY_INVALID: .*auth\.name is a parameter that the service uses for something else\./],
    ],
    [
      { managed: { upload: { concurrentFiles: 0 } } },
      [/upload\.concurrentFiles is 0; it must be a whole number from 1 to 16\. Correct/],
    ],
    [
      { managed: { upload: { concurentFiles: 3 } } },
      [/upload\.concurentFiles is not a known setting\. .*concurrentFiles.*policy\.json/],
    ],
    [
      { managed: { upload: { concurrentFiles: 99 } } },
      [/upload\.concurrentFiles is 99; it must be a whole number from 1 to 16\. .*policy\.json/],
    ],
    [{ recommended: { users: { updateMethod: 'PATCH' } } }, [/users\.updateMethod .*"recommended"/]],
    [
      { managed: { apiKey: 'canary' } },
      [/apiKey is not a known setting\. The key itself never goes in this file/],
    ],
    [
      { managed: { baseUrl: 'http://api.example.com' } },
      [/baseUrl begins with http:\/\/.*The setting is in .*policy\.json/],
    ],
    [
      { managed: { updates: { feedUrl: 'http://updates.example.com' } } },
      [/updates\.feedUrl .*must be an address that begins with https/],
    ],
    [
      {
        managed: {
          signedPolicy: { url: 'http://policy.example.com/p.json', publicKey: 'A'.repeat(43) + '=' },
        },
      },
      [/signedPolicy\.url .*must begin with https:\/\/, include a path/],
    ],
    [
      { managed: { signedPolicy: { url: 'https://policy.example.com/p.json', publicKey: 'AAAA' } } },
      [/signedPolicy\.publicKey .*must be a 32-byte Ed25519 public key/],
    ],
    [
      { recommended: { signedPolicy: { url: 'https://p.example/p', publicKey: 'A'.repeat(43) + '=' } } },
      [/signedPolicy can be set only in the managed policy of the PC/],
    ],
    [
      { managed: { updates: { channel: 'nightly' } } },
      [/updates\.channel is not valid; it must be one of "stable", "beta"/],
    ],
    [{ managed: { cleanUp: { action: 'delete' } } }, [/The policy does not set cleanUp\.afterDays/]],
    [{ managed: { cleanUp: { afterDays: 30 } } }, [/The policy does not set cleanUp\.folder/]],
    [
      { managed: { cleanUp: { afterDays: 30, folder: 'sent' } } },
      [/cleanUp\.folder is a relative path; a policy needs full paths/],
    ],
    [
      { recommended: { cleanUp: { afterDays: 30, action: 'delete' } } },
      [/cleanUp can be set only in a managed policy/],
    ],
    [
      { managed: { watch: [{ path: 'exports' }] } },
      [/watch\[0\]\.path is a relative path; a policy needs full paths/],
    ],
    [
      { managed: { cameras: [{ match: 'Gate 4', folder: 'exports' }] } },
      [/cameras\[0\]\.folder is a relative path; a policy needs full paths/],
    ],
    [
      { managed: { watch: [{ path: '/e', timeZone: 'Europe/Lndon' }] } },
      [/watch\[0\]\.timeZone is not a known time zone; the closest match is "Europe\/London"/],
    ],
    [
      { managed: { a: 1 }, recommended: { b: 1 } },
      [/^POLICY_INVALID: a is not/, /^POLICY_INVALID: b is not/],
    ],
  ])('is refused as a whole for %j', async (value, reasons) => {
    const texts = await textsOf(read(value));
    expect(texts).toEqual(reasons.map((reason) => expect.stringMatching(reason)));
    expect(texts.join(' ')).toContain('does not start until the policy can be used');
    expect(texts.join(' ')).not.toContain('canary');
  });

  it('may have stored exports moved or deleted, which the configuration cannot', async () => {
    const policyOf = async (cleanUp: object) => {
      const policy = await read({ managed: { cleanUp } });
      return policy.ok ? policy.value.cleanUp : policy.error;
    };
    expect(await policyOf({ afterDays: 30, folder: '/sent' })).toEqual({
      afterDays: 30,
      action: 'move',
      folder: '/sent',
    });
    expect(await policyOf({ afterDays: 1, action: 'delete' })).toEqual({ afterDays: 1, action: 'delete' });
    const written = checkSettings({ cleanUp: { afterDays: 1, action: 'delete' } }, '/etc/config.json');
    expect(written.ok).toBe(false);
  });

  it.each([
    ['belongs to someone else', { path: PLACE, ownerId: 1000, mode: 0o644 }],
    ['can be written by its group', { path: PLACE, ownerId: 0, mode: 0o664 }],
    ['can be written by all', { path: PLACE, ownerId: 0, mode: 0o646 }],
    ['lies in a folder of someone else', { path: '/etc/vms-export-agent', ownerId: 1000, mode: 0o755 }],
  ])('is refused when its file %s', async (_, guard) => {
    const files = { [PLACE]: rootFile('{}', [guard]) };
    const [text] = await textsOf(readPolicyWith(createPolicyTools('linux', { files }).tools));
    expect(text).toContain(`${guard.path} can be changed by accounts other than root.`);
  });

  it('is refused when its file cannot be read: it may say anything', async () => {
    const { tools } = createPolicyTools('linux', { files: { [PLACE]: 'EACCES' } });
    expect(await textsOf(readPolicyWith(tools))).toEqual([
      expect.stringContaining('cannot be read (EACCES)'),
    ]);
  });
});

describe('the policy of a Mac', () => {
  const own = '/Library/Managed Preferences/ada/com.vms-export-agent.plist';
  const machine = '/Library/Managed Preferences/com.vms-export-agent.plist';
  const plutil = (file: string) => `/usr/bin/plutil -convert json -o - ${file}`;

  it('is that of the account before that of the machine', async () => {
    const { tools } = createPolicyTools('darwin', {
      files: { [own]: rootFile(''), [machine]: rootFile('') },
      programs: {
        [plutil(own)]: '{"users": {"updateMethod": "PUT"}}',
        [plutil(machine)]:
          '{"users.updateMethod": "POST", "upload": {"concurrentFiles": 2}, "Recommended": {"upload.concurrentParts": "3"}}',
      },
    });
    expect(await readPolicyWith(tools)).toMatchObject({
      ok: true,
      value: {
        places: [own, machine, `${machine}, Recommended`],
        managed: { users: { updateMethod: 'PUT' }, upload: { concurrentFiles: 2 } },
        recommended: { upload: { concurrentParts: 3 } },
      },
    });
  });

  it('is none without a profile, and no program runs for it', async () => {
    const { tools, ran } = createPolicyTools('darwin');
    expect(await readPolicyWith(tools)).toEqual({ ok: true, value: noPolicy });
    expect(ran).toEqual([]);
  });

  it.each([
    ['plutil fails', 1],
    ['plutil prints something else', 'file: (Permission denied)'],
    ['the preferences are a list', '[]'],
  ])('is refused when %s', async (_, printed) => {
    const { tools } = createPolicyTools('darwin', {
      files: { [own]: rootFile('') },
      programs: { [plutil(own)]: printed },
    });
    expect(await textsOf(readPolicyWith(tools))).toEqual([
      expect.stringMatching(/^POLICY_INVALID: .*ada\/com\.vms/),
    ]);
  });
});

describe('what a policy says about the console', () => {
  it.each([
    [{}, undefined, true],
    [{ recommended: false }, undefined, false],
    [{ recommended: false }, true, true],
    [{ managed: false }, true, false],
    [{ managed: true }, false, true],
    [{ managed: true, recommended: false }, undefined, true],
  ])('%j with the wish %s of the command line: %s', (console, wish, isOn) => {
    expect(isConsoleOn({ ...noPolicy, console }, wish)).toBe(isOn);
  });
});

describe('the tools', () => {
  it('take a folder in the place of a file for no file', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'policy-'));
    onTestFinished(() => rm(folder, { recursive: true, force: true }));
    const tools = { ...createPolicyTools('linux').tools, readFile: () => readWithGuards(folder) };
    const [text] = await textsOf(readPolicyWith(tools));
    expect(text).toContain(`The policy ${PLACE} cannot be read (it is not a regular file).`);
    expect(text).toContain("Make it a regular file of at most 1 MiB that the agent's account can read.");
  });

  it('read a file with its owner and mode, through a link too, and miss none that is not there', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'policy-'));
    onTestFinished(() => rm(folder, { recursive: true, force: true }));
    const file = join(folder, 'policy.json');
    await writeFile(file, '{}', { mode: 0o600 });
    await symlink(file, join(folder, 'link.json'));
    const read = await readWithGuards(join(folder, 'link.json'));
    const ownerId = process.getuid?.();
    expect(read).toMatchObject({ ok: true, value: { guards: expect.any(Array) } });
    const guards = read.ok ? (read.value?.guards ?? []) : [];
    expect(guards.slice(0, 2)).toMatchObject([{ ownerId }, { path: folder, ownerId }]);
    // Whoever can change a folder above can replace the policy
    expect(guards.at(-1)?.path).toBe('/');
    expect(
      read.ok && read.value && [read.value.bytes.toString(), (read.value.guards[0]?.mode ?? 0) & 0o777],
    ).toEqual(['{}', 0o600]);
    expect(await readWithGuards(join(folder, 'none'))).toEqual({ ok: true, value: undefined });
    expect(await readWithGuards(folder)).toEqual({ ok: false, error: 'it is not a regular file' });
  });

  it('run a program to its end and tell how it ended', async () => {
    const node = (code: string) => runProgram(process.execPath, ['-e', code]);
    expect(await node('process.stdout.write("one")')).toEqual({
      ok: true,
      value: { exitCode: 0, printed: Buffer.from('one') },
    });
    expect(await node('process.exit(3)')).toMatchObject({ ok: true, value: { exitCode: 3 } });
    expect(await runProgram('/nowhere/reg.exe', [])).toEqual({ ok: false, error: 'ENOENT' });
  });
});
