import { hourOf, written, type Groups, type NameFields, type Recogniser } from '../recogniser.ts';

/** WhatsApp: the time of the message, of a film that was compressed anew. Neither camera nor time of the recording. */
export const whatsapp: Recogniser = {
  name: 'whatsapp',
  system: 'WhatsApp',
  clock: 'local',
  trust: 'vendor',
  label: 'seen',
  source: 'public listings of downloads',
  notKnown: 'when it was recorded: the name has the time of the message; it is no original',
  isNoCamera: true,
  shapes: [
    {
      parts: [
        /^WhatsApp Video (?<d>\d{4}-\d{2}-\d{2}) at (?<h>\d{1,2})\.(?<mi>\d{2})\.(?<s>\d{2})(?:[ \u202f](?<half>[AP]M))?(?: ?\(\d{1,3}\))?\.mp4$/,
      ],
      read: readMessage,
    },
  ],
  samples: [
    { path: 'WhatsApp Video 2025-07-01 at 21.11.05.mp4', expect: {} },
    { path: 'WhatsApp Video 2025-07-01 at 9.16.39 PM.mp4', expect: {} },
  ],
  refuses: ['WhatsApp Video 2025-13-01 at 21.11.05.mp4', 'WhatsApp Video 2025-07-01 at 21.16.39 PM.mp4'],
};

function readMessage({ d = '', h = '', half, mi, s }: Groups): NameFields | undefined {
  const [year, month, day] = d.split('-').map(Number);
  return written([year, month, day, hourOf(h, half), Number(mi), Number(s)]) && {};
}
