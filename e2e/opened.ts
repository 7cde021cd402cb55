import { expect, type Page } from '@playwright/test';
import { isAccessible } from './is-accessible';
import { settled, still } from './settled';
import { untranslated } from './untranslated';

/** A menu or a dialog: where it is and how it is opened. */
export interface Opening {
  name: string;
  open: (page: Page) => Promise<void>;
  /** On a screen as wide as this, px. */
  width?: number;
}

/** What menus, dialogs and forms in place are. */
const OPENED = '[role="menu"], [role="dialog"], [role="alertdialog"], [role="listbox"], form';

export const press = (name: string | RegExp) => async (page: Page) =>
  page
    .getByRole('button', { name, exact: typeof name === 'string' })
    .first()
    .click();

/** What an item of a menu opens. */
export const choose = (button: string | RegExp, item: string | RegExp) => async (page: Page) => {
  await press(button)(page);
  await page.getByRole('menuitem', { name: item, exact: typeof item === 'string' }).click();
  await expect(page.getByRole('dialog')).toBeVisible();
};

/** Goes there, opens it, and looks: axe finds nothing, every text is translated. */
export async function judgeOpen(page: Page, url: string, { name, open, width }: Opening): Promise<void> {
  const before = page.viewportSize();
  if (width !== undefined) await page.setViewportSize({ width, height: 844 });
  await page.goto(url);
  await settled(page);
  const openBefore = await page.locator(OPENED).count();
  await open(page);
  await expect.poll(() => page.locator(OPENED).count()).toBeGreaterThan(openBefore);
  await expect(page.locator('[role="dialog"] [aria-busy="true"]')).toHaveCount(0);
  // Faded in.
  await still(page);
  // The page behind is hidden and out of reach meanwhile; closed it is looked at in layout.spec.ts. What lies above
  // it stands in no landmark, as menus do.
  await isAccessible(page, name, { include: OPENED, without: ['region'] });
  expect.soft(await untranslated(page), name).toEqual([]);
  if (width !== undefined && before) await page.setViewportSize(before);
}
