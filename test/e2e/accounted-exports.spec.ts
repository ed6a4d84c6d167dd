import { appendFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { expectNoAxeFindings } from './helpers/axe.ts';
import { expect, test } from './helpers/desk.ts';
import { sampleClip } from './helpers/sample-clips.ts';
import { clipRows, incidentRows } from './helpers/uploads-list.ts';

test('an operator sees every export that is not in the queue, why, and what to do', async ({ desk }) => {
  const { page } = desk;
  const whole = await sampleClip();
  const cut = Math.floor(whole.length / 2);
  await desk.export('Pitch invasion', { 'cam1.mp4': whole.subarray(0, cut) });
  await desk.export('Only pictures', { 'gate.jpg': Buffer.from('x'), 'ramp.jpg': Buffer.from('x') });
  await expect.poll(() => desk.agent().progress().settling).toBe(0);
  // The page is opened only now, and again after a restart
  for (const isRestart of [false, true]) {
    if (isRestart) await desk.restart();
    await desk.open('/uploads?open=true');
    const band = incidentRows(page);
    await expect(band.getByRole('gridcell', { name: 'Held back', exact: true })).toBeVisible();
    await expect(band.getByRole('gridcell', { name: 'Not recognised', exact: true })).toBeVisible();
    await expect(page.getByRole('radio', { name: 'Not queued 2' })).toBeVisible();
    await expect(page.getByText('Nothing here yet')).toBeHidden();
    const strip = page.getByRole('contentinfo', { name: 'Status' });
    await expect(strip.getByText('2 exports need attention')).toBeVisible();
    await band.getByText('Pitch invasion').click();
    const details = page.getByRole('complementary', { name: 'Details' });
    await expect(details.getByText(/Cut off before its end: cam1\.mp4/)).toBeVisible();
    await expect(details.getByText(/box|moov|mdat/)).toHaveCount(0);
    await band.getByText('Only pictures', { exact: true }).click();
    await expect(details.getByText('ramp.jpg', { exact: true })).toBeVisible();
    await expectNoAxeFindings(page);
  }
  await desk.open('/health');
  await expect(page.getByText(/1 export is held back/)).toBeVisible();
  await expect(page.getByText(/1 folder is not recognised/)).toBeVisible();
  await expectNoAxeFindings(page);

  await desk.open('/uploads?open=true');
  await appendFile(join(desk.root, 'Pitch invasion/cam1.mp4'), whole.subarray(cut));
  await expect(clipRows(page).getByText('Sent')).toBeVisible();
  await rm(join(desk.root, 'Only pictures'), { recursive: true });
  await expect(page.getByText('1 export needs attention')).toBeVisible();
});

test.describe('with a settling time of some seconds', () => {
  test.use({ deskOptions: { settings: { watch: [{ path: 'exports', settleSeconds: 6 }] } } });

  test(
    'an operator sees an export arrive, and how long it waits to settle',
    { tag: '@long' },
    async ({ desk }) => {
      const { page } = desk;
      await desk.open('/uploads?open=true');
      await desk.export('Gate 4', { 'cam1.mp4': await sampleClip() });
      const band = incidentRows(page);
      await expect(band.getByRole('gridcell', { name: 'Being written', exact: true })).toBeVisible();
      await expect(page.getByText('1 export arriving')).toBeVisible();
      await expect(band.getByText(/^\d s left$/)).toBeVisible();
      await expect(band.getByText('Being written')).toBeHidden();
      await expect(clipRows(page).getByText('Sent')).toBeVisible();
    },
  );
});
