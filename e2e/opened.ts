import { expect, type Page } from '@playwright/test';
import { isAccessible } from './is-accessible';
import { settled, still } from './settled';
import { untranslated } from './untranslated';

/** A menu or a dialog, and how it is opened. */
export interface Opening {
  name: string;
  /**
   * The file that draws it, below components/ and without its extension: test/opened-overlays.test.ts checks that each
   * is listed.
   */
  of: string;
  open: (page: Page) => Promise<void>;
  /** Width of the viewport, px. */
  width?: number;
}

/** Menus open and close within two or three of these intervals. */
const OFTEN = { intervals: [50] };

/** Selects menus, dialogs and inline forms. */
const OPENED = '[role="menu"], [role="dialog"], [role="alertdialog"], [role="listbox"], form';

export const press = (name: string | RegExp) => async (page: Page) =>
  page
    .getByRole('button', { name, exact: typeof name === 'string' })
    .first()
    .click();

/** Opens a dialog by choosing an item of a menu. */
export const choose = (button: string | RegExp, item: string | RegExp) => async (page: Page) => {
  await press(button)(page);
  await page.getByRole('menuitem', { name: item, exact: typeof item === 'string' }).click();
  await expect(page.getByRole('dialog')).toBeVisible();
};

/** The address that was opened last, and the address that the page had after that. */
const stands = new WeakMap<Page, { url: string; became: string }>();

/** Opens the address, unless the page is already there, opens the menu or dialog and checks it. */
export async function judgeOpen(page: Page, url: string, { open, width, ...what }: Opening): Promise<void> {
  const before = page.viewportSize();
  if (width !== undefined) await page.setViewportSize({ width, height: 844 });
  const last = stands.get(page);
  const isThere = last?.url === url && last.became === page.url() && width === undefined && (await hasClosed(page));
  if (!isThere) {
    await page.goto(url);
    await settled(page);
    stands.set(page, { url, became: page.url() });
  }
  const openBefore = await page.locator(OPENED).count();
  await open(page);
  await expect.poll(() => page.locator(OPENED).count(), OFTEN).toBeGreaterThan(openBefore);
  await judgeOpened(page, what);
  if (width !== undefined && before) await page.setViewportSize(before);
}

/** Closes what is open above the page with Escape; false: something stays open. */
async function hasClosed(page: Page): Promise<boolean> {
  const above = page.locator('[role="menu"], [role="dialog"], [role="alertdialog"], [role="listbox"]');
  for (let tries = 0; tries < 3; tries++) {
    const count = await above.count();
    if (count === 0) return true;
    await page.keyboard.press('Escape');
    try {
      await expect.poll(() => above.count(), { ...OFTEN, timeout: 5_000 }).toBeLessThan(count);
    } catch {
      return false;
    }
  }
  return (await above.count()) === 0;
}

/** Checks what is open now: axe finds nothing, every text is translated, arrow keys move through a menu. */
export async function judgeOpened(page: Page, { name }: Pick<Opening, 'name' | 'of'>): Promise<void> {
  // The last dialog counts: a dialog that asks for the password is above one whose button waits for it.
  await expect(page.getByRole('dialog').last().locator('[aria-busy="true"]')).toHaveCount(0);
  // Wait until it has faded in.
  await still(page);
  // The page below is hidden and out of reach meanwhile; layout.spec.ts checks it. Elements above it are in no
  // landmark, as usual for menus.
  await isAccessible(page, name, { include: OPENED, without: ['region'] });
  expect.soft(await untranslated(page), name).toEqual([]);
  if ((await page.getByRole('menu').count()) > 0) await isOneStop(page, name);
}

/** Checks that Tab stops at one item of a menu at most, and that arrow keys move from one to the next. */
async function isOneStop(page: Page, name: string): Promise<void> {
  // Some items exist on phones only.
  const items = page.getByRole('menu').locator('[role^="menuitem"]:not([data-disabled])').filter({ visible: true });
  const count = Math.min(3, await items.count());
  for (let at = 0; at < count; at++) {
    await page.keyboard.press(at === 0 ? 'Home' : 'ArrowDown');
    await expect.soft(items.nth(at), name).toBeFocused();
    await expect.soft(items.and(page.locator('[tabindex="0"]')), name).toHaveCount(1);
  }
}
