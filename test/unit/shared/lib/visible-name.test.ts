import { expect, it } from 'vitest';
import { hasHiddenCharacters, visibleName } from '../../../../shared/lib/visible-name.ts';

it.each([
  ['clip.mp4', 'clip.mp4'],
  ['Zürich Tör 4 日本.mp4', 'Zürich Tör 4 日本.mp4'],
  ['a\nb\tc\u001b[31m.mp4', 'a␊b␉c␛[31m.mp4'],
  ['nul\0.mp4', 'nul␀.mp4'],
  ['del\u007f\u0085', 'del␡<U+0085>'],
  ['evil\u202egpj.mp4', 'evil<U+202E>gpj.mp4'],
  ['a\u2066b\u2069c', 'a<U+2066>b<U+2069>c'],
  ['a\u200bb\u200fc\ufeffd', 'a<U+200B>b<U+200F>c<U+FEFF>d'],
  ['Gate\u3164 4\u{e0041}.mp4', 'Gate<U+3164> 4<U+E0041>.mp4'],
  [
    'heart \u2764\ufe0f, \u{1f469}\u200d\u{1f692} on shift',
    'heart \u2764\ufe0f, \u{1f469}\u200d\u{1f692} on shift',
  ],
  ['\u2764\ufe0f and a\ufe0f\u200d\u2764', '\u2764\ufe0f and a<U+FE0F><U+200D>\u2764'],
  ['bad\ufffd', 'bad<U+FFFD>'],
  ['lone\ud800end', 'lone<U+D800>end'],
  ['pair 😀', 'pair 😀'],
  ['<img src=x onerror=alert(1)>.mp4', '<img src=x onerror=alert(1)>.mp4'],
])('checklist 14: shows %j as %s', (name, shown) => {
  expect(visibleName(name)).toBe(shown);
  expect(hasHiddenCharacters(name)).toBe(name !== shown);
});

it('leaves one line, whatever the name', () => {
  const all = Array.from({ length: 0x2100 }, (_, code) => String.fromCharCode(code)).join('');
  expect(visibleName(all)).not.toMatch(/[\p{Cc}\p{Zl}\p{Zp}]/u);
});
