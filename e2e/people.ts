import type { Browser, Page } from '@playwright/test';
import { expect } from './fixtures';
import type { Stage } from './stage';

export const PASSWORD = 'correct horse battery';

/** Sets the password on the welcome page. `name` is null if the link belongs to an existing account. */
export async function setPassword(page: Page, name: string | null): Promise<void> {
  if (name !== null) await page.getByLabel('Name', { exact: true }).fill(name);
  await page.getByLabel('New password', { exact: true }).fill(PASSWORD);
  await page.getByLabel('Repeat the new password').fill(PASSWORD);
  await page.getByRole('button', { name: 'Set password and sign in' }).click();
  await expect(page.getByRole('button', { name: /^Account: / })).toBeVisible();
}

/** Opens a separate browser context for another user. */
export async function person(browser: Browser, link: string, name: string | null = null): Promise<Page> {
  const context = await browser.newContext({ locale: 'en-GB', viewport: { width: 1280, height: 900 } });
  const page = await context.newPage();
  await page.goto(link);
  await setPassword(page, name);
  return page;
}

export const readCookie = async (page: Page) =>
  (await page.context().cookies()).map(({ name, value }) => `${name}=${value}`).join('; ');

/**
 * Creates the administrator ada, whose session the stage uses from now on, and operators for instances tagged *shop*.
 */
export async function shopTeam(browser: Browser, stage: Stage, operators: string[]): Promise<Record<string, Page>> {
  const pages: Record<string, Page> = {};
  pages.ada = await person(browser, /http:\S+\/welcome#\S+/.exec(stage.output)?.[0] ?? '', 'ada');
  stage.cookie = await readCookie(pages.ada);
  for (const name of operators) {
    const user = { name, role: 'viewer', grants: [{ kind: 'tag', value: 'shop', role: 'operator' }] };
    const made = await stage.ask<{ link: { token: string } }>('POST', '/api/users', user);
    pages[name] = await person(browser, `${stage.origin}/welcome#${made.link.token}`);
  }
  return pages;
}
