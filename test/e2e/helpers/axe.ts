import { AxeBuilder } from '@axe-core/playwright';
import { expect, type Page } from '@playwright/test';

const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

/** Accessibility rules that can be checked by a program: none is broken on the page as it stands. */
export async function expectNoAxeFindings(page: Page, exceptRules: readonly string[] = []): Promise<void> {
  await expectNone(new AxeBuilder({ page }).withTags(tags).disableRules([...exceptRules]));
}

/** Colours alone, for a page that was looked at whole in another theme. */
export async function expectNoContrastFindings(page: Page): Promise<void> {
  await expectNone(new AxeBuilder({ page }).withRules(['color-contrast']));
}

async function expectNone(builder: AxeBuilder): Promise<void> {
  const { violations } = await builder.analyze();
  const found = violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' | ')}`);
  expect(found).toEqual([]);
}
