import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';

const run = promisify(execFile);
const harden = new URL('../../../electron/agent/harden.ts', import.meta.url).href;

/**
 * What a program prints that is hardened and then runs this code. In a process of its own: hardening cannot be
 * undone.
 */
async function after(code: string): Promise<unknown> {
  const program = `import { harden } from ${JSON.stringify(harden)};
    harden();
    const attempt = (act) => { try { return act() ?? 'done'; } catch (error) { return error.constructor.name; } };
    const { answer } = await (async () => { ${code} })();
    console.log(JSON.stringify(answer));`;
  const { stdout } = await run(process.execPath, ['--input-type=module', '--eval', program]);
  return JSON.parse(stdout) as unknown;
}

/** A merge function as careless libraries write it. */
const merge = `const merge = (into, from) => {
  for (const key of Object.keys(from)) {
    if (typeof from[key] === 'object' && into[key] !== undefined) merge(into[key], from[key]);
    else into[key] = from[key];
  }
  return into;
};`;

describe('a hardened program', () => {
  it('checklist 32: keeps what foreign data does to one object from all others', async () => {
    const seen = await after(`${merge}
      const first = attempt(() => { merge({}, JSON.parse('{"__proto__": {"isAdmin": true}}')); });
      const second = attempt(() => { merge({}, JSON.parse('{"constructor": {"prototype": {"isAdmin": true}}}')); });
      const third = attempt(() => { Object.prototype.isAdmin = true; });
      const fourth = attempt(() => { Object.prototype.toString = () => 'evil'; });
      const fifth = attempt(() => { Object.defineProperty(Object.prototype, 'valueOf', { value: 1 }); });
      return { answer: [first, second, third, fourth, fifth, ({}).isAdmin === undefined, String({})] };`);
    expect(seen).toEqual([
      'done',
      'TypeError',
      'TypeError',
      'TypeError',
      'TypeError',
      true,
      '[object Object]',
    ]);
  });

  it('takes __proto__ for a name like any other', async () => {
    const seen = await after(`const text = JSON.parse('{"__proto__": {"a": 1}}');
      return { answer: ['__proto__' in {}, Object.keys(text), text.a === undefined] };`);
    expect(seen).toEqual([false, ['__proto__'], true]);
  });

  it('lets libraries override on their own objects what all objects have', async () => {
    const seen = await after(`function Thing() {}
      Thing.prototype.toString = () => 'a thing';
      Thing.prototype.valueOf = () => 7;
      const own = {};
      own.constructor = 'mine';
      own.hasOwnProperty = 1;
      class Late extends Thing { toString() { return 'late ' + super.toString(); } }
      return { answer: [String(new Thing()), +new Thing(), own.constructor, Object.keys(own), String(new Late()),
        new Thing().constructor === Thing, ({}).constructor === Object, ({}).toString()] };`);
    expect(seen).toEqual([
      'a thing',
      7,
      'mine',
      ['constructor', 'hasOwnProperty'],
      'late a thing',
      true,
      true,
      '[object Object]',
    ]);
  });

  it('loads the libraries that are loaded late', async () => {
    const seen = await after(`await import('papaparse');
      await import('mediainfo.js');
      await import('file-type');
      const { default: got } = await import('got');
      return { answer: typeof got.post };`);
    expect(seen).toBe('function');
  });
});
