import { readFile } from 'node:fs/promises';
import { expectNoAxeFindings, expectNoContrastFindings } from './helpers/axe.ts';
import { expect, test } from './helpers/desk.ts';
import { sampleClip } from './helpers/sample-clips.ts';
import { clipRows, incidentRow } from './helpers/uploads-list.ts';

const name = 'N7#Gate 4@20260501T1930';
/** Appended to a clip, it changes the bytes but not what is played: equal clips are not sent twice. */
const emptyBox = Buffer.from('\0\0\0\x08free', 'latin1');

test(
  'an operator teaches the desk the names of an unknown system, by keyboard alone',
  { tag: '@long' },
  async ({ desk }) => {
    const { page } = desk;
    await desk.export('Before', { [`${name}.mp4`]: await sampleClip() });
    await desk.open('/uploads?open=true');
    await expect(clipRows(page).getByText('Sent')).toBeVisible();

    await desk.open('/settings?part=names');
    await page.getByRole('button', { name: 'Add a pattern' }).press('Enter');
    const pattern = page.getByRole('group', { name: 'Pattern own 1' });
    await pattern.getByRole('textbox', { name: 'Sample names' }).fill(`${name}.mp4`);
    const preview = pattern.getByRole('status', { name: 'Result' });
    await expect(preview.getByText('Does not match this name.')).toBeVisible();
    // It cannot be saved while a sample does not match
    await page.getByRole('button', { name: 'Save', exact: true }).press('Enter');
    await expect(page.getByText('does not match', { exact: false }).first()).toBeVisible();

    await pattern
      .getByRole('textbox', { name: 'Template' })
      .fill('{any}#{camera}@{date:YYYYMMDD}T{time:HHmm}');
    await expect(preview.getByText('Camera Gate 4.')).toBeVisible();
    await expect(preview.getByText("Starts at 2026-05-01 19:30:00 on the recorder's clock:")).toBeVisible();
    await expect(
      preview.getByText('1 of the last 1 clips in this folder would be read differently.'),
    ).toBeVisible();
    await expect(preview.locator('mark[data-kind=camera]')).toHaveText('Gate 4');
    await expectNoAxeFindings(page);
    await page.emulateMedia({ colorScheme: 'light' });
    await expectNoContrastFindings(page);
    await page.getByRole('button', { name: 'Save', exact: true }).press('Enter');
    await expect(page.getByText('Settings saved and in use', { exact: false })).toBeVisible();
    expect(JSON.parse(await readFile(desk.configPath, 'utf8'))).toMatchObject({
      patterns: [{ name: 'own 1', samples: [`${name}.mp4`] }],
    });

    await desk.export('After', {
      [`${name.replace('1930', '1945')}.mp4`]: Buffer.concat([await sampleClip(), emptyBox]),
    });
    await desk.open('/uploads?open=true');
    await expect(clipRows(page).getByText('Gate 4', { exact: true })).toBeVisible({ timeout: 20_000 });
  },
);

test(
  'an operator who corrects the time of an incident is offered the pattern that reads its name so, by keyboard',
  { tag: '@long' },
  async ({ desk }) => {
    const { page } = desk;
    const file = 'N7#Gate 4@20260501T193005.mp4';
    await desk.export('Before', { [file]: await sampleClip() });
    await desk.open('/uploads?open=true');
    await expect(clipRows(page).getByText('Sent')).toBeVisible();
    const [incidentId = ''] = desk.simulator.incidents().keys();
    const incidentAt = new Date(2026, 4, 1, 19, 30, 5).toISOString();
    const edited = await desk
      .agent()
      .call({ call: 'incidents.edit', input: { incidentId, changes: { incidentAt } } });
    expect(edited).toMatchObject({ ok: true });

    await incidentRow(page, 'Before', 'Sent').getByText('Before').click();
    const details = page.getByRole('complementary', { name: 'Details' });
    await details.getByText('Why it was read this way').press('Enter');
    await details.locator('summary', { hasText: file }).press('Enter');
    await details.getByRole('link', { name: 'Add a pattern from this correction' }).press('Enter');
    const wanted = page.getByRole('region', { name: 'Add a pattern for this name:' });
    await expect(wanted.getByRole('textbox', { name: "Start time on the recorder's clock" })).toHaveValue(
      /^2026-05-01 19:30:05/,
    );
    await wanted.getByRole('textbox', { name: 'Camera', exact: true }).fill('Gate 4');
    const template = 'N{number}#{camera}@{date:YYYYMMDD}T{time:HHmmss}';
    await expect(wanted.getByText(`Suggested pattern: ${template}`)).toBeVisible();
    await expectNoAxeFindings(page);
    await page.getByRole('button', { name: 'Add a pattern' }).press('Enter');
    const preview = page.getByRole('status', { name: 'Result' });
    await expect(preview.getByText('Camera Gate 4.')).toBeVisible();
    await expect(preview.getByText("Starts at 2026-05-01 19:30:05 on the recorder's clock:")).toBeVisible();
    // Nothing is saved before a person asks for it
    expect(await readFile(desk.configPath, 'utf8')).not.toContain('patterns');
    await page.getByRole('button', { name: 'Save', exact: true }).press('Enter');
    await expect(page.getByText('Settings saved and in use', { exact: false })).toBeVisible();
    expect(JSON.parse(await readFile(desk.configPath, 'utf8'))).toMatchObject({
      patterns: [{ template, samples: [file] }],
    });
  },
);
