import { readdirSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import type { Browser, Page } from '@playwright/test';
import { seedStandalone } from '../scripts/seed/seed.mjs';
import { ALL } from '../test/access/route-needs';
import { LONG } from '../test/long-form.mjs';
import { type RedisServer, startRedis } from '../test/servers/redis';
import { expect, registerAndScan, type Scanned, test } from './fixtures';
import { isAccessible } from './is-accessible';
import { hydrated, settled, still } from './settled';
import { Stage } from './stage';

const PASSWORD = 'correct horse battery';

async function setPassword(page: Page, name: string | null): Promise<void> {
  if (name !== null) await page.getByLabel('Name', { exact: true }).fill(name);
  await page.getByLabel('New password', { exact: true }).fill(PASSWORD);
  await page.getByLabel('Repeat the new password').fill(PASSWORD);
  await page.getByRole('button', { name: 'Set password and sign in' }).click();
}

async function signIn(page: Page, name: string, password = PASSWORD): Promise<void> {
  await hydrated(page);
  await page.getByLabel('Name', { exact: true }).fill(name);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Sign in' }).click();
}

/** Opens a separate browser context, as another user has. */
async function another(browser: Browser): Promise<Page> {
  const context = await browser.newContext({ locale: 'en-GB', viewport: { width: 1280, height: 900 } });
  return context.newPage();
}

/** Addresses of other sites, the first two as paths. The others are refused by the same rule. */
const EVIL = ['//evil.example', '/\\evil.example', 'https:evil.example', 'https://evil.example/x'];

const readCookie = async (page: Page) =>
  (await page.context().cookies()).map(({ name, value }) => `${name}=${value}`).join('; ');

test.describe
  .serial('people sign in', () => {
    let stage: Stage;
    let redis: RedisServer;
    let mall: Scanned;
    const links: Record<string, string> = {};
    const cookies: Record<string, string> = {};

    test.beforeAll(async () => {
      [stage, redis] = await Promise.all([Stage.open({ COLONNADE_SINGLE_USER: '' }), startRedis()]);
      await seedStandalone(redis.port, { keys: 3000 });
    });
    test.afterAll(async () => {
      await Promise.all([stage.close(), redis.stop()]);
    });

    test('the first start says how to create the administrator, once', async ({ page }) => {
      await page.goto(stage.origin);
      await expect(page).toHaveURL(`${stage.origin}/sign-in`);
      await expect(page.getByText('There is no account yet')).toBeVisible();
      await expect(page.getByLabel('Password')).toHaveCount(0);
      await isAccessible(page, 'the sign-in page before the first account');
      const link = /http:\S+\/welcome#\S+/.exec(stage.output)?.[0] ?? '';
      expect(link).toContain(stage.origin);
      await page.goto(link);
      await expect(page.getByRole('heading', { name: 'Create the administrator' })).toBeVisible();
      // The token must not stay in the address, nor be in the log.
      await expect(page).toHaveURL(`${stage.origin}/welcome`);
      expect(stage.output.split('\n').filter((line) => line.startsWith('{') && line.includes(link.slice(-43)))).toEqual(
        [],
      );
      await setPassword(page, 'ada');
      await expect(page).toHaveURL(`${stage.origin}/`);
      await settled(page);
      await expect(page.getByRole('button', { name: 'Account: ada' })).toBeVisible();
      await expect(page.getByRole('navigation').getByRole('link', { name: 'Users' })).toBeVisible();
      cookies.admin = await readCookie(page);
      const again = await stage.send('POST', '/api/welcome/check', { token: link.slice(-43) });
      expect(again.status).toBe(422);
    });

    test('the administrator invites an operator and a viewer', async ({ page, context }) => {
      await context.addCookies(toBrowser(stage, cookies.admin!));
      await page.goto(`${stage.origin}/users`);
      await settled(page);
      for (const [name, role] of [
        ['otto', 'Operator'],
        ['vera', 'Viewer'],
      ] as const) {
        await page.getByRole('button', { name: 'Add user' }).click();
        const dialog = page.getByRole('dialog');
        await dialog.getByLabel('Name', { exact: true }).fill(name);
        await dialog.getByRole('combobox', { name: 'Role' }).click();
        await page.getByRole('option', { name: role }).click();
        await dialog.getByRole('button', { name: 'Create link' }).click();
        await expect(page.getByRole('dialog')).toContainText(`One-time link for ${name}`);
        links[name] = (await page.getByRole('dialog').locator('code').textContent()) ?? '';
        await page.getByRole('button', { name: 'Done' }).click();
        await expect(page.getByRole('row', { name: new RegExp(`^${name} ${role}`) })).toContainText('Invited');
      }
      stage.cookie = cookies.admin!;
      mall = await registerAndScan(stage, {
        name: 'mall',
        topology: 'standalone',
        endpoints: [{ host: '127.0.0.1', port: redis.port }],
        environment: 'staging',
        readOnly: false,
      });
    });

    test('a viewer sees no deletion, and the API refuses', async ({ page }) => {
      await page.goto(links.vera!);
      await expect(page.getByText('Set the password of vera')).toBeVisible();
      await setPassword(page, null);
      await expect(page.getByRole('button', { name: 'Account: vera' })).toBeVisible();
      await settled(page);
      await expect(page.getByText('Requires the role Administrator')).toBeVisible();
      await expect(page.getByRole('link', { name: 'Register instance' })).toHaveCount(0);
      cookies.viewer = await readCookie(page);
      const WRITES = /^(Plan|Set expiry|Scan|Undo|Stop|Delete|Remove(?! filter)|Register|Exempt|Add|Save)/;
      for (const place of [
        '',
        '/keys?prefix=mall:',
        '/bigkeys',
        '/tree',
        '/ttl',
        '/deletions',
        '/policy',
        '/findings/N8',
      ]) {
        await page.goto(`${stage.origin}/instances/${mall.id}${place}`);
        await settled(page);
        await expect(page.getByRole('main').getByRole('button', { name: WRITES, disabled: false }), place).toHaveCount(
          0,
        );
      }
      await expect(page.getByRole('link', { name: 'Users' })).toHaveCount(0);
      await page.goto(`${stage.origin}/users`);
      await expect(page.getByText('Requires the role Administrator')).toBeVisible();
      const plan = {
        task: 'delete',
        instanceId: mall.id,
        selection: { by: 'filter', snapshotId: mall.snapshotId, filter: { prefix: 'mall:' } },
        options: { mode: 'unlink' },
      };
      const tries: [string, string, unknown][] = [
        ['POST', '/api/deletions/plans', plan],
        ['POST', `/api/instances/${mall.id}/scans`, { speed: 'fast' }],
        ['POST', '/api/panic', {}],
        ['DELETE', `/api/snapshots/${mall.snapshotId}`, {}],
        ['DELETE', `/api/instances/${mall.id}`, {}],
        ['POST', '/api/users', { name: 'eve', role: 'admin' }],
      ];
      for (const [method, path, body] of tries) {
        const answer = await stage.send(method, path, body, cookies.viewer);
        expect([path, answer.status, (await answer.json()).error.code]).toEqual([path, 403, 'forbidden']);
      }
    });

    test('an operator may plan one', async ({ page }) => {
      await page.goto(links.otto!);
      await setPassword(page, null);
      await expect(page.getByRole('button', { name: 'Account: otto' })).toBeVisible();
      cookies.operator = await readCookie(page);
      await page.goto(`${stage.origin}/instances/${mall.id}/keys?prefix=mall:`);
      await settled(page);
      await expect(page.getByRole('button', { name: /^Plan deletion/ })).toBeVisible();
      await expect(page.getByRole('link', { name: 'Edit' })).toHaveCount(0);
    });

    test('signing in leads back, and nowhere else; signing out ends it', async ({ browser }) => {
      const page = await another(browser);
      await page.goto(`${stage.origin}/jobs?active=1`);
      await expect(page).toHaveURL(`${stage.origin}/sign-in?next=${encodeURIComponent('/jobs?active=1')}`);
      await signIn(page, 'vera', 'wrong wrong wrong');
      await expect(page.getByRole('main').getByRole('alert')).toContainText('The name or the password is wrong');
      // Only the keyboard is used.
      await page.getByLabel('Name', { exact: true }).fill('VERA');
      await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
      await page.keyboard.press('Enter');
      await expect(page).toHaveURL(`${stage.origin}/jobs?active=1`);
      await settled(page);
      const cookie = await readCookie(page);
      await page.getByRole('button', { name: 'Account: vera' }).press('Enter');
      await page.getByRole('menuitem', { name: 'Sign out' }).press('Enter');
      await expect(page).toHaveURL(`${stage.origin}/sign-in`);
      expect((await stage.send('GET', '/api/fleet', undefined, cookie)).status).toBe(401);
      for (const evil of LONG ? EVIL : EVIL.slice(0, 2)) {
        // An open page goes to the sign-in page by itself.
        await page.goto('about:blank');
        await page.context().clearCookies();
        await page.goto(`${stage.origin}/sign-in?next=${encodeURIComponent(evil)}`);
        await signIn(page, 'vera');
        await expect(page).toHaveURL(`${stage.origin}/`);
      }
      await page.context().close();
    });

    test('what is filled in before the page is taken over is sent, and nothing is pressed in vain', async ({
      browser,
    }) => {
      const page = await another(browser);
      let goOn: () => void = () => {};
      const held = new Promise<void>((resolve) => {
        goOn = resolve;
      });
      await page.route('**/_next/static/chunks/*.js*', async (route) => {
        await held;
        await route.continue();
      });
      await page.goto(`${stage.origin}/sign-in`, { waitUntil: 'commit' });
      // A password manager fills the form the same way.
      await page.getByLabel('Name', { exact: true }).fill('vera');
      await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
      goOn();
      await hydrated(page);
      await page.getByRole('button', { name: 'Sign in' }).click();
      await expect(page).toHaveURL(`${stage.origin}/`);
      await page.context().close();
    });

    test('a stranger cannot choose the session, nor sign anybody in from elsewhere', async ({ browser }) => {
      const page = await another(browser);
      const name = `colonnade_${stage.port}`;
      const chosen = 'A'.repeat(43);
      await page.context().addCookies([{ name, value: chosen, url: stage.origin }]);
      await page.goto(`${stage.origin}/sign-in`);
      await signIn(page, 'vera');
      await expect(page.getByRole('button', { name: 'Account: vera' })).toBeVisible();
      const [first] = (await page.context().cookies()).filter((cookie) => cookie.name === name);
      expect(first).toMatchObject({ httpOnly: true, sameSite: 'Lax', path: '/', secure: false });
      expect(first?.value).not.toBe(chosen);
      // After a new sign-in the former token is invalid.
      const again = await stage.send(
        'POST',
        '/api/session',
        { name: 'vera', password: PASSWORD },
        `${name}=${first?.value}`,
      );
      expect(again.status).toBe(201);
      expect((await stage.send('GET', '/api/fleet', undefined, `${name}=${first?.value}`)).status).toBe(401);
      await page.context().close();
      const body = JSON.stringify({ name: 'vera', password: PASSWORD });
      for (const headers of [
        { 'content-type': 'application/json', 'x-colonnade': '1', origin: 'https://evil.example' },
        { 'content-type': 'application/json', 'x-colonnade': '1' },
        { 'content-type': 'text/plain', 'x-colonnade': '1', origin: stage.origin },
        { 'content-type': 'application/json', origin: stage.origin },
      ]) {
        const answer = await fetch(`${stage.origin}/api/session`, { method: 'POST', body, headers } as RequestInit);
        expect(answer.ok).toBe(false);
        expect(answer.headers.get('set-cookie')).toBeNull();
      }
    });

    test('whoever is signed out by the administrator stops reading at once', async ({ browser }) => {
      const page = await another(browser);
      await page.goto(`${stage.origin}/sign-in`);
      await signIn(page, 'vera');
      // The sign-in page would also count as settled as long as there is no response, so the address is checked first.
      await expect(page).toHaveURL(`${stage.origin}/`);
      await settled(page);
      const cookie = await readCookie(page);
      const stream = await stage.send('GET', '/api/jobs/events', undefined, cookie);
      expect(stream.status).toBe(200);
      const ended = stream.text();
      const { users } = await stage.ask<{ users: { id: string; name: string }[] }>('GET', '/api/users');
      const vera = users.find(({ name }) => name === 'vera');
      await stage.ask('DELETE', `/api/users/${vera?.id}/sessions`);
      // Without the sign-out the stream would never end.
      await ended;
      await expect(page).toHaveURL(/\/sign-in\?ended=1/, { timeout: 60_000 });
      await expect(page.getByText('Your session has ended.', { exact: false })).toBeVisible();
      await page.context().close();
    });

    test('own sessions are listed and ended; a new password ends the others', async ({ browser }) => {
      const page = await another(browser);
      await page.goto(`${stage.origin}/sign-in?next=/account`);
      await signIn(page, 'otto');
      await expect(page).toHaveURL(`${stage.origin}/account`);
      await settled(page);
      await expect(page.getByRole('region', { name: 'Sessions' }).getByRole('row')).toHaveCount(3);
      await page
        .getByRole('row')
        .filter({ hasNotText: 'This session' })
        .getByRole('button', { name: /^End the session/ })
        .click();
      await expect(page.getByRole('region', { name: 'Sessions' }).getByRole('row')).toHaveCount(2);
      expect((await stage.send('GET', '/api/fleet', undefined, cookies.operator)).status).toBe(401);
      await page.getByLabel('Current password').fill(PASSWORD);
      await page.getByLabel('New password', { exact: true }).fill('another long password');
      await page.getByLabel('Repeat the new password').fill('another long password');
      await page.getByRole('button', { name: 'Change password' }).click();
      await expect(page.getByText('Password changed')).toBeVisible();
      await page.reload();
      await expect(page.getByRole('button', { name: 'Account: otto' })).toBeVisible();
      await page.context().close();
    });

    test('nobody gets anything of any page or route without a session', async () => {
      test.setTimeout(480_000);
      const app = join(import.meta.dirname, '../app');
      const files = readdirSync(app, { recursive: true, encoding: 'utf8' });
      const pages = files
        .filter((file) => /(^|\/)page\.tsx$/.test(file))
        .map((file) => `/${file.replace(/\/?page\.tsx$/, '')}`);
      const routes = ALL.map((name) => name.split(' ')[1]!.replaceAll(/\{(\w+)\}/g, '[$1]'));
      const paths = [...new Set([...pages, ...routes])].map((path) =>
        path
          .replace('[id]', mall.id)
          .replace('[report]', 'overview')
          .replace('[language]', 'en')
          .replace(/\[\w+\]/g, 'N8'),
      );
      expect(paths.length).toBeGreaterThan(85);
      const open = new Set([
        '/sign-in',
        '/welcome',
        '/api/session',
        '/api/welcome',
        '/api/welcome/check',
        // The list of providers on the sign-in page, and the routes to a provider and back, which check their own
        // input.
        '/api/oidc',
        `/api/oidc/${mall.id}`,
        `/api/oidc/${mall.id}/callback`,
        '/api/health',
        '/api/messages/en',
        // This route checks a token of its own.
        '/metrics',
      ]);
      const closed = paths.filter((path) => !open.has(path));
      const forms = closed.flatMap((path) => [
        path,
        `${path}?_rsc=1`,
        `${path}.rsc`,
        `${path}/`,
        `/_next/data/x${path}.json`,
        `/en${path}`,
        `/_next/static/..%2f..${path}`,
        `/sign-in/..%2f${path.slice(1)}`,
      ]);
      const variants: Record<string, string>[] = [
        { accept: 'text/html' },
        { rsc: '1', 'next-router-prefetch': '1', 'next-router-state-tree': '%5B%22%22%5D' },
        { 'x-middleware-subrequest': 'proxy:proxy:proxy:proxy:proxy', 'x-nextjs-data': '1', purpose: 'prefetch' },
        { cookie: `colonnade_${stage.port}=${'A'.repeat(43)}`, accept: 'text/html', 'x-forwarded-host': '127.0.0.1' },
        { cookie: cookies.operator ?? '', accept: 'text/html' },
      ];
      const let_in: string[] = [];
      const ask = async (method: string, path: string, headers: Record<string, string>) => {
        const own = { origin: stage.origin, 'x-colonnade': '1', 'content-type': 'application/json' };
        const answer = await fetch(`${stage.origin}${path}`, {
          method,
          headers: { ...own, ...headers },
          redirect: 'manual',
        });
        const text = await answer.text();
        const away = answer.status === 303 && answer.headers.get('location')?.startsWith('/sign-in');
        if ((!away && answer.status < 400) || text.includes(mall.name))
          let_in.push(`${method} ${path} ${answer.status}`);
      };
      // Each form of an address is tested with one of the headers, a different one each time; LONG=1: with all of them.
      const all = forms.flatMap((path, at) =>
        variants
          .filter((_one, of) => LONG || of === (at + Math.floor(at / 8)) % variants.length)
          .map((headers) => ['GET', path, headers] as const),
      );
      const WRITES = ['POST', 'PUT', 'PATCH', 'DELETE'] as const;
      const others = closed.flatMap((path, at) =>
        (['HEAD', 'OPTIONS', ...(LONG ? WRITES : [WRITES[at % WRITES.length] as string])] as const).map(
          (method) => [method, path, variants[2] as Record<string, string>] as const,
        ),
      );
      // The requests are sent one after the other, because one address may not send everything at once.
      for (const [method, path, headers] of all) await ask(method, path, headers);
      for (const [method, path, headers] of others.filter(([method]) => method === 'HEAD' || method === 'OPTIONS'))
        await ask(method, path, headers);
      for (const [method, path, headers] of others.filter(([method]) => method !== 'HEAD' && method !== 'OPTIONS')) {
        await ask(method, path, headers);
        // LONG=1 sends so many changes that without a pause they would be refused by the rate limit.
        if (LONG) await new Promise((resolve) => setTimeout(resolve, 20));
      }
      expect(let_in).toEqual([]);
      for (const path of ['/metrics', '/api/health?deep=1'])
        expect((await stage.send('GET', path, undefined, '')).status).toBe(403);
    });

    test('axe finds nothing on the pages of signing in, and none scrolls sideways', async ({ browser }) => {
      test.setTimeout(240_000);
      const page = await another(browser);
      const look = async (name: string, ready = () => settled(page)) => {
        await ready();
        await still(page);
        for (const width of [390, 1280]) {
          await page.setViewportSize({ width, height: 844 });
          if (LONG || width === 390) await isAccessible(page, `${name} at ${width}`);
          const scrolls = await page.evaluate(() => document.documentElement.scrollWidth > window.innerWidth);
          expect.soft(scrolls, `${name} at ${width}`).toBe(false);
        }
      };
      await page.goto(`${stage.origin}/sign-in`);
      await look('sign-in');
      const { users } = await stage.ask<{ users: { id: string; name: string }[] }>('GET', '/api/users');
      const vera = users.find(({ name }) => name === 'vera');
      const { link } = await stage.ask<{ link: { token: string } }>('POST', `/api/users/${vera?.id}/reset`);
      await page.goto(`${stage.origin}/welcome#${link.token}`);
      await expect(page.getByText('Set the password of vera')).toBeVisible();
      await look('welcome');
      await page.context().addCookies(toBrowser(stage, cookies.admin!));
      for (const place of ['/account', '/users']) {
        await page.goto(`${stage.origin}${place}`);
        await look(place);
      }
      await page.getByRole('button', { name: 'Add user' }).click();
      await page.getByRole('button', { name: 'Add grant' }).click();
      // A dialog hides the page below from screen readers.
      await look('add user', () => expect(page.getByRole('group', { name: 'Grants' })).toBeVisible());
      await page.context().close();
    });

    test('every page has a policy of its own: scripts by a nonce that no other answer has, no objects, no base', async () => {
      const nonces = new Set<string>();
      const paths = ['/', '/jobs', '/users', `/instances/${mall.id}/keys`, `/instances/${mall.id}/server`, '/nothing'];
      const asked = [
        ...['/sign-in', '/welcome'].map((path) => ({ path, cookie: '' })),
        ...paths.map((path) => ({ path, cookie: cookies.admin! })),
      ];
      for (const { path, cookie } of [...asked, ...asked]) {
        const answer = await fetch(`${stage.origin}${path}`, { headers: { cookie, accept: 'text/html' } });
        const policy = answer.headers.get('content-security-policy') ?? '';
        const directives = new Map(policy.split('; ').map((one) => [one.split(' ')[0], one.split(' ').slice(1)]));
        const [, nonce = ''] = /'nonce-([A-Za-z0-9+/]{22}==)'/.exec(policy) ?? [];
        expect([path, directives.get('script-src')]).toEqual([
          path,
          ["'self'", `'nonce-${nonce}'`, "'strict-dynamic'"],
        ]);
        for (const name of ['object-src', 'base-uri', 'frame-ancestors'])
          expect([path, name, directives.get(name)]).toEqual([path, name, ["'none'"]]);
        expect(directives.get('default-src')).toEqual(["'self'"]);
        nonces.add(nonce);
        const scripts = [...(await answer.text()).matchAll(/<script\b[^>]*>/g)].map(([tag]) => tag);
        expect(scripts.length, path).toBeGreaterThan(3);
        expect(
          scripts.filter((tag) => !tag.includes(`nonce="${nonce}"`)),
          path,
        ).toEqual([]);
      }
      expect(nonces.size).toBe(2 * asked.length);
      expect([...nonces]).not.toContain('');
    });

    test('a request for another protocol is refused and its socket closed, signed in or not', async () => {
      for (const path of ['/', '/sign-in', '/nothing', '/api/fleet', '/api/jobs/events', '/_next/hmr'])
        for (const cookie of ['', cookies.admin!]) {
          const head = `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1:${stage.port}\r\nCookie: ${cookie}\r\n`;
          const answer = await new Promise<string>((resolve) => {
            const socket = connect(stage.port, '127.0.0.1', () =>
              socket.write(`${head}Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n\r\n`),
            );
            let text = '';
            socket.on('data', (chunk) => {
              text += chunk;
            });
            socket.on('close', () => resolve(text));
            socket.setTimeout(5_000, () => socket.destroy(new Error('still open')));
            socket.on('error', (error) => resolve(String(error)));
          });
          expect(answer, path).toMatch(/^HTTP\/1\.1 400 .*"code":"bad_request"/s);
        }
    });

    test('too many wrong passwords, and nobody gets in from there for a while', async () => {
      const codes: string[] = [];
      for (let i = 0; i < 11; i++) {
        const answer = await stage.send('POST', '/api/session', { name: 'otto', password: 'wrong' }, '');
        codes.push((await answer.json()).error.code);
      }
      expect(codes.slice(-1)).toEqual(['too_often']);
      const right = await stage.send('POST', '/api/session', { name: 'otto', password: 'another long password' }, '');
      expect(right.status).toBe(429);
      expect(right.headers.get('set-cookie')).toBeNull();
    });
  });

function toBrowser(stage: Stage, cookie: string) {
  return cookie.split('; ').map((part) => {
    const [name = '', value = ''] = part.split('=');
    return { name, value, url: stage.origin };
  });
}

test('a single user is not asked, and told so', async ({ page, shared }) => {
  await page.goto(shared.stage.origin);
  await settled(page);
  await page.getByRole('button', { name: 'Account: Single user' }).click();
  await expect(page.getByText('Nobody signs in: whoever uses this machine is the administrator')).toBeVisible();
});
