import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { RouteHandler } from '@/lib/http/handle';
import { createJob } from '@/lib/jobs/create-job';
import { LOCAL_ADMIN } from '@/lib/model/actor';
import { closeStore } from '@/lib/store/open-store';
import { ALL_ROUTES } from '@/test/access/all-routes';
import { temporaryData } from '@/test/temporary-data';

/**
 * Calls every route: a route without the common handler fails here. No Redis is needed; ids that do not exist are
 * enough to see which calls are let through.
 */
const HOST = '127.0.0.1:3000';
const OWN = { host: HOST, origin: `http://${HOST}`, 'content-type': 'application/json', 'x-colonnade': '1' };
type Headers = Record<string, string>;

const PARAMS = { id: 'nothere', k: 'YQ', report: 'overview' };

interface Found {
  name: string;
  method: string;
  path: string;
  handler: RouteHandler;
}
const found: Found[] = Object.entries(ALL_ROUTES).flatMap(([template, exported]) => {
  const path = template.replace(/\{(\w+)\}/g, (_, name) => PARAMS[name as 'id']);
  return Object.entries(exported).map(([method, handler]) => ({
    name: `${method} ${path}`,
    method,
    path,
    handler,
  }));
});
const all = found.map((route) => [route.name, route] as const);
const changing = all.filter(([, route]) => route.method !== 'GET');

async function ask({ method, path, handler }: Found, headers: Headers, body?: string) {
  const request = new Request(`http://${HOST}${path}`, { method, body: method === 'GET' ? null : (body ?? '{}') });
  Object.defineProperty(request, 'headers', { value: new Headers(headers) });
  const response = await handler(request, { params: Promise.resolve(PARAMS) });
  return response;
}
const codeOf = async (response: Response) => ((await response.json()) as { error: { code: string } }).error.code;

let data: ReturnType<typeof temporaryData>;
beforeAll(() => {
  data = temporaryData();
});
afterAll(() => data.remove());

it('there are as many routes as the interface has', () => {
  expect(found.length).toBeGreaterThanOrEqual(27);
  expect(changing.length).toBeGreaterThanOrEqual(9);
});

describe.each(all)('%s', (_name, route) => {
  it('does not answer under a strange name', async () => {
    for (const host of ['evil.example', '127.0.0.1.evil.example:3000', '']) {
      const response = await ask(route, { ...OWN, host });
      expect([response.status, await codeOf(response)]).toEqual([403, 'host_refused']);
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

describe.each(changing)('%s', (_name, route) => {
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
    for (const [headers, code] of cases) expect(await codeOf(await ask(route, headers))).toBe(code);
  });

  it('passes the request filter with them', async () => {
    const response = await ask(route, OWN);
    // In an emergency nobody should have to look up a body: stopping everything needs none.
    // Ending the own session needs none either.
    if (/ \/api\/(panic|session)$/.test(route.name) && response.status === 200) return;
    if (route.name.endsWith(' /api/panic')) expect(response.status).toBe(200);
    else expect(['not_found', 'bad_request']).toContain(await codeOf(response));
  });
});

it('a server whose data folder is broken answers with what to do, and is not healthy', async () => {
  const health = found.find((route) => route.name === 'GET /api/health') as Found;
  const fleet = found.find((route) => route.name === 'GET /api/fleet') as Found;
  await closeStore();
  process.env.COLONNADE_DATA = join(data.dir, 'colonnade.db', 'below-a-file');
  const broken = await ask(fleet, OWN);
  expect([broken.status, await codeOf(broken)]).toEqual([500, 'data_folder']);
  const deep = await ask({ ...health, path: '/api/health?deep=1' }, OWN);
  expect(deep.status).toBe(503);
  expect(await deep.json()).toMatchObject({ ok: false, store: { ok: false }, dataFolder: { ok: false } });
  expect((await ask(health, OWN)).status).toBe(200);
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
  const events = found.find((route) => route.name === 'GET /api/jobs/events') as Found;
  const pause = found.find((route) => route.name === 'POST /api/jobs/nothere/pause') as Found;
  const response = await ask(events, OWN);
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
  const request = new Request(`http://${HOST}/api/jobs/${job.id}/pause`, { method: 'POST', body: '{}' });
  Object.defineProperty(request, 'headers', { value: new Headers(OWN) });
  expect((await pause.handler(request, { params: Promise.resolve({ id: job.id }) })).status).toBe(200);
  await until('"state":"paused"');
  await reader.cancel();
  expect(text.match(/^event: job$/gm)).toHaveLength(2);
});

it('reading the metrics beyond loopback needs the token', async () => {
  const metrics = found.find((route) => route.name === 'GET /metrics') as Found;
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
