import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, Page } from '@playwright/test';
import { LONG } from '../test/long-form.mjs';
import { type RedisServer, startRedis } from '../test/servers/redis';
import { expect, registerAndScan, type Scanned, test, waitForJob } from './fixtures';
import { isAccessible } from './is-accessible';
import { settled, still } from './settled';
import { Stage } from './stage';

const PASSWORD = 'correct horse battery';
/** With COLONNADE_PICTURES=FOLDER every dialog is also saved as a picture, for inspection. */
const FOLDER = process.env.COLONNADE_PICTURES;

const WORDS = {
  en: {
    addToken: 'Create token',
    name: 'Name',
    tokens: 'API tokens',
    made: (name: string) => `Token ${name}`,
    once: 'it is not shown again',
    done: 'Done',
    never: 'Never',
    from: 'from 127.0.0.1',
    revoke: (name: string) => `Revoke the token ${name}`,
    sure: (name: string) => `Revoke the token ${name}?`,
    revokeIt: 'Revoke',
    addGrant: 'Add grant',
    kind: 'Kind of grant',
    tag: 'Tag',
    value: 'Instance, environment or tag',
    addTeam: 'Add team',
    addOwner: 'Add owner',
    team: 'Team',
    teams: 'Teams',
    save: 'Save',
    grant: 'tag shop: Operator',
    edit: (name: string) => `Edit the team ${name}`,
    editTitle: (name: string) => `Team ${name}`,
    prefixes: 'Prefixes',
    everywhere: 'every instance',
    remove: (name: string) => `Remove the team ${name}`,
    removeSure: (name: string) => `Remove the team ${name}?`,
    cancel: 'Cancel',
  },
  'zh-CN': {
    addToken: '创建令牌',
    name: '名称',
    tokens: 'API 令牌',
    made: (name: string) => `令牌 ${name}`,
    once: '令牌不会再次显示',
    done: '完成',
    never: '从未使用',
    from: '来自 127.0.0.1',
    revoke: (name: string) => `吊销令牌 ${name}`,
    sure: (name: string) => `吊销令牌 ${name}？`,
    revokeIt: '吊销',
    addGrant: '添加授权',
    kind: '授权类型',
    tag: '标签',
    value: '实例、环境或标签',
    addTeam: '添加团队',
    addOwner: '添加负责人',
    team: '团队',
    teams: '团队',
    save: '保存',
    grant: '标签 shop：操作员',
    edit: (name: string) => `编辑团队 ${name}`,
    editTitle: (name: string) => `团队 ${name}`,
    prefixes: '前缀',
    everywhere: '所有实例',
    remove: (name: string) => `删除团队 ${name}`,
    removeSure: (name: string) => `删除团队 ${name}？`,
    cancel: '取消',
  },
} as const;
type Locale = keyof typeof WORDS;

const EVERY_LOOK = [
  ['zh-CN', 390],
  ['en', 1280],
  ['en', 390],
  ['zh-CN', 1280],
] as const;

/** Checks the open dialog: it is in the viewport, nothing is cut off, and axe finds nothing. */
async function look(page: Page, what: string): Promise<void> {
  const dialog = page.getByRole('dialog');
  await expect(dialog).toBeVisible();
  await expect(dialog.locator('[aria-busy="true"]')).toHaveCount(0);
  // Wait until it has faded in.
  await still(page);
  const { width, height } = page.viewportSize()!;
  const box = (await dialog.boundingBox())!;
  expect.soft([box.x >= 0, box.x + box.width <= width], `${what}: beside the window`).toEqual([true, true]);
  expect.soft([box.y >= 0, box.y + box.height <= height], `${what}: above or below it`).toEqual([true, true]);
  const sideways = await dialog.evaluate((element) =>
    [element, ...element.querySelectorAll('*')]
      .filter((one) => one.scrollWidth > one.clientWidth + 1 && getComputedStyle(one).overflowX !== 'visible')
      .filter((one) => !one.matches('input, textarea, .sr-only, .truncate'))
      .map((one) => `${one.tagName} ${one.className}`.slice(0, 80)),
  );
  expect.soft(sideways, `${what}: scrolls sideways`).toEqual([]);
  await isAccessible(page, what, { include: '[role="dialog"]', without: ['region'] });
  if (!FOLDER) return;
  mkdirSync(FOLDER, { recursive: true });
  await page.screenshot({ path: join(FOLDER, `${what.replace(/\W+/g, '-')}.png`) });
}

async function addTagGrant(page: Page, t: (typeof WORDS)[Locale]): Promise<void> {
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: t.addGrant }).click();
  await dialog.getByRole('combobox', { name: t.kind }).click();
  await page.getByRole('option', { name: t.tag, exact: true }).click();
  await dialog.getByLabel(t.value).fill('shop');
}

test.describe
  .serial('tokens and teams', () => {
    let stage: Stage;
    let redis: RedisServer;
    let mall: Scanned;
    let tess = { id: '', name: 'tess' };

    const ask = (secret: string, method = 'GET', path = '/api/fleet') =>
      fetch(`${stage.origin}${path}`, {
        method,
        headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json' },
        ...(method === 'GET' ? {} : { body: JSON.stringify({ speed: 'fast' }) }),
      });
    const signedIn = async (name: string): Promise<string> => {
      const answer = await stage.send('POST', '/api/session', { name, password: PASSWORD }, '');
      expect(answer.status).toBe(201);
      return answer.headers
        .getSetCookie()
        .map((one) => one.split(';', 1)[0])
        .join('; ');
    };
    const makePage = async (browser: Browser, cookie: string, locale: Locale, width = 1280): Promise<Page> => {
      const context = await browser.newContext({ viewport: { width, height: width > 400 ? 900 : 844 } });
      await context.addCookies(
        [...cookie.split('; '), `locale=${locale}`].map((part) => {
          const [name = '', value = ''] = part.split('=');
          return { name, value, url: stage.origin };
        }),
      );
      return context.newPage();
    };

    test.describe.configure({ timeout: 240_000 });
    test.beforeAll(async () => {
      [stage, redis] = await Promise.all([Stage.open({ COLONNADE_SINGLE_USER: '' }), startRedis()]);
      await redis.client().set('cart:1', 'x');
      const token = /welcome#(\S+)/.exec(stage.output)?.[1];
      await stage.send('POST', '/api/welcome', { token, name: 'ada', password: PASSWORD }, '');
      stage.cookie = await signedIn('ada');
      const made = await stage.ask<{ user: { id: string }; link: { token: string } }>('POST', '/api/users', {
        name: 'tess',
        role: 'none',
      });
      await stage.send('POST', '/api/welcome', { token: made.link.token, password: PASSWORD }, '');
      tess = { ...tess, id: made.user.id };
      const endpoints = [{ host: '127.0.0.1', port: redis.port }];
      mall = await registerAndScan(stage, { name: 'mall', topology: 'standalone', endpoints, tags: ['shop'] });
      for (const prefix of ['cart:', 'order:'])
        await stage.ask('POST', '/api/owners', { instanceId: null, prefix, team: 'Carts' });
      await stage.ask('POST', '/api/owners', { instanceId: mall.id, prefix: 'mall:'.repeat(20), team: 'carts' });
    });
    test.afterAll(async () => {
      await Promise.all([stage.close(), redis.stop()]);
    });

    for (const locale of LONG ? (['en', 'zh-CN'] as const) : (['zh-CN'] as const)) {
      const t = WORDS[locale];

      test(`a token is shown once, works, is seen working, and is refused when revoked, ${locale}`, async ({
        browser,
      }) => {
        const name = `ci/${locale}`;
        const page = await makePage(browser, stage.cookie, locale);
        await page.goto(`${stage.origin}/account`);
        await settled(page);
        await page.getByRole('button', { name: t.addToken }).click();
        const dialog = page.getByRole('dialog');
        await dialog.getByLabel(t.name, { exact: true }).fill(name);
        await dialog.getByRole('button', { name: t.addToken }).click();
        const shown = page.getByRole('dialog', { name: t.made(name) });
        await expect(shown).toContainText(t.once);
        const secret = (await shown.locator('code').textContent()) ?? '';
        expect(secret).toMatch(/^colonnade_[\w-]{43}$/);
        const row = page
          .getByRole('region', { name: t.tokens, exact: true })
          .getByRole('row')
          .filter({ hasText: name });
        await shown.getByRole('button', { name: t.done }).click();
        await expect(page.getByRole('dialog')).toHaveCount(0);
        await expect(row).toContainText(t.never);
        expect(await page.content()).not.toContain(secret);
        // The secret is nowhere afterwards: neither in responses of the API nor in the reloaded page.
        expect(JSON.stringify(await stage.ask('GET', '/api/tokens'))).not.toContain(secret.slice(-20));
        const answer = await ask(secret);
        expect([answer.status, await answer.text()]).toEqual([200, expect.stringContaining('mall')]);
        await page.reload();
        await settled(page);
        await expect(row).toContainText(t.from);
        await expect(row).not.toContainText(t.never);
        expect(await page.content()).not.toContain(secret);
        await row.getByRole('button', { name: t.revoke(name) }).click();
        const sure = page.getByRole('dialog', { name: t.sure(name) });
        expect((await ask(secret)).status).toBe(200);
        await sure.getByRole('button', { name: t.revokeIt }).click();
        // While the dialog is open, the rows below it are hidden, which would look as if this one were gone.
        await expect(page.getByRole('dialog')).toHaveCount(0);
        await expect(row).toHaveCount(0);
        expect((await ask(secret)).status).toBe(401);
        await page.context().close();
      });
    }

    for (const locale of LONG ? (['en', 'zh-CN'] as const) : (['en'] as const)) {
      const t = WORDS[locale];

      test(`a member of a team may what the team is granted, from the next sign-in on, ${locale}`, async ({
        browser,
      }) => {
        const before = await signedIn('tess');
        const scan = (cookie: string) =>
          stage.send('POST', `/api/instances/${mall.id}/scans`, { speed: 'fast' }, cookie);
        expect([403, 404]).toContain((await scan(before)).status);
        const name = `shop ${locale}`;
        const page = await makePage(browser, stage.cookie, locale);
        await page.goto(`${stage.origin}/users`);
        await settled(page);
        await page.getByRole('button', { name: t.addTeam }).click();
        const dialog = page.getByRole('dialog');
        await dialog.getByLabel(t.team, { exact: true }).fill(name);
        await dialog.getByRole('checkbox', { name: 'tess' }).check();
        await addTagGrant(page, t);
        await dialog.getByRole('button', { name: t.save }).click();
        await expect(dialog).toHaveCount(0);
        const row = page.getByRole('region', { name: t.teams, exact: true }).getByRole('row').filter({ hasText: name });
        await expect(row).toContainText('tess');
        await expect(row).toContainText(t.grant);
        // The owner of a prefix is chosen among the teams.
        await page.goto(`${stage.origin}/instances/${mall.id}/policy`);
        await settled(page);
        await page.getByRole('button', { name: t.addOwner }).click();
        const owner = page.getByRole('dialog').getByLabel(t.team, { exact: true });
        // The dialog requests the teams when it opens.
        const offered = () =>
          owner.evaluate((input: HTMLInputElement) => [...(input.list?.options ?? [])].map(({ value }) => value));
        await expect.poll(offered).toEqual([name]);
        await page.goto(`${stage.origin}/users`);
        await settled(page);
        // The rights have changed, so existing sessions were ended.
        expect((await scan(before)).status).toBe(401);
        const member = await makePage(browser, await signedIn('tess'), locale);
        await member.goto(stage.origin);
        await settled(member);
        await member.getByRole('main').getByRole('link', { name: 'mall' }).first().click();
        await settled(member);
        const cookie = await signedIn('tess');
        const { job } = await (await scan(cookie)).json();
        expect(job).toMatchObject({ kind: 'scan' });
        expect(await waitForJob(stage, job.id, ['succeeded', 'failed'])).toMatchObject({ state: 'succeeded' });
        await row.getByRole('button', { name: t.remove(name) }).click();
        await page
          .getByRole('dialog', { name: t.removeSure(name) })
          .getByRole('button')
          .nth(-1)
          .click();
        await expect(row).toHaveCount(0);
        expect((await scan(cookie)).status).toBe(401);
        expect([403, 404]).toContain((await scan(await signedIn('tess'))).status);
        await Promise.all([page.context().close(), member.context().close()]);
      });
    }

    for (const [locale, width] of LONG ? EVERY_LOOK : EVERY_LOOK.slice(0, 1))
      test(`their dialogs are whole and have nothing that axe finds, ${locale}, ${width} pixels`, async ({
        browser,
      }) => {
        const t = WORDS[locale];
        const page = await makePage(browser, stage.cookie, locale, width);
        const named = (what: string) => `${what} ${locale} ${width}`;
        await page.goto(`${stage.origin}/account`);
        await settled(page);
        await page.getByRole('button', { name: t.addToken }).click();
        await look(page, named('new token'));
        await page.getByRole('dialog').getByLabel(t.name, { exact: true }).fill('build pipeline of the shop, 杭州?');
        await addTagGrant(page, t);
        await look(page, named('token with a wrong name and a grant'));
        await page.getByRole('dialog').getByLabel(t.name, { exact: true }).fill(`pipeline ${locale} ${width}`);
        await page.getByRole('dialog').getByRole('button', { name: t.addToken }).click();
        await expect(page.getByRole('dialog').locator('code')).toBeVisible();
        await look(page, named('secret of a token'));
        await page.getByRole('dialog').getByRole('button', { name: t.done }).click();
        await page.getByRole('button', { name: t.revoke(`pipeline ${locale} ${width}`) }).click();
        await look(page, named('revoking a token'));
        await page.keyboard.press('Escape');

        await stage.ask('POST', '/api/teams', {
          name: 'Carts',
          members: [tess.id],
          grants: [
            { kind: 'instance', value: mall.id, role: 'operator' },
            { kind: 'environment', value: 'a-very-long-name-of-an-environment', role: 'viewer' },
          ],
        });
        await page.goto(`${stage.origin}/users`);
        await settled(page);
        await page.getByRole('button', { name: t.addTeam }).click();
        await addTagGrant(page, t);
        await look(page, named('new team'));
        await page.getByRole('dialog').getByRole('button', { name: t.cancel }).click();
        const row = page
          .getByRole('region', { name: t.teams, exact: true })
          .getByRole('row')
          .filter({ hasText: 'Carts' });
        if (width > 400) await expect(row).toContainText(`cart:${t.everywhere}`);
        await row.getByRole('button', { name: t.edit('Carts') }).click();
        const dialog = page.getByRole('dialog', { name: t.editTitle('Carts') });
        const owned = dialog.getByRole('region', { name: t.prefixes }).getByRole('listitem');
        await expect(owned).toHaveCount(3);
        await expect(owned.filter({ hasText: 'mall:' })).toContainText('mall');
        await look(page, named('a team'));
        await owned.last().scrollIntoViewIfNeeded();
        await look(page, named('a team, its prefixes'));
        await page.keyboard.press('Escape');
        await row.getByRole('button', { name: t.remove('Carts') }).click();
        await look(page, named('removing a team'));
        await page.keyboard.press('Escape');
        const { teams } = await stage.ask<{ teams: { id: string }[] }>('GET', '/api/teams');
        await stage.ask('DELETE', `/api/teams/${teams[0]?.id}`);
        await page.context().close();
      });
  });
