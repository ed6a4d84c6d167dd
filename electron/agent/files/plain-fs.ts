import * as nodeFs from 'node:fs';
import * as nodePromises from 'node:fs/promises';

export type { BigIntStats, Dir, Dirent } from 'node:fs';
export type { FileHandle } from 'node:fs/promises';

const isFs = (module: object | undefined): module is typeof nodeFs => module !== undefined;

const original = process.getBuiltinModule('original-fs');
/**
 * The file system as it is. Electron's own `fs`, in worker threads too, takes every file named `*.asar` for a folder:
 * what lies in one seems to lie on the disk, and one that is no archive throws an error without a number. Players that
 * come with exports contain such files. What is read, listed or removed in a watched folder therefore passes through
 * here; the program's own files, which lie in an archive themselves, must not.
 */
const plain = isFs(original) ? original : undefined;

/** Its functions are looked up at each call, as those imported from `node:fs` are: whoever replaces one is heard. */
const live = <Module extends object>(module: Module): Module =>
  new Proxy(module, {
    get(_module, name) {
      const found: unknown = Reflect.get(module, name);
      if (typeof found !== 'function') return found;
      return new Proxy(found, {
        apply(_function, self, args) {
          const current: unknown = Reflect.get(module, name);
          const answer: unknown = Reflect.apply(typeof current === 'function' ? current : found, self, args);
          return answer;
        },
      });
    },
  });

export const {
  closeSync,
  constants,
  createReadStream,
  existsSync,
  fstatSync,
  lstatSync,
  openSync,
  readFileSync,
  readSync,
  realpathSync,
  unlinkSync,
  writeFileSync,
} = live(plain ?? nodeFs);

export const {
  access,
  appendFile,
  lstat,
  mkdir,
  open,
  opendir,
  readdir,
  readFile,
  realpath,
  rename,
  rm,
  rmdir,
  stat,
  unlink,
  utimes,
} = live(plain?.promises ?? nodePromises);
