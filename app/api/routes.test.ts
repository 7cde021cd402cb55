import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createJob } from '@/lib/jobs/create-job';
import { LOCAL_ADMIN } from '@/lib/model/actor';
import { closeStore } from '@/lib/store/open-store';
import { askApi, OWN_HEADERS as OWN } from '@/test/access/ask-api';
import { temporaryData } from '@/test/temporary-data';
import { ROUTES } from './routes';

/**
 * Calls every route. No Redis is needed; ids that do not exist are
 * enough to see which calls are let through.
 */
type Headers = Record<string, string>;

const PARTS: Record<string, string> = { id: 'nothere', k: 'YQ', report: 'overview', rule: 'N1', language: 'en' };
const all = ROUTES.map(({ method, path }) => `${method} ${path.replace(/\{(\w+)\}/g, (_, part) => PARTS[part]!)}`);
const changing = all.filter((name) => !name.startsWith('GET '));

const ask = (name: string, headers: Headers, body = '{}') => askApi(name, { headers, body });
const readCode = async (response: Response) => ((await response.json()) as { error: { code: string } }).error.code;

let data: ReturnType<typeof temporaryData>;
beforeAll(() => {
  data = temporaryData();
});
afterAll(() => data.remove());

it('there are as many routes as the interface has', () => {
  expect(all.length).toBeGreaterThan(100);
  expect(changing.length).toBeGreaterThan(50);
});

describe.each(all)('%s', (route) => {
  it('does not answer under a strange name', async () => {
    for (const host of ['evil.example', '127.0.0.1.evil.example:3000', '']) {
      const response = await ask(route, { ...OWN, host });
      expect([response.status, await readCode(response)]).toEqual([403, 'host_refused']);
    }
  });

  it('carries the closing headers, also on errors', async () => {
    const response = await ask(route, OWN, '[');
    await response.body?.cancel();
    expect(response.headers.get('x-content-type-options')).toBe('nosniff');
    expect(response.headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
    expect(response.headers.get('cache-control')).toContain('no-store');
    expect(response.headers.get('access-control-allow-origin')).toBeNull();
  });
});

describe.each(changing)('%s', (route) => {
  it('is refused without our origin, our header or JSON', async () => {
    const { origin: _, ...noOrigin } = OWN;
    const { 'x-colonnade': __, ...noHeader } = OWN;
    const cases: [Headers, string][] = [
      [noOrigin, 'origin_refused'],
      [{ ...OWN, origin: 'null' }, 'origin_refused'],
      [{ ...OWN, origin: 'https://evil.example' }, 'origin_refused'],
      [noHeader, 'origin_refused'],
      [{ ...OWN, 'content-type': 'text/plain' }, 'bad_request'],
      // This header once made Next skip its middleware; it must not make Colonnade skip any check.
      [{ ...noOrigin, 'x-middleware-subrequest': 'proxy:proxy:proxy:proxy:proxy' }, 'origin_refused'],
    ];
    for (const [headers, code] of cases) expect(await readCode(await ask(route, headers))).toBe(code);
  });

  it('passes the request filter with them', async () => {
    const response = await ask(route, OWN);
    // In an emergency nobody should have to look up a body: stopping everything needs none.
    // Ending the own session needs none either.
    if (/ \/api\/(panic|session)$/.test(route) && response.status === 200) return;
    if (route.endsWith(' /api/panic')) expect(response.status).toBe(200);
    else expect(['not_found', 'bad_request']).toContain(await readCode(response));
  });
});

it('a server whose data folder is broken answers with what to do, and is not healthy', async () => {
  await closeStore();
  process.env.COLONNADE_DATA = join(data.dir, 'colonnade.db', 'below-a-file');
  const broken = await ask('GET /api/fleet', OWN);
  expect([broken.status, await readCode(broken)]).toEqual([500, 'data_folder']);
  const deep = await ask('GET /api/health?deep=1', OWN);
  expect(deep.status).toBe(503);
  expect(await deep.json()).toMatchObject({ ok: false, store: { ok: false }, dataFolder: { ok: false } });
  expect((await ask('GET /api/health', OWN)).status).toBe(200);
  process.env.COLONNADE_DATA = data.dir;
});

it('the stream of all jobs tells what is open, then what changes', async () => {
  const job = await createJob(LOCAL_ADMIN, {
    kind: 'toy',
    instanceId: null,
    instanceName: null,
    speed: 'gentle',
    params: 1,
  });
  const response = await ask('GET /api/jobs/events', OWN);
  const reader = response
    .body!.pipeThrough(new TextDecoderStream() as never)
    .getReader() as ReadableStreamDefaultReader<string>;
  let text = '';
  const until = async (what: string) => {
    while (!text.includes(what)) {
      const { done, value } = await reader.read();
      if (done) throw new Error(`ended before ${what}: ${text}`);
      text += value;
    }
  };
  await until('"state":"queued"');
  expect((await ask(`POST /api/jobs/${job.id}/pause`, OWN)).status).toBe(200);
  await until('"state":"paused"');
  await reader.cancel();
  expect(text.match(/^event: job$/gm)).toHaveLength(2);
});

it('reading the metrics beyond loopback needs the token', async () => {
  const metrics = 'GET /metrics';
  expect(await (await ask(metrics, OWN)).text()).toContain('colonnade_instances 0');
  process.env.HOST = '0.0.0.0';
  try {
    expect((await ask(metrics, OWN)).status).toBe(403);
    process.env.COLONNADE_METRICS_TOKEN = 'token-of-sixteen-and-more';
    expect((await ask(metrics, { ...OWN, authorization: 'Bearer wrong' })).status).toBe(403);
    expect((await ask(metrics, { ...OWN, authorization: 'Bearer token-of-sixteen-and-more' })).status).toBe(200);
  } finally {
    delete process.env.HOST;
    delete process.env.COLONNADE_METRICS_TOKEN;
  }
});
