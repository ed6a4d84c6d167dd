import { expect, test } from 'vitest';
import { cutSbom, makeSbom } from '../../../scripts/package.ts';

const component = (name: string) => ({ 'bom-ref': `${name}@1.0.0`, name, version: '1.0.0' });

test('the bill of materials holds what is shipped, and what that needs of it', () => {
  const whole = {
    bomFormat: 'CycloneDX',
    metadata: { component: { ...component('checkout'), type: 'application' } },
    components: ['got', 'react', 'vite'].map(component),
    dependencies: [
      { ref: 'checkout@1.0.0', dependsOn: ['got@1.0.0', 'vite@1.0.0'] },
      { ref: 'vite@1.0.0', dependsOn: ['react@1.0.0'] },
    ],
  };
  const cut = cutSbom(whole, { name: 'vms-export-agent', packages: new Set(['got 1.0.0', 'react 1.0.0']) });
  expect(cut.metadata.component).toMatchObject({ name: 'vms-export-agent', type: 'application' });
  expect(cut.components.map(({ name }) => name)).toEqual(['got', 'react']);
  expect(cut.dependencies).toEqual([{ ref: 'checkout@1.0.0', dependsOn: ['got@1.0.0'] }]);
});

// npm reads the whole package tree, which takes 5 s on an idle machine
test(
  'that of this project names modules, what the pages are built from, and the runtime, but no tools',
  { timeout: 120_000 },
  () => {
    const names = [...makeSbom('vms-export-agent').matchAll(/"bom-ref": "([^"]+)@[^@"]+"/g)].map(
      (match) => match[1],
    );
    expect(names).toEqual(
      expect.arrayContaining(['better-sqlite3', 'react', '@internationalized/date', 'electron']),
    );
    for (const tool of ['vite', 'vitest', 'electron-builder']) expect(names).not.toContain(tool);
  },
);
