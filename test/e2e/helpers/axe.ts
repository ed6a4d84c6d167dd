import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { expect, type Page } from '@playwright/test';
import type { ElementContext, RunOptions } from 'axe-core';

const axeScript = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

interface Axe {
  run(context: ElementContext, options: RunOptions): Promise<{ readonly violations: readonly Violation[] }>;
}
interface Violation {
  readonly id: string;
  readonly nodes: readonly { readonly html: string }[];
}

/** Expects that the page as it is breaks no accessibility rule that can be checked automatically. */
export async function expectNoAxeFindings(page: Page): Promise<void> {
  await expectNone(page, {});
}

/** Checks only colours, for a page that was checked completely in another theme. */
export async function expectNoContrastFindings(page: Page): Promise<void> {
  await expectNone(page, { runOnly: { type: 'rule', values: ['color-contrast', 'link-in-text-block'] } });
}

async function expectNone(page: Page, options: RunOptions): Promise<void> {
  // The script is large: it is injected only once per page
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(axeScript);
  const found = await page.evaluate(async (chosen) => {
    const axe = Reflect.get(globalThis, 'axe') as Axe;
    const { violations } = await axe.run(document, { ...chosen, resultTypes: ['violations'] });
    return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' | ')}`);
  }, options);
  expect(found).toEqual([]);
}
