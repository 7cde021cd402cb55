import AxeBuilder from '@axe-core/playwright';
import { expect, type Page } from '@playwright/test';
import { LONG } from '../test/long-form.mjs';

/** Rules that read colours; all others judge what does not change with the theme. */
const COLOUR_RULES = ['color-contrast', 'link-in-text-block'];

interface Part {
  /** Only what this selector finds. */
  include?: string;
  /** Rules that the part cannot meet by itself. */
  without?: string[];
}

async function violations(page: Page, { include, without = [] }: Part, only?: string[]): Promise<string[]> {
  // No page has a frame, so axe may finish where it began instead of in a page of its own; and what passes need not be
  // described: on a table of hundreds of rows that took longer than judging it.
  const axe = new AxeBuilder({ page }).setLegacyMode().options({ resultTypes: ['violations'] });
  if (include) axe.include(include);
  if (only) axe.withRules(only);
  else axe.disableRules(without);
  const { violations: found } = await axe.analyze();
  return found.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html.slice(0, 160)).join(' | ')}`);
}

/**
 * axe finds nothing in the page as it stands, in one of the themes: the name says which, so that a page is judged in
 * the same one each time. The dark one is put on while the page stands, as a system does in the evening. LONG=1: in
 * both; its colours are all that can differ, so its colours are what is judged. Leaves the light one.
 */
export async function isAccessible(page: Page, name: string, part: Part = {}): Promise<void> {
  const html = page.locator('html');
  await expect(html).toHaveClass(/\blight\b/);
  const isDark = !LONG && name.length % 2 === 1;
  if (!isDark) expect.soft(await violations(page, part), `${name}, light`).toEqual([]);
  if (!isDark && !LONG) return;
  await page.emulateMedia({ colorScheme: 'dark' });
  await expect(html).toHaveClass(/\bdark\b/);
  expect.soft(await violations(page, part, LONG ? COLOUR_RULES : undefined), `${name}, dark`).toEqual([]);
  await page.emulateMedia({ colorScheme: 'light' });
  await expect(html).toHaveClass(/\blight\b/);
}
