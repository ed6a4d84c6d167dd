import type { DesktopCommandInput } from '../../shared/ipc/desktop.ts';
import type { Bridge } from '../bridge/bridge.ts';

/** What pictures are made of, each in its plainest form. */
const codecs = {
  'H.264': 'avc1.42E01E',
  'H.265': 'hev1.1.6.L93.B0',
  VP9: 'vp09.00.10.08',
  AV1: 'av01.0.04M.08',
} as const;

/** What only a page can say of a self-test: whether the agent answers it, and which videos it decodes. */
export async function tryPage({
  caller,
}: Pick<Bridge, 'caller'>): Promise<DesktopCommandInput<'selfTest.report'>> {
  const answer = await caller.call('health.get', {});
  const found = await Promise.all(
    Object.entries(codecs).map(async ([name, codec]) => `${name} ${(await isDecoded(codec)) ? 'yes' : 'no'}`),
  );
  return { ...(!answer.ok && { problem: answer.error.message.slice(0, 500) }), codecs: found.join(', ') };
}

async function isDecoded(codec: string): Promise<boolean> {
  try {
    const { supported } = await VideoDecoder.isConfigSupported({ codec, codedWidth: 640, codedHeight: 360 });
    return supported === true;
  } catch {
    return false;
  }
}
