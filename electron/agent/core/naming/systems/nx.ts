import { hourOf, monthOf, written, type Groups, type NameFields, type Recogniser } from '../recogniser.ts';

const oneCamera =
  /^(?<cam>.+)_(?<y>\d{4})_(?<mo>\d{2}|[A-Za-z]{3})_(?<d>\d{2})_(?<h>\d{1,2})(?<half>AM|PM)?_(?<mi>\d{2})_(?<s>\d{2})(?: \(\d{1,3}\))?\.(?:mkv|avi|mp4|png|jpg)$/;
/** A `.nov` holds several cameras: its name is that of a layout. */
const severalCameras =
  /^.+_(?<y>\d{4})_(?<mo>\d{2}|[A-Za-z]{3})_(?<d>\d{2})_(?<h>\d{1,2})(?<half>AM|PM)?_(?<mi>\d{2})_(?<s>\d{2})(?: \(\d{1,3}\))?\.nov$/;

/** Nx Witness and the same engine under other names. */
export const nx: Recogniser = {
  name: 'nx',
  system: 'Nx Witness, Wisenet WAVE, DW Spectrum',
  clock: 'local',
  trust: 'vendor',
  label: 'documented',
  source: 'nx_open: export settings dialog and nx::vms::time',
  notKnown: 'ends; cameras inside `.nov`; the self-playing `.exe` is a program and not sent',
  shapes: [
    { parts: [oneCamera], read: readNx },
    { parts: [severalCameras], read: readNx },
  ],
  samples: [
    {
      path: 'Gate 4 North_2026_05_01_19_30_05.mkv',
      expect: { cameraName: 'Gate 4 North', start: '2026-05-01T19:30:05' },
    },
    {
      path: 'Gate 4 North_2026_05_01_7PM_30_05.mp4',
      expect: { cameraName: 'Gate 4 North', start: '2026-05-01T19:30:05' },
    },
    {
      path: 'Lobby_2026_05_01_12AM_05_09 (1).mp4',
      expect: { cameraName: 'Lobby', start: '2026-05-01T00:05:09' },
    },
    {
      path: 'Stand_B_2019_Dec_31_23_59_58.avi',
      expect: { cameraName: 'Stand_B', start: '2019-12-31T23:59:58' },
    },
    { path: 'All gates_2026_05_01_19_30_05.nov', expect: { start: '2026-05-01T19:30:05' } },
    { path: 'All gates_2026_05_01_7PM_30_05.nov', expect: { start: '2026-05-01T19:30:05' } },
  ],
  refuses: [
    'Gate_2026_02_30_19_30_05.mkv',
    'Gate_2026_05_01_13PM_30_05.mp4',
    'Gate_2026_Foo_01_19_30_05.mkv',
    'Gate_2026_05_01_7午後_30_05.mkv',
  ],
};

function readNx({ cam, y, mo = '', d, h = '', half, mi, s }: Groups): NameFields | undefined {
  const month = /^\d/.test(mo) ? Number(mo) : monthOf(mo);
  const start = written([Number(y), month, Number(d), hourOf(h, half), Number(mi), Number(s)]);
  const cameraName = cam?.trim() ?? '';
  return start && { ...(cameraName !== '' && { cameraName }), start };
}
