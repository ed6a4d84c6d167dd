import { written, monthOf, type Groups, type NameFields, type Recogniser } from '../recogniser.ts';

/** Havis mobile recorders: blanks of the name are written as `_`; `+` continues, `#` is an event. */
export const havis: Recogniser = {
  name: 'havis',
  system: 'Havis mobile recorders',
  clock: 'local',
  trust: 'vendor',
  label: 'documented',
  source: 'manual, page 25',
  notKnown: 'ends',
  shapes: [
    {
      parts: [
        /^(?:(?<cam>.+)_)??(?<mo>[A-Z][a-z]{2})\.(?<d>\d{2})\.(?<y>\d{4})_(?<h>\d{2})\.(?<mi>\d{2})\.(?<s>\d{2})[+#]?\.avi$/,
      ],
      read: readHavis,
    },
  ],
  samples: [
    {
      path: 'Jan.01.2006/Rear_door_Jan.01.2006_01.10.00+.avi',
      expect: { cameraName: 'Rear door', start: '2006-01-01T01:10:00' },
    },
    { path: 'Jan.01.2006/Jan.01.2006_13.10.00#.avi', expect: { start: '2006-01-01T13:10:00' } },
  ],
  refuses: ['Rear_door_Jan.32.2006_01.10.00.avi', 'Rear_door_Foo.01.2006_01.10.00.avi'],
};

function readHavis({ cam, mo = '', d, y, h, mi, s }: Groups): NameFields | undefined {
  const start = written([Number(y), monthOf(mo), Number(d), Number(h), Number(mi), Number(s)]);
  const cameraName = cam?.replaceAll('_', ' ').trim() ?? '';
  return start && { ...(cameraName !== '' && { cameraName }), start };
}
