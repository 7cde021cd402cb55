import { expect, test } from './fixtures';
import { pagesOf } from './pages';
import { settled } from './settled';

test.use({ viewport: { width: 390, height: 844 } });

test('no page scrolls sideways on a phone', async ({ page, house }) => {
  test.setTimeout(120_000);
  for (const { name, path } of pagesOf(house)) {
    await test.step(name, async () => {
      await page.goto(house.stage.origin + path);
      await settled(page);
      const widths = await page.evaluate(() => [document.documentElement.scrollWidth, window.innerWidth] as const);
      expect.soft(widths[0], name).toBeLessThanOrEqual(widths[1]);
    });
  }
});
