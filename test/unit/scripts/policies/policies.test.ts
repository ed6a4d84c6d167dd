import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { policyShape } from '../../../../electron/agent/settings/policy/policy-values.ts';
import type { Shape } from '../../../../electron/agent/settings/describe-issue.ts';
import { settingsSchema } from '../../../../shared/domain/settings.ts';
import { policyFiles } from '../../../../scripts/make-policies.ts';
import { policySettings } from '../../../../scripts/policies/policy-settings.ts';
import { z } from 'zod';

const files = policyFiles();
const admx = files.get('windows/vms-export-agent.admx') ?? '';
const adml = files.get('windows/en-US/vms-export-agent.adml') ?? '';
const valueNames = (key: string): readonly string[] =>
  admx
    .split('<policy ')
    .filter((policy) => policy.includes(`key="${key}"`))
    .map((policy) => /valueName="([^"]+)"/.exec(policy)?.[1] ?? '');

describe('the policy templates', () => {
  test('are those that the settings make (else: npm run policies)', () => {
    for (const [path, text] of files) expect(readFileSync(join('build/policies', path), 'utf8')).toBe(text);
    expect(globSync('**/*.*', { cwd: 'build/policies' }).toSorted()).toEqual([...files.keys()].toSorted());
  });

  test('name what the agent takes as policy, no more and no less', () => {
    const names = (shape: Shape, prefix = ''): readonly string[] =>
      Object.entries(shape.properties ?? {}).flatMap(([name, inner]) =>
        typeof inner === 'object' && inner.properties !== undefined
          ? names(inner, `${prefix}${name}.`)
          : [`${prefix}${name}`],
      );
    expect(policySettings().map(({ path }) => path)).toEqual(names(policyShape()));
  });

  test('have every setting, as managed and, but for where the policy comes from, as recommended', () => {
    const paths = policySettings().map(({ path }) => path);
    expect(paths).toEqual(
      expect.arrayContaining(['baseUrl', 'upload.hosts', 'updates.channel', 'console.enabled']),
    );
    expect(valueNames(String.raw`SOFTWARE\Policies\VmsExportAgent`)).toEqual(paths);
    expect(valueNames(String.raw`SOFTWARE\Policies\VmsExportAgent\Recommended`)).toEqual(
      paths.filter((path) => !path.startsWith('signedPolicy.')),
    );
  });

  test('ask for no text and no control that is not there', () => {
    const asked = [...admx.matchAll(/\$\((string|presentation)\.([^)]+)\)/g)];
    expect(asked.length).toBeGreaterThan(50);
    const missing = asked.filter(([, kind, id]) => !adml.includes(`<${kind} id="${id}">`));
    expect(missing).toEqual([]);
    const controls = [...adml.matchAll(/refId="([^"]+)"/g)].map(([, id]) => id ?? '');
    expect(controls.filter((id) => !admx.includes(` id="${id}"`))).toEqual([]);
  });

  test('give the limits of the settings, as far as a registry number goes', () => {
    expect(admx).toContain('valueName="upload.concurrentParts" required="true" minValue="1" maxValue="32"');
    expect(admx).toContain(
      'valueName="upload.partSizeBytes" required="true" minValue="5242880" maxValue="4294967295"',
    );
  });

  test('have samples that are settings', () => {
    const sample = z
      .object({ managed: z.looseObject({}), recommended: z.looseObject({}) })
      .parse(JSON.parse(files.get('linux/policy.json') ?? ''));
    const { updates, cleanUp, console: page, signedPolicy, otlp, ...settings } = sample.managed;
    expect([updates, cleanUp, page, signedPolicy, otlp]).not.toContain(undefined);
    // The agent refuses it as a recommendation
    expect(sample.recommended).not.toHaveProperty('cleanUp');
    expect(settingsSchema.safeParse(settings).error).toBeUndefined();
    const profile = files.get('macos/vms-export-agent.mobileconfig') ?? '';
    for (const { path } of policySettings())
      expect(profile).toContain(`<key>${path.slice(path.lastIndexOf('.') + 1)}</key>`);
  });
});
