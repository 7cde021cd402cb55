import { rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, Page } from '@playwright/test';
import { seedStandalone } from '../scripts/seed/seed.mjs';
import { makeSmallDisk, noSmallDisk, type SmallDisk } from '../test/disks/small-disk';
import { LONG } from '../test/long-form.mjs';
import { type RedisServer, startRedis } from '../test/servers/redis';
import { expect, registerAndScan, type Scanned, test } from './fixtures';
import { hydrated, settled } from './settled';
import { Stage } from './stage';

/**
 * The disk of the data folder is full: every page says so, reading still works, and it recovers by itself when there is
 * space again.
 */
const PASSWORD = 'correct horse battery';
const BANNER = 'Read-only: the control database cannot be written';
const NO_SIGN_IN = 'Nobody can sign in now: the control database cannot be written';

let disk: SmallDisk;
let stage: Stage;
let redis: RedisServer;
let mall: Scanned;

test.beforeAll(async () => {
  const missing = noSmallDisk();
  if (missing !== null) throw new Error(missing);
  disk = makeSmallDisk(96);
  [stage, redis] = await Promise.all([
    Stage.open({ COLONNADE_SINGLE_USER: '', COLONNADE_DATA: disk.dir }),
    startRedis(),
  ]);
  await seedStandalone(redis.port, { keys: 2000 });
  const token = /welcome#(\S+)/.exec(stage.output)?.[1] ?? '';
  const answer = await stage.send('POST', '/api/welcome', { token, name: 'ada', password: PASSWORD }, '');
  stage.cookie = answer.headers
    .getSetCookie()
    .map((one) => one.split(';', 1)[0])
    .join('; ');
  const endpoints = [{ host: '127.0.0.1', port: redis.port }];
  mall = await registerAndScan(stage, { name: 'mall', topology: 'standalone', endpoints });
});
test.afterAll(async () => {
  await Promise.all([stage?.close(), redis?.stop()]);
  disk?.remove();
});

const signedIn = async (page: Page) => {
  const cookies = stage.cookie.split('; ').map((part) => {
    const [name = '', value = ''] = part.split('=');
    return { name, value, url: stage.origin };
  });
  await page.context().addCookies(cookies);
};
async function another(browser: Browser): Promise<Page> {
  const context = await browser.newContext({ locale: 'en-GB', viewport: { width: 1280, height: 900 } });
  return context.newPage();
}
/** Writes until the disk refuses: SQLite still writes what fits into the free pages of its files. */
async function untilRefused(): Promise<void> {
  for (let i = 0; i < 400; i++) {
    const { status } = await stage.send('POST', '/api/users', { name: `u${i}`, role: 'viewer', grants: [] });
    if (status === 503) return;
  }
  throw new Error('The disk takes everything.');
}

test('a full disk: a banner on every page, reports open, writes say why, and it ends by itself', async ({
  page,
  browser,
  tolerate,
}) => {
  test.setTimeout(360_000);
  tolerate(/503/);
  await signedIn(page);
  await page.clock.install();
  await page.goto(`${stage.origin}/instances/${mall.id}`);
  await settled(page);
  await expect(page.getByText(BANNER)).toHaveCount(0);

  disk.fill();
  await untilRefused();
  // The open page shows it without a reload, after its next request.
  await page.clock.fastForward(30_000);
  await expect(page.getByText(BANNER)).toBeVisible({ timeout: 60_000 });

  const at = (path: string) => `/instances/${mall.id}${path}`;
  const few = ['/', '/audit', at(''), at('/findings'), at('/server'), at('/edit')];
  const places = ['', '/tree', '/bigkeys', '/findings', '/ttl', '/server', '/deletions', '/edit'];
  const others = ['/', '/jobs', '/profiles', '/audit', '/users', '/account', '/instances/new'];
  for (const path of LONG ? [...others, ...places.map(at)] : few) {
    await page.goto(`${stage.origin}${path}`);
    await settled(page);
    await expect.soft(page.getByText(BANNER), path).toBeVisible();
    // Pages read from Redis or from a snapshot, which has not failed.
    await expect.soft(page.getByText('Something went wrong'), path).toHaveCount(0);
  }
  await page.goto(`${stage.origin}${at('/tree')}`);
  await settled(page);
  await expect(page.getByRole('main')).toContainText('mall:');

  await page.goto(`${stage.origin}/users`);
  await settled(page);
  await page.getByRole('button', { name: 'Add user' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name', { exact: true }).fill('eve');
  await dialog.getByRole('button', { name: 'Create link' }).click();
  await expect(dialog.getByRole('alert')).toContainText('cannot be written');
  await page.keyboard.press('Escape');

  const guest = await another(browser);
  await guest.goto(`${stage.origin}/sign-in`);
  await expect(guest.getByText(NO_SIGN_IN)).toBeVisible();
  await hydrated(guest);
  await guest.getByLabel('Name', { exact: true }).fill('ada');
  await guest.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await guest.getByRole('button', { name: 'Sign in' }).click();
  await expect(guest.getByRole('alert').filter({ hasText: 'cannot be written' })).toHaveCount(2);
  await expect(guest.getByRole('main')).not.toContainText('{');
  await expect(guest).toHaveURL(/sign-in/);
  if (process.env.SHOTS) {
    await guest.screenshot({ path: join(process.env.SHOTS, 'read-only-sign-in.png') });
    await page.screenshot({ path: join(process.env.SHOTS, 'read-only-users.png') });
  }

  rmSync(join(disk.dir, 'filler'));
  // The server retries every few seconds, and the page requests the state as often.
  await expect(async () => {
    await page.clock.fastForward(5_000);
    await expect(page.getByText(BANNER)).toHaveCount(0, { timeout: 500 });
  }).toPass({ timeout: 60_000 });
  await expect(guest.getByText(NO_SIGN_IN)).toHaveCount(0, { timeout: 60_000 });
  await guest.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await guest.getByRole('button', { name: 'Sign in' }).click();
  await expect(guest).toHaveURL(`${stage.origin}/`);
  await guest.context().close();
});
