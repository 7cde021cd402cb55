import { expect, test } from './fixtures';
import { settled } from './settled';

test('the language is changed in the page and stays', async ({ page, shared }) => {
  await page.goto(shared.stage.origin);
  await settled(page);
  await page.getByRole('button', { name: 'Language' }).click();
  await page
    .getByRole('menuitemcheckbox', { name: '简体中文' })
    .or(page.getByRole('menuitemradio', { name: '简体中文' }))
    .click();
  await expect(page.locator('html')).toHaveAttribute('lang', 'zh-CN');
  await page.reload();
  await expect(page.locator('html')).toHaveAttribute('lang', 'zh-CN');
});
