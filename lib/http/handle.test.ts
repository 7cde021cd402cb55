import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { AppError, ERROR_STATUS, type ErrorCode } from '@/lib/model/errors';
import { log } from '@/lib/runtime/log';
import { handle } from './handle';

const DESCRIBED = { summary: 'A route of the test.', answer: 'What it is asked for.' };

const HOST = '127.0.0.1:3000';
const ORIGIN = `http://${HOST}`;
const OWN = { host: HOST, origin: ORIGIN, 'content-type': 'application/json', 'x-colonnade': '1' };
type Headers = Record<string, string | undefined>;

const route = handle('GET /api/x/{id}', {
  ...DESCRIBED,
  query: z.object({ n: z.coerce.number().optional() }),
  act: ({ actor, id, query }) => ({
    id,
    n: query.n ?? null,
    role: actor.role,
    big: 12345678901234567890n,
    small: 7n,
  }),
});
const acted: unknown[] = [];
const change = handle('POST /api/x', {
  ...DESCRIBED,
  body: z.object({ name: z.string().max(10) }),
  act: ({ body }) => {
    acted.push(body);
    return { ok: true };
  },
});

const failingWith = (error: Error) =>
  handle('GET /api/x', {
    ...DESCRIBED,
    act: () => {
      throw error;
    },
  });

function request(method: string, headers: Headers, body?: BodyInit, path = '/api/x'): Request {
  const set = Object.entries(headers).filter((entry): entry is [string, string] => entry[1] !== undefined);
  const made = new Request(`http://${HOST}${path}`, { method, body: body ?? null, duplex: 'half' } as RequestInit);
  // The constructor drops forbidden names such as Host; a server's request has them.
  Object.defineProperty(made, 'headers', { value: new Headers(set) });
  return made;
}
async function answer(response: Promise<Response>) {
  const got = await response;
  return { status: got.status, body: await got.json(), headers: got.headers };
}
const post = (headers: Headers, body: BodyInit = '{"name":"a"}') =>
  answer(change.answer(request('POST', headers, body)));

beforeEach(() => {
  acted.length = 0;
});
afterEach(() => vi.unstubAllEnvs());

describe('handle', () => {
  it('answers with JSON, BigInt included, and closed headers', async () => {
    const got = await answer(route.answer(request('GET', { host: HOST }, undefined, '/api/x?n=3'), ['abc']));
    expect(got).toMatchObject({
      status: 200,
      body: { id: 'abc', n: 3, role: 'admin', big: '12345678901234567890', small: 7 },
    });
    expect(got.headers.get('x-content-type-options')).toBe('nosniff');
    expect(got.headers.get('referrer-policy')).toBe('no-referrer');
    expect(got.headers.get('cache-control')).toBe('no-store');
    expect(got.headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
  });

  it('does not find a path that does not fit, and names a query that does not', async () => {
    const bad = await answer(route.answer(request('GET', { host: HOST }), ['../x']));
    expect(bad).toMatchObject({ status: 404, body: { error: { code: 'not_found' } } });
    const query = await answer(route.answer(request('GET', { host: HOST }, undefined, '/api/x?n=q'), ['a']));
    expect(query).toMatchObject({ status: 400, body: { error: { code: 'bad_request' } } });
    expect(query.body.error.details.issues[0]).toMatch(/^n: /);
  });

  it.each(Object.entries(ERROR_STATUS))('%s becomes %i', async (code, status) => {
    const failing = failingWith(new AppError(code as ErrorCode, 'told', { host: 'h' }));
    const got = await answer(failing.answer(request('GET', { host: HOST })));
    expect(got).toMatchObject({ status, body: { error: { code, message: 'told', details: { host: 'h' } } } });
  });

  it('shows an unknown error blank', async () => {
    const failing = failingWith(new Error('connect to redis://:hunter2@db failed'));
    const got = await answer(failing.answer(request('GET', { host: HOST })));
    expect(got).toMatchObject({ status: 500, body: { error: { code: 'internal' } } });
    expect(JSON.stringify(got.body)).not.toContain('hunter2');
  });
});

describe('the log', () => {
  const logged = async (error: Error) => {
    const spy = vi.spyOn(log(), 'error').mockImplementation(() => {});
    const failing = failingWith(error);
    await answer(failing.answer(request('GET', { host: HOST })));
    const calls = spy.mock.calls.map(([fields]) => (fields as unknown as { err: unknown }).err);
    spy.mockRestore();
    return calls;
  };

  it('has every failure of our own whole, known or not, and none that the asker can mend', async () => {
    const known = new AppError('snapshot_unreadable', 'told', {}, { cause: new Error('IO Error: no such file') });
    expect(await logged(known)).toEqual([known]);
    const unknown = new Error('boom');
    expect(await logged(unknown)).toEqual([unknown]);
    expect(await logged(new AppError('bad_request', 'told'))).toEqual([]);
  });
});

describe('who may ask', () => {
  it.each(['127.0.0.1:3000', '127.0.0.1', 'localhost:8080', 'LOCALHOST', '[::1]:3000', '[::1]'])(
    'knows itself as %s',
    async (host) => {
      expect((await answer(route.answer(request('GET', { host }), ['a']))).status).toBe(200);
    },
  );

  it.each([
    'evil.example',
    '127.0.0.1.evil.example',
    'localhost.evil.example',
    'evil.example:3000',
    'localhost@evil.example',
    '169.254.169.254',
    '0.0.0.0:3000',
    'localhost.',
    '',
    undefined,
  ])('refuses to be called %s, also for reading', async (host) => {
    const got = await answer(route.answer(request('GET', { host }), ['a']));
    expect(got).toMatchObject({ status: 403, body: { error: { code: 'host_refused' } } });
  });

  it.each([
    ['cross-site', 403],
    ['same-site', 403],
    ['same-origin', 200],
    ['none', 200],
  ])('answers a question from %s with %i, also when it only reads', async (site, status) => {
    const headers = { host: '127.0.0.1:3000', 'sec-fetch-site': site };
    expect((await answer(route.answer(request('GET', headers), ['a']))).status).toBe(status);
  });

  it('knows the names it was given', async () => {
    vi.stubEnv('COLONNADE_HOSTS', 'colonnade.example.com, other:8443');
    vi.stubEnv('HOST', '10.1.2.3');
    for (const host of ['colonnade.example.com', 'Colonnade.Example.com:443', 'other', '10.1.2.3:3000'])
      expect((await answer(route.answer(request('GET', { host }), ['a']))).status, host).toBe(200);
  });
});

describe('who may change', () => {
  it('our own page', async () => {
    expect((await post(OWN)).status).toBe(200);
    expect(acted).toEqual([{ name: 'a' }]);
  });

  it.each([
    ['no origin', { origin: undefined }],
    ['origin null', { origin: 'null' }],
    ['a foreign origin', { origin: 'http://evil.example' }],
    ['the same host on another port', { origin: 'http://127.0.0.1:3001' }],
    ['another name of this machine', { origin: 'http://localhost:3000' }],
    ['an origin that begins like ours', { origin: `${ORIGIN}.evil.example` }],
    ['another scheme', { origin: `ftp://${HOST}` }],
    ['no own header', { 'x-colonnade': undefined }],
    ['another own header', { 'x-colonnade': '0' }],
  ])('not %s', async (_what, headers) => {
    const got = await post({ ...OWN, ...headers });
    expect(got).toMatchObject({ status: 403, body: { error: { code: 'origin_refused' } } });
    expect(acted).toEqual([]);
  });

  it.each(['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x', undefined])(
    'not as %s',
    async (type) => {
      expect(await post({ ...OWN, 'content-type': type })).toMatchObject({ status: 400 });
      expect(acted).toEqual([]);
    },
  );

  it('the configured origin, and then no other name of a proxy', async () => {
    const proxied = { ...OWN, host: 'c.example.com', origin: 'https://c.example.com' };
    vi.stubEnv('COLONNADE_HOSTS', 'c.example.com');
    expect((await post(proxied)).status).toBe(200);
    vi.stubEnv('COLONNADE_ORIGIN', 'https://c.example.com');
    expect((await post(proxied)).status).toBe(200);
    expect((await post({ ...proxied, host: '127.0.0.1:3000' })).status).toBe(200);
    // A page without TLS can be changed on the network, but not between programs of this machine.
    expect((await post({ ...proxied, origin: 'http://c.example.com' })).status).toBe(403);
    expect((await post(OWN)).status).toBe(200);
    vi.stubEnv('COLONNADE_ORIGIN', 'https://d.example.com');
    expect((await post(proxied)).status).toBe(403);
  });
});

describe('bodies', () => {
  it('are at most 1 MB, whether announced or not', async () => {
    const big = JSON.stringify({ name: 'x'.repeat(1024 * 1024) });
    expect((await post({ ...OWN, 'content-length': String(big.length) }, big)).body.error.code).toBe('too_large');
    expect(await post(OWN, big)).toMatchObject({ status: 413 });
    const endless = new ReadableStream({
      pull(controller) {
        controller.enqueue(new Uint8Array(65_536).fill(32));
      },
    });
    expect((await post(OWN, endless)).status).toBe(413);
  });

  it.each([
    ['depth', '['.repeat(100_000)],
    ['depth in objects', '{"a":'.repeat(1000)],
    ['a prototype', '{"name":"a","__proto__":{"admin":true}}'],
    ['a hidden prototype', '{"name":"a","x":{"\\u005f_proto__":1}}'],
    ['half of it', '{"name":"a"'],
    ['no JSON', 'name=a'],
    ['broken UTF-8', Buffer.from([0x22, 0xff, 0x22])],
    ['another shape', '{"name":5}'],
    ['nothing', ''],
  ])('with %s are refused', async (_what, body) => {
    const got = await post(OWN, body);
    expect(got).toMatchObject({ status: 400, body: { error: { code: 'bad_request' } } });
    expect(acted).toEqual([]);
    expect(({} as Record<string, unknown>).admin).toBeUndefined();
  });

  it('with brackets inside texts are fine', async () => {
    const nested = handle('POST /api/x', {
      ...DESCRIBED,
      body: z.object({ name: z.string() }),
      act: ({ body }) => body,
    });
    const name = `${'['.repeat(200)}\\"{"`;
    const got = await answer(nested.answer(request('POST', OWN, JSON.stringify({ name }))));
    expect(got.body).toEqual({ name });
  });

  it('are never repeated in the complaint', async () => {
    const got = await post(OWN, JSON.stringify({ name: 'hunter2-and-much-longer' }));
    expect(got.status).toBe(400);
    expect(JSON.stringify(got.body)).not.toContain('hunter2');
  });
});
