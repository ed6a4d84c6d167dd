import { DAY, DIGITS, JOINED, hex, local, plain, print, seconds, two, type Printer } from './printing.ts';
import { wallTimeAt } from '../../electron/agent/core/times/zoned-time.ts';

/** Systems of sites, by recogniser: every shape that it reads, as its system writes it. */
export const recorderPrinters: Readonly<Record<string, readonly Printer[]>> = {
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
};
