import { expect, test } from './fixtures';
import { pagesOf } from './pages';
import { settled } from './settled';

/** A message that is missing shows its key: `namespace.word`. */
const MISSING =
  /\b(ui|nav|errors|fleet|instances|warnings|capabilities|overview|scans|reasons|jobs|audit|reports|charts|tree|bigkeys|ttl|slots|keys|types|patterns|idle|filters|rules|findings|profiles|policy|serverAudit|deletions)\.[a-z][A-Za-z]+(\.[A-Za-z]+)*\b/;

for (const [locale, word] of [
  ['en', 'Fleet'],
  ['zh-CN', /[\u4e00-\u9fff]/],
] as const) {
  test(`every page speaks ${locale}`, async ({ page, house, context }) => {
    test.setTimeout(120_000);
    await context.addCookies([{ name: 'locale', value: locale, url: house.stage.origin }]);
    for (const { name, path } of pagesOf(house)) {
      await test.step(name, async () => {
        await page.goto(house.stage.origin + path);
        await expect(page.locator('html')).toHaveAttribute('lang', locale);
        await settled(page);
        await expect(page.getByRole('navigation').first()).toContainText(word);
        // Key names look like message keys too: they are set in <bdi>, code and monospaced type.
        const texts = await page.evaluate(() => {
          const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
          const found: string[] = [];
          while (walker.nextNode()) {
            const parent = walker.currentNode.parentElement;
            if (!parent?.closest('bdi, code, pre, script, style, .font-mono'))
              found.push(walker.currentNode.nodeValue ?? '');
          }
          return found;
        });
        expect
          .soft(
            texts.filter((text) => MISSING.test(text)),
            name,
          )
          .toEqual([]);
      });
    }
  });
}

test('the language is changed in the page and stays', async ({ page, house }) => {
  await page.goto(house.stage.origin);
  await page.getByRole('button', { name: 'Language' }).click();
  await page
    .getByRole('menuitemcheckbox', { name: '简体中文' })
    .or(page.getByRole('menuitemradio', { name: '简体中文' }))
    .click();
  await expect(page.locator('html')).toHaveAttribute('lang', 'zh-CN');
  await page.reload();
  await expect(page.locator('html')).toHaveAttribute('lang', 'zh-CN');
});
