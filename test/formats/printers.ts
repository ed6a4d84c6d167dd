import type { WallTime } from '../../electron/agent/core/times/zoned-time.ts';
import { wallTimeAt } from '../../electron/agent/core/times/zoned-time.ts';

/** A recording as it happened; what a system writes about it is printed below. */
export interface Recording {
  readonly camera: string;
  readonly channel: number;
  readonly device: string;
  readonly startMs: number;
  readonly endMs: number;
  readonly zone: string;
  readonly number: number;
}

/** Which of a recording's facts the printed path has, so that they must be read again. */
export interface Printed {
  readonly path: string;
  readonly camera?: string;
  readonly channel?: string;
  readonly device?: string;
  /** How exactly the name has it, milliseconds. */
  readonly startMs?: number;
  readonly endMs?: number;
}

const two = (value: number): string => String(value).padStart(2, '0');
const MONTHS = 'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec'.split(' ');

/** `yyyy MM dd HH mm ss SSS`, `MMM`, `h` and `ap` replaced in a template. */
const print = (template: string, wall: WallTime): string => {
  const parts: Readonly<Record<string, string>> = {
    yyyy: String(wall.year).padStart(4, '0'),
    MMM: MONTHS[wall.month - 1] ?? '',
    MM: two(wall.month),
    M: String(wall.month),
    dd: two(wall.day),
    d: String(wall.day),
    HH: two(wall.hour),
    h: String(wall.hour % 12 || 12),
    ap: wall.hour < 12 ? 'am' : 'pm',
    AP: wall.hour < 12 ? 'AM' : 'PM',
    mm: two(wall.minute),
    ss: two(wall.second),
    SSS: String(wall.millisecond).padStart(3, '0'),
  };
  return template.replace(/\{(\w+)\}/g, (_all, key: string) => parts[key] ?? '');
};
const DAY = '{yyyy}-{MM}-{dd}';
const DIGITS = '{yyyy}{MM}{dd}{HH}{mm}{ss}';
const JOINED = '{yyyy}{MM}{dd}_{HH}{mm}{ss}';
const seconds = (ms: number): number => Math.floor(ms / 1000);
const hex = (value: number, length: number): string =>
  value.toString(16).toUpperCase().padStart(length, '0').slice(-length);

type Printer = (recording: Recording) => Printed;
const local = ({ startMs, endMs, zone }: Recording) => ({
  start: (template: string) => print(template, wallTimeAt(startMs, zone)),
  end: (template: string) => print(template, wallTimeAt(endMs, zone)),
  utc: (template: string) => print(template, wallTimeAt(startMs, 'UTC')),
  utcEnd: (template: string) => print(template, wallTimeAt(endMs, 'UTC')),
});
const plain = (name: string): string => `yard_${name.replace(/[^\w-]/g, '')}9`;

/** By recogniser: every shape that it reads, as its system writes it. */
export const printers: Readonly<Record<string, readonly Printer[]>> = {
  nx: [
    (r) => ({
      path: `${r.camera}_${local(r).start('{yyyy}_{MM}_{dd}_{HH}_{mm}_{ss}')}.mkv`,
      camera: r.camera,
      startMs: r.startMs,
    }),
    (r) => ({
      path: `${r.camera}_${local(r).start('{yyyy}_{MM}_{dd}_{h}{AP}_{mm}_{ss}')}.mp4`,
      camera: r.camera,
      startMs: r.startMs,
    }),
    (r) => ({
      path: `${r.camera}_${local(r).start('{yyyy}_{MMM}_{dd}_{HH}_{mm}_{ss}')}.avi`,
      camera: r.camera,
      startMs: r.startMs,
    }),
  ],
  dahua: [
    (r) => ({
      path: `NVR${r.number}_ch${r.channel}_main_${local(r).start(DIGITS)}_${local(r).end(DIGITS)}.dav`,
      channel: String(r.channel),
      startMs: r.startMs,
      endMs: r.endMs,
    }),
    (r) => ({
      path: `${r.camera}/${local(r).start(DAY)}/001/dav/${local(r).start('{HH}/{HH}.{mm}.{ss}')}-${local(r).end('{HH}.{mm}.{ss}')}[M][0@0][${r.number}].dav`,
      camera: r.camera,
      channel: '1',
      startMs: r.startMs,
      endMs: r.endMs,
    }),
  ],
  hikvision: [
    (r) => ({
      path: `ch${two(r.channel)}_${String(r.number).padStart(17, '0')}.mp4`,
      channel: String(r.channel),
    }),
    (r) => ({
      path: `ch${two(r.channel)}_${String(r.number).padStart(17, '0')}_${local(r).start(DIGITS)}_${local(r).end(DIGITS)}_${r.number}`,
      channel: String(r.channel),
      startMs: r.startMs,
      endMs: r.endMs,
    }),
    (r) => ({
      path: `10.0.${r.channel}.7_${two(r.channel)}_${local(r).start(`${DIGITS}{SSS}`)}_MOTION_DETECTION.jpg`,
      channel: String(r.channel),
      device: `10.0.${r.channel}.7`,
      startMs: r.startMs,
    }),
  ],
  reolink: [
    (r) => ({
      path: `RecM01_${local(r).start(JOINED)}_${local(r).end('{HH}{mm}{ss}')}_6D28808_${hex(r.number, 7)}.mp4`,
      startMs: r.startMs,
      endMs: r.endMs,
    }),
    (r) => ({
      path: `Mp4Record/${local(r).start(DAY)}/RecS02_DST${local(r).start(JOINED)}_${local(r).end('{HH}{mm}{ss}')}_6D28808_${hex(r.number, 7)}.mp4`,
      startMs: r.startMs,
      endMs: r.endMs,
    }),
    (r) => ({ path: `Rec_${local(r).start(JOINED)}_${r.number}_M.mp4`, startMs: r.startMs }),
  ],
  unifi: [
    (r) => ({
      path: `${r.camera} - ${local(r).start('{M}-{d}-{yyyy}, {h}.{mm}.{ss}{ap}')}.mp4`,
      camera: r.camera,
      startMs: r.startMs,
    }),
    (r) => ({
      path: `${r.camera} ${hex(r.number, 4)} - ${local(r).utc(`${DAY} - {HH}.{mm}.{ss}`)}+0000.mp4`,
      camera: r.camera,
      startMs: r.startMs,
    }),
    (r) => ({
      path: `${r.camera}/${local(r).start(DAY)}/${local(r).end(`${DAY}T{HH}-{mm}-{ss}`)} person.mp4`,
      camera: r.camera,
      endMs: r.endMs,
    }),
  ],
  frigate: [
    (r) => ({
      path: `${plain(r.camera)}_${local(r).start(JOINED)}-${local(r).end(JOINED)}_a1b2c3.mp4`,
      camera: plain(r.camera),
      startMs: r.startMs,
      endMs: r.endMs,
    }),
    (r) => ({
      path: `${local(r).utc(`${DAY}/{HH}`)}/${plain(r.camera)}/${local(r).utc('{mm}.{ss}')}.mp4`,
      camera: plain(r.camera),
      startMs: r.startMs,
    }),
  ],
  'blue-iris': [
    (r) => ({
      path: `${plain(r.camera)}.${local(r).start(JOINED)}.bvr`,
      camera: plain(r.camera),
      startMs: r.startMs,
    }),
  ],
  uniview: [
    (r) => ({
      path: `Record/${local(r).start(DAY)}/10.0.0.${r.channel}_${r.camera}_S${local(r).start('{HH}-{mm}-{ss}')}E${local(r).end('{HH}-{mm}-{ss}')}.ts`,
      device: `10.0.0.${r.channel}`,
      camera: r.camera,
      startMs: r.startMs,
      endMs: r.endMs,
    }),
  ],
  brickcom: [
    (r) => ({
      path: `${local(r).start('{yyyy}{MM}{dd}-{HH}{mm}{ss}')}-${local(r).end('{HH}{mm}{ss}')}_10.0.0.9-CH${r.channel}`,
      device: '10.0.0.9',
      channel: String(r.channel),
      startMs: r.startMs,
      endMs: r.endMs,
    }),
  ],
  canon: [
    (r) => ({
      path: `NVR_MPEG4_${hex(r.number, 16)}_${local(r).utc(JOINED)}_${local(r).utcEnd(JOINED)}.mov`,
      device: hex(r.number, 16),
      startMs: r.startMs,
      endMs: r.endMs,
    }),
    (r) => ({
      path: `${print(DIGITS, wallTimeAt(r.startMs - 2000, 'UTC'))}-${local(r).utc('{HH}{mm}{ss}')}-M00_${r.number}.mov`,
      startMs: r.startMs,
    }),
  ],
  cloudvue: [
    (r) => ({
      path: `${r.device}/${local(r).utc(DAY)}/${seconds(r.startMs)}.mp4`,
      device: r.device,
      startMs: r.startMs,
    }),
  ],
  exacqvision: [
    (r) => ({
      path: `${local(r).start('{yyyy}/{MM}/{dd}/{HH}/{mm}{ss}')}-${hex(r.number, 8)}.ps`,
      device: hex(r.number, 8),
      startMs: r.startMs,
    }),
  ],
  vimacc: [
    (r) => ({
      path: `${r.camera}/${local(r).utc('{yyyy}/{MM}/{dd}/{HH}')}/${r.camera}_${local(r).utc('{mm}')}.h264.${r.channel}`,
      camera: r.camera,
      startMs: r.startMs - (r.startMs % 60_000),
    }),
  ],
  icarvisions: [
    (r) => ({
      path: `H${local(r).start('{yyyy}{MM}{dd}-{HH}{mm}{ss}')}P1N${r.channel % 10}P0.avi`,
      channel: String(r.channel % 10),
      startMs: r.startMs,
    }),
  ],
  havis: [
    (r) => ({
      path: `${local(r).start('{MMM}.{dd}.{yyyy}')}/${plain(r.camera)}_${local(r).start('{MMM}.{dd}.{yyyy}_{HH}.{mm}.{ss}')}+.avi`,
      camera: plain(r.camera).replaceAll('_', ' '),
      startMs: r.startMs,
    }),
  ],
  digiop: [
    (r) => ({
      path: `${local(r).start('{yyyy}{MM}{dd}/{HH}{mm}{ss}')}${two(r.channel - 1)}D.DSF`,
      channel: String(r.channel),
      startMs: r.startMs,
    }),
  ],
  homehawk: [(r) => ({ path: `1M${local(r).start('{HH}{mm}{ss}')}.mp4` })],
  abus: [
    (r) => ({
      path: `${plain(r.camera)}@${local(r).start(JOINED)}.jpg`,
      camera: plain(r.camera),
      startMs: r.startMs,
    }),
  ],
  axis: [
    (r) => ({
      path: `${local(r).start(JOINED)}_${hex(r.number, 4)}_ACCC8E${hex(r.number, 6)}`,
      device: `ACCC8E${hex(r.number, 6)}`,
      startMs: r.startMs,
    }),
  ],
  foscam: [
    (r) => ({ path: `MDalarm_${local(r).start(JOINED)}.mkv`, startMs: r.startMs }),
    (r) => ({
      path: `R4M_${r.device.toUpperCase()}/record/schedule_${local(r).start(JOINED)}.mkv`,
      device: r.device.toUpperCase(),
      startMs: r.startMs,
    }),
  ],
  synology: [
    (r) => ({
      path: `surveillance/${r.camera}/${local(r).start('{yyyy}{MM}{dd}{AP}')}/clip.mp4`,
      camera: r.camera,
    }),
  ],
  motion: [(r) => ({ path: `${two(r.channel)}-${local(r).start(DIGITS)}.mp4`, startMs: r.startMs })],
  motioneye: [
    (r) => ({
      path: `${r.camera}/${local(r).start(`${DAY}/{HH}-{mm}-{ss}`)}.mp4`,
      camera: r.camera,
      startMs: r.startMs,
    }),
  ],
  shinobi: [
    (r) => ({
      path: `${r.camera}/${local(r).start(`${DAY}T{HH}-{mm}-{ss}`)}.mp4`,
      camera: r.camera,
      startMs: r.startMs,
    }),
  ],
  zoneminder: [
    (r) => ({
      path: `${r.camera}/${local(r).start(DAY)}/${r.number}/${r.number}-video.mp4`,
      camera: r.camera,
    }),
  ],
  mediamtx: [
    (r) => ({
      path: `${r.camera}/${local(r).start(`${DAY}_{HH}-{mm}-{ss}-{SSS}`)}000.mp4`,
      camera: r.camera,
      startMs: r.startMs,
    }),
  ],
  tapo: [
    (r) => ({ path: `${seconds(r.startMs)}-${seconds(r.endMs)}.mp4`, startMs: r.startMs, endMs: r.endMs }),
  ],
  xiaomi: [
    (r) => ({
      path: `${local(r).start('{yyyy}{MM}{dd}{HH}/{mm}M{ss}S')}_${seconds(r.startMs)}.mp4`,
      startMs: r.startMs,
    }),
  ],
  yi: [
    (r) => ({
      path: `${local(r).start('{yyyy}Y{MM}M{dd}D{HH}H/E1{mm}M{ss}S')}60.mp4`,
      startMs: r.startMs,
      endMs: r.startMs + 60_000,
    }),
  ],
  tesla: [
    (r) => ({
      path: `${local(r).start(`${DAY}_{HH}-{mm}-{ss}`)}-left_repeater.mp4`,
      camera: 'left_repeater',
      startMs: r.startMs,
    }),
  ],
  android: [
    (r) => ({ path: `VID_${local(r).start(JOINED)}.mp4`, startMs: r.startMs }),
    (r) => ({ path: `PXL_${local(r).utc(`${JOINED}{SSS}`)}.mp4`, startMs: r.startMs }),
  ],
  whatsapp: [
    (r) => ({ path: `WhatsApp Video ${local(r).start(`${DAY} at {HH}.{mm}.{ss}`)}.mp4` }),
    (r) => ({ path: `WhatsApp Video ${local(r).start(`${DAY} at {h}.{mm}.{ss} {AP}`)}.mp4` }),
  ],
  axon: [
    (r) => ({
      path: `Axon Body 3 Video ${local(r).start(`${DAY}-{HH}{mm}`)}`,
      camera: 'Axon Body 3',
      startMs: r.startMs - (r.startMs % 60_000),
    }),
  ],
  ring: [(r) => ({ path: `RingVideo_${local(r).start(JOINED)}.mp4`, startMs: r.startMs })],
  milestone: [
    (r) => ({
      path: `Job ${r.number}/${local(r).end('{dd}.{MM}.{yyyy}_{HH}{mm}')}/${r.camera}/export.avi`,
      camera: r.camera,
    }),
    (r) => ({
      path: `${r.camera}_${local(r).utc(`${DAY}_{HH}-{mm}-{ss}.{SSS}`)}.jpg`,
      camera: r.camera,
      startMs: r.startMs,
    }),
  ],
  genetec: [
    (r) => ({
      path: `${r.camera} (${local(r).start('{d}-{M}-{yyyy} {HH}-{mm}-{ss}')}).png`,
      camera: r.camera,
    }),
  ],
};
