import AxeBuilder from '@axe-core/playwright';
import { expect, test } from './fixtures';
import { pagesOf } from './pages';
import { settled } from './settled';

/** axe on every page, in both themes. */
for (const theme of ['light', 'dark'] as const) {
  test(`axe finds nothing on any page, ${theme}`, async ({ page, house }) => {
    test.setTimeout(240_000);
    await page.addInitScript((chosen) => localStorage.setItem('theme', chosen), theme);
    for (const { name, path } of pagesOf(house)) {
      await test.step(name, async () => {
        await page.goto(house.stage.origin + path);
        await settled(page);
        await expect(page.locator('html')).toHaveClass(new RegExp(`\\b${theme}\\b`));
        const { violations } = await new AxeBuilder({ page }).analyze();
        const found = violations.map(
          ({ id, nodes }) => `${id}: ${nodes.map((node) => node.html.slice(0, 160)).join(' | ')}`,
        );
        expect.soft(found, `${name}, ${theme}`).toEqual([]);
      });
    }
  });
}
