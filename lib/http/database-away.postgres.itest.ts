import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { closeStore, getDb } from '@/lib/store/open-store';
import { TestPostgres } from '@/test/servers/postgres';
import { temporaryData } from '@/test/temporary-data';
import { buildCookieName } from './access/session-cookie';
import { installRequestFilter } from './request-filter';
import { buildRouteTable } from './route-table';
import { RETRY_SECONDS } from './unavailable-page';

let data: ReturnType<typeof temporaryData>;
let own: TestPostgres;
let server: Server;
let origin: string;
beforeEach(async () => {
  data = temporaryData();
  own = await TestPostgres.start();
  vi.stubEnv('COLONNADE_SINGLE_USER', '');
  vi.stubEnv('COLONNADE_DATABASE_URL', own.url);
  server = createServer((_request, response) => response.end('answered'));
  installRequestFilter(buildRouteTable([]));
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterEach(async () => {
  server.closeAllConnections();
  await new Promise((done) => server.close(done));
  await closeStore();
  vi.unstubAllEnvs();
  await data.remove();
  await own.stop();
});

const ask = (path: string, headers: Record<string, string>, method = 'GET') =>
  fetch(origin + path, {
    method,
    redirect: 'manual',
    headers: { cookie: `${buildCookieName(false)}=${'a'.repeat(43)}`, ...headers },
  });
const PAGE = { accept: 'text/html,application/xhtml+xml' };

it('says in words that nobody can be recognised, asks for the page again, and leads on when the database is back', async () => {
  await getDb(undefined);
  expect((await ask('/', PAGE)).status).toBe(303);
  await own.kill();
  const page = await ask('/instances/1?x=1', { ...PAGE, 'accept-language': 'zh-CN,zh;q=0.9,en;q=0.8' });
  expect(page.status).toBe(503);
  expect(page.headers.get('content-type')).toContain('text/html');
  expect(page.headers.get('retry-after')).toBe(String(RETRY_SECONDS));
  expect(page.headers.get('refresh')).toBe(String(RETRY_SECONDS));
  expect(page.headers.get('cache-control')).toBe('no-store');
  expect(page.headers.get('content-security-policy')).toMatch(/default-src 'none'; style-src 'sha256-[\w+/]+=*'/);
  const html = await page.text();
  expect(html.indexOf('lang="zh-CN"')).toBeLessThan(html.indexOf('lang="en"'));
  expect(html).toContain('cannot use its control database');
  expect(html).not.toContain(String(own.port));
  expect((await (await ask('/', PAGE)).text()).slice(0, 40)).toContain('lang="en"');
  const head = await ask('/', PAGE, 'HEAD');
  expect([head.status, await head.text()]).toEqual([503, '']);
  // Programs and scripts get the error as JSON.
  for (const [path, headers] of [
    ['/api/instances', PAGE],
    ['/', { accept: '*/*' }],
    ['/', { ...PAGE, rsc: '1' }],
  ] as const) {
    const answer = await ask(path, headers);
    expect(answer.status).toBe(503);
    expect(await answer.json()).toMatchObject({ error: { code: 'database_unreachable' } });
  }
  await own.restart();
  await expect.poll(async () => (await ask('/', PAGE)).status, { timeout: 60_000 }).toBe(303);
});
