import fc from 'fast-check';

/** One change to a text or to bytes. Positions are shares of the length, so that they are still valid after a cut. */
interface Edit {
  readonly kind: 'flip' | 'number' | 'cut' | 'copy' | 'insert';
  readonly at: number;
  readonly length: number;
  readonly value: number;
}

const edit: fc.Arbitrary<Edit> = fc.record({
  kind: fc.constantFrom('flip', 'number', 'cut', 'copy', 'insert'),
  at: fc.double({ min: 0, max: 1, noNaN: true }),
  length: fc.nat(64),
  // Numbers that break additions and multiplications, and any others
  value: fc.oneof(fc.constantFrom(0, 1, 7, 8, 0x7f_ff_ff_ff, 0xff_ff_ff_ff), fc.nat(0xff_ff_ff_ff)),
});

function applied(bytes: Buffer, { kind, at, length, value }: Edit): Buffer {
  const place = Math.floor(at * bytes.length);
  const end = Math.min(bytes.length, place + length);
  const [before, middle, after] = [bytes.subarray(0, place), bytes.subarray(place, end), bytes.subarray(end)];
  const word = Buffer.alloc(4);
  word.writeUInt32BE(value);
  switch (kind) {
    case 'flip':
      return Buffer.concat([before, middle.map((byte) => byte ^ (value & 0xff)), after]);
    case 'number':
      return Buffer.concat([before, word, bytes.subarray(place + 4)]);
    case 'cut':
      return value % 2 === 0 ? Buffer.from(before) : Buffer.concat([before, after]);
    case 'copy':
      return Buffer.concat([before, middle, middle, middle, after]);
    case 'insert':
      return Buffer.concat([before, word, middle, after]);
  }
}

/** One of the samples, usually with a few changes. */
export function mutatedBytes(samples: readonly Uint8Array[]): fc.Arbitrary<Buffer> {
  return fc
    .tuple(fc.constantFrom(...samples), fc.array(edit, { maxLength: 6 }))
    .map(([sample, edits]) => edits.reduce(applied, Buffer.from(sample)));
}

/** Words that break formats. */
const words = fc.constantFrom(
  '__proto__',
  'constructor',
  '"',
  '\\u0000',
  '\ufeff',
  '\u202e',
  '\ud800',
  '9007199254740993',
  '1e400',
  '-0',
  'null',
  '{}',
  '[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[',
  '%00',
  '../..',
  'a'.repeat(300),
  '٣',
  '２０２６',
  'İ',
);

/** Text in any script, with such words in it. */
export const hostileText: fc.Arbitrary<string> = fc
  .array(fc.oneof(fc.string({ unit: 'grapheme' }), fc.string({ unit: 'binary' }), words), { maxLength: 6 })
  .map((parts) => parts.join(''));

/** A sample as text with words replacing parts of it, or its bytes changed. */
export function mutatedText(samples: readonly string[]): fc.Arbitrary<Buffer> {
  const spliced = fc
    .tuple(
      fc.constantFrom(...samples),
      fc.array(
        fc.tuple(fc.double({ min: 0, max: 1, noNaN: true }), fc.nat(12), fc.oneof(words, hostileText)),
        {
          maxLength: 4,
        },
      ),
    )
    .map(([sample, changes]) =>
      Buffer.from(
        changes.reduce((text, [at, length, word]) => {
          const place = Math.floor(at * text.length);
          return text.slice(0, place) + word + text.slice(place + length);
        }, sample),
      ),
    );
  return fc.oneof(spliced, mutatedBytes(samples.map((sample) => Buffer.from(sample))));
}

/** A value of any shape, including objects with prototype keys. */
export const anyValue: fc.Arbitrary<unknown> = fc.anything({
  key: fc.oneof(fc.string(), words),
  values: [fc.string(), fc.integer(), fc.double(), fc.boolean(), fc.constant(null), words],
  withBigInt: true,
  withDate: true,
  withTypedArray: true,
  maxDepth: 4,
});

/** A sample object with any values replacing some of its own, or added to them. */
export function mutatedValue(sample: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> {
  return fc.oneof(
    anyValue,
    fc.tuple(sample, fc.array(fc.tuple(fc.nat(8), anyValue), { maxLength: 3 })).map(([value, changes]) => {
      if (typeof value !== 'object' || value === null) return value;
      const copy: Record<string, unknown> = { ...value };
      const keys = [...Object.keys(copy), 'id', 'extra'];
      for (const [index, replacement] of changes) copy[keys[index % keys.length] ?? 'id'] = replacement;
      return copy;
    }),
  );
}
