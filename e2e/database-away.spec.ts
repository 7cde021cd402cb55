import type { Page } from '@playwright/test';
import { seedStandalone } from '../scripts/seed/seed.mjs';
import { LONG } from '../test/long-form.mjs';
import { TestPostgres } from '../test/servers/postgres';
import { sleep, until } from '../test/servers/process';
import { type RedisServer, startRedis } from '../test/servers/redis';
import { expect, registerAndScan, type Scanned, test } from './fixtures';
import { settled } from './settled';
import { Stage } from './stage';

/** PostgreSQL is killed while a server serves pages, and returns: tests what pages and programs are answered. */
const PASSWORD = 'correct horse battery';
const NOBODY_KNOWN = 'Colonnade cannot use its control database';
const AWAY = 'The control database cannot be reached';
const HTML = { accept: 'text/html,application/xhtml+xml' };

let postgres: TestPostgres;
let redis: RedisServer;
let first: Stage;
let web: Stage;
let mall: Scanned;

const at = (path: string) => `/instances/${mall.id}${path}`;
const pages = () => [
  ...['/', '/jobs', '/profiles', '/audit', '/users', '/account'],
  ...['', '/tree', '/bigkeys', '/findings', '/policy', '/server', '/deletions', '/edit'].map(at),
];
const routes = () => [
  ...['/api/fleet', '/api/instances', '/api/jobs', '/api/profiles', '/api/users', '/api/audit-log', '/api/session'],
  ...['', '/policy', '/snapshots', '/reports/overview'].map((path) => `/api/instances/${mall.id}${path}`),
  ...['', '/reports/bigkeys', '/reports/findings'].map((path) => `/api/snapshots/${mall.snapshotId}${path}`),
];

test.beforeAll(async () => {
  [postgres, redis] = await Promise.all([TestPostgres.start(), startRedis()]);
  const COLONNADE_DATABASE_URL = postgres.url;
  await seedStandalone(redis.port, { keys: 2000 });
  // Runs the scan, and has ended before the web-only servers are tested.
  first = await Stage.open({ COLONNADE_DATABASE_URL, COLONNADE_SINGLE_USER: '' });
  const token = /welcome#(\S+)/.exec(first.output)?.[1] ?? '';
  const answer = await first.send('POST', '/api/welcome', { token, name: 'ada', password: PASSWORD }, '');
  first.cookie = answer.headers
    .getSetCookie()
    .map((one) => one.split(';', 1)[0])
    .join('; ');
  const endpoints = [{ host: '127.0.0.1', port: redis.port }];
  mall = await registerAndScan(first, { name: 'mall', topology: 'standalone', endpoints });
  // The worker checks the rules after the scan; the servers that are tested have none.
  await first.ask('GET', `/api/snapshots/${mall.snapshotId}/reports/findings`);
  await first.end('SIGTERM');
});
test.afterEach(async () => {
  await web.close();
  // Wherever a test has ended, the database runs again for the next one.
  await postgres.kill();
  await postgres.restart();
});
test.afterAll(async () => {
  await first?.close();
  await redis?.stop();
  await postgres?.stop();
});

async function openWeb(singleUser: '' | '1'): Promise<void> {
  web = await Stage.open({
    COLONNADE_DATABASE_URL: postgres.url,
    COLONNADE_DATA: first.folder,
    COLONNADE_ROLE: 'web',
    COLONNADE_SINGLE_USER: singleUser,
  });
  // The cookie is named after the port of its server; the session is in the database that both servers use.
  web.cookie = singleUser === '' ? first.cookie.replace(`_${first.port}=`, `_${web.port}=`) : '';
}

interface Answer {
  path: string;
  status: number;
  text: string;
}
/** Returns the response within a time limit; without any response it has no status. */
async function fetchAnswer(path: string): Promise<Answer> {
  const headers: Record<string, string> = { cookie: web.cookie, ...(path.startsWith('/api/') ? {} : HTML) };
  try {
    const signal = AbortSignal.timeout(30_000);
    const response = await fetch(web.origin + path, { headers, redirect: 'manual', signal });
    return { path, status: response.status, text: await response.text() };
  } catch (error) {
    return { path, status: 0, text: String(error) };
  }
}

/** Returns why a response is useless for its reader; null: it is an answer, or explains why it is none. */
function objection({ path, status, text }: Answer): string | null {
  const what = `${path}: ${status} ${text.slice(0, 200)}`;
  if (status !== 200 && status !== 503) return what;
  if (path.startsWith('/api/')) {
    const { error } = JSON.parse(text) as { error?: { code: string; message: string } };
    const says = error?.code === 'database_unreachable' && error.message.includes('database');
    return status === 200 || says ? null : what;
  }
  const body = text.slice(text.indexOf('<body')).replace(/<script.*?<\/script>|<style.*?<\/style>/gs, '');
  const isRead = body.replace(/<[^>]+>/g, ' ').trim().length > 40;
  return isRead && (status === 200 || body.includes(NOBODY_KNOWN)) ? null : what;
}

/** Requests all pages and routes again and again, until it is stopped. */
function askAllTheTime(): { count(): number; stop(): Promise<Answer[]> } {
  const answers: Answer[] = [];
  let stopped = false;
  const askers = [pages(), routes()].map(async (paths) => {
    for (let turn = 0; !stopped; turn++) {
      answers.push(await fetchAnswer(paths[turn % paths.length] ?? '/'));
      await sleep(20);
    }
  });
  return {
    count: () => answers.length,
    async stop() {
      stopped = true;
      await Promise.all(askers);
      return answers;
    },
  };
}

/** Leaves the page before its server ends, which would cut the page's event stream. */
const leave = (page: Page) => page.goto('about:blank');

async function signIn(page: Page): Promise<void> {
  const cookies = web.cookie.split('; ').map((part) => {
    const [name = '', value = ''] = part.split('=');
    return { name, value, url: web.origin };
  });
  await page.context().addCookies(cookies);
}

test('every page and route says in words that the database is away, and goes on when it is back', async ({
  page,
  tolerate,
}) => {
  test.setTimeout(300_000);
  tolerate(/503/);
  await openWeb('');
  await signIn(page);
  await page.goto(`${web.origin}/jobs`);
  await settled(page);
  for (const path of [...pages(), ...routes()]) expect((await fetchAnswer(path)).status, path).toBe(200);

  const asking = askAllTheTime();
  await until('some answers', async () => asking.count() > 20);
  await postgres.kill();
  // An open page keeps its content.
  await expect(page.getByRole('heading', { level: 1 })).toContainText('Jobs');
  for (const path of pages()) {
    const answer = await fetchAnswer(path);
    expect(answer.status, path).toBe(503);
    for (const words of [NOBODY_KNOWN, '无法使用控制数据库']) expect(answer.text, path).toContain(words);
  }
  for (const path of routes()) {
    const answer = await fetchAnswer(path);
    expect(answer.status, path).toBe(503);
    expect(JSON.parse(answer.text), path).toMatchObject({ error: { code: 'database_unreachable' } });
  }
  await page.goto(`${web.origin}${at('/findings')}`);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(NOBODY_KNOWN);

  await postgres.restart();
  // Without any input the page requests its data again.
  await expect(page.getByRole('heading', { level: 1 })).toContainText('Findings', { timeout: 60_000 });
  await settled(page);
  await expect(page.getByText(AWAY)).toHaveCount(0);
  await until('all to answer', async () => {
    for (const path of [...pages(), ...routes()]) if ((await fetchAnswer(path)).status !== 200) return false;
    return true;
  });
  const answers = await asking.stop();
  expect(answers.map(objection).filter((one) => one !== null)).toEqual([]);
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 503]));
  const endpoints = [{ host: '127.0.0.1', port: redis.port }];
  const added = await web.send('POST', '/api/instances', { name: 'after', topology: 'standalone', endpoints });
  expect(added.status).toBe(201);
  await leave(page);
});

if (LONG)
  test('where nobody signs in the pages themselves say it, none is blank, and each goes on', async ({
    page,
    tolerate,
  }) => {
    test.setTimeout(300_000);
    tolerate(/503/);
    await openWeb('1');
    const shown = pages().filter((path) => path !== '/account');
    await page.goto(web.origin);
    await settled(page);
    await postgres.kill();
    for (const path of shown) {
      const response = await page.goto(web.origin + path);
      expect(response?.status(), path).toBe(200);
      await expect(page.getByRole('main').getByText(AWAY).first(), path).toBeVisible();
    }
    for (const path of routes()) expect(objection(await fetchAnswer(path)), path).toBeNull();

    await postgres.restart();
    await until('the fleet', async () => (await fetchAnswer('/api/fleet')).status === 200);
    await page.getByRole('main').getByRole('button', { name: 'Try again' }).first().click();
    await settled(page);
    for (const path of shown) {
      await page.goto(web.origin + path);
      await settled(page);
      await expect(page.getByText(AWAY), path).toHaveCount(0);
    }
    await leave(page);
  });
