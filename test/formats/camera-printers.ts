import { DAY, DIGITS, JOINED, hex, local, plain, seconds, two, type Printer } from './printing.ts';

/** Cameras, servers and phones, by recogniser: as in `recorder-printers.ts`. */
export const cameraPrinters: Readonly<Record<string, readonly Printer[]>> = {
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
