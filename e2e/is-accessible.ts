import AxeBuilder from '@axe-core/playwright';
import { expect, type Page } from '@playwright/test';
import { LONG } from '../test/long-form.mjs';

/** Rules that check colours; the results of all others do not depend on the theme. */
const COLOUR_RULES = ['color-contrast', 'link-in-text-block'];

interface Part {
  /** Only elements that match this selector are checked. */
  include?: string;
  /** Rules that this part of the page cannot meet by itself. */
  without?: string[];
}

async function violations(page: Page, { include, without = [] }: Part, only?: string[]): Promise<string[]> {
  // No page has a frame, so axe may finish in the same page instead of a new one. Results without violations need no
  // details: on a table of hundreds of rows these took longer than the checks.
  const axe = new AxeBuilder({ page }).setLegacyMode().options({ resultTypes: ['violations'] });
  if (include) axe.include(include);
  if (only) axe.withRules(only);
  else axe.disableRules(without);
  const { violations: found } = await axe.analyze();
  return found.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html.slice(0, 160)).join(' | ')}`);
}

/**
 * Checks with axe that the page has no violations, in one of the themes. The name decides which, so that a page is
 * checked in the same one each time. The dark theme is applied while the page is open, as a system does in the evening.
 * LONG=1: both themes, where only the colours are checked the second time. Ends with the light theme.
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
