import { createServer, type Server } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { networkInterfaces } from 'node:os';
import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest';
import { ROUTE_TABLE, ROUTES } from '@/app/api/routes';
import { classifyUnrouted, RATES, RateLimit } from '@/lib/http/rate-limit';
import { installRequestFilter } from '@/lib/http/request-filter';

/**
 * Requests as raw bytes that no browser sends, which Next would answer by itself, without the proxy and without any
 * route.
 */
let server: Server;
let port: number;
const reached: string[] = [];
beforeAll(async () => {
  server = createServer((request, response) => {
    reached.push(`${request.method} ${request.url}`);
    response.setHeader('x-frame-options', 'SAMEORIGIN');
    response.setHeader('x-seen', String(request.headers['x-colonnade-address']));
    response.end('answered');
  });
  installRequestFilter(ROUTE_TABLE);
  await new Promise<void>((done) => server.listen(0, '0.0.0.0', done));
  port = (server.address() as AddressInfo).port;
});
afterAll(() => new Promise((done) => server.close(done)));
afterEach(() => {
  reached.length = 0;
  vi.unstubAllEnvs();
});

function raw(text: string, address = '127.0.0.1'): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, address, () => socket.end(text));
    let answer = '';
    socket.on('data', (chunk) => {
      answer += chunk;
    });
    socket.on('error', reject).on('close', () => resolve(answer));
  });
}
const ask = (line: string, host = `127.0.0.1:${port}`) =>
  raw(`${line} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`);

it.each([
  ['GET http://evil.example/api/fleet', 400],
  ['GET http://127.0.0.1/', 400],
  ['GET //evil.example/', 400],
  ['GET /\\evil.example/', 400],
  ['OPTIONS *', 400],
  ['TRACE /', 405],
  ['PROPFIND /', 405],
  ['GET /%E0%A4%A', 400],
  ['GET /api/fleet?x=%', 400],
  ['GET /_next/static/%zz', 400],
])('%s is refused before anybody behind sees it', async (line, status) => {
  const answer = await ask(line);
  expect(answer).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
  expect(answer.toLowerCase()).toContain('x-content-type-options: nosniff');
  expect(answer.toLowerCase()).toContain("content-security-policy: default-src 'none'");
  expect(reached).toEqual([]);
});

it.each(['/', '/_next/image?url=%2Ficon.svg&w=64&q=75', '/_next/static/x.js', '/api/fleet'])(
  '%s is answered under our names only, and never without the closing headers',
  async (path) => {
    expect(await ask(`GET ${path}`, 'evil.example')).toMatch(/^HTTP\/1\.1 403 .*host_refused/s);
    expect(reached).toEqual([]);
    const answer = await ask(`GET ${path}`);
    expect(answer).toMatch(/^HTTP\/1\.1 200 /);
    // Headers that a response sets itself stay.
    expect(answer).toMatch(/x-frame-options: SAMEORIGIN/i);
    expect(answer).toMatch(/referrer-policy: no-referrer/i);
    expect(reached).toEqual([`GET ${path}`]);
  },
);

it('a body that waits for 100-continue goes the same way', async () => {
  const head = `Host: evil.example\r\nExpect: 100-continue\r\nContent-Length: 2\r\nConnection: close\r\n\r\n`;
  expect(await raw(`POST /api/panic HTTP/1.1\r\n${head}`)).toContain('HTTP/1.1 403 ');
  expect(reached).toEqual([]);
});

/** Asks for another protocol; resolves when the socket is closed. `meet` runs in the client once it has a response. */
function upgraded(path: string, protocol: string, meet: (socket: Socket) => void): Promise<string> {
  const head = `Host: 127.0.0.1:${port}\r\nConnection: Upgrade\r\nUpgrade: ${protocol}\r\n`;
  const key = 'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n';
  return new Promise((resolve) => {
    const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true }, () =>
      socket.write(`GET ${path} HTTP/1.1\r\n${head}${key}\r\n`),
    );
    let answer = '';
    socket.on('data', (chunk) => {
      answer += chunk;
    });
    socket.on('error', () => {});
    socket.on('close', () => resolve(answer));
    socket.on('end', () => meet(socket));
  });
}

it.each(['/', '/sign-in', '/nothing', '/api/fleet', '/api/jobs/events', '/_next/hmr', 'http://evil.example/'])(
  'an upgrade at %s is refused, and its socket closed',
  async (path) => {
    vi.stubEnv('NODE_ENV', 'production');
    const asked: string[] = [];
    const seen = (request: { url?: string }) => void asked.push(request.url ?? '');
    // Next listens to `upgrade` too; without a listener Node ignores the header.
    server.on('upgrade', seen);
    // Fake timers never fire here, so the test shows that the socket is closed at once and not at the time limit.
    vi.useFakeTimers({ toFake: ['setTimeout'] });
    try {
      for (const protocol of ['websocket', 'h2c', 'x']) {
        const answer = await upgraded(path, protocol, (socket) => void socket.end());
        expect(answer).toMatch(/^HTTP\/1\.1 400 /);
        expect(answer).toContain("content-security-policy: default-src 'none'");
        expect(JSON.parse(answer.split('\r\n\r\n')[1]!)).toMatchObject({ error: { code: 'bad_request' } });
      }
      const sendsOn = (socket: Socket) => {
        const drip = setInterval(() => socket.write('x'), 5);
        socket.on('close', () => clearInterval(drip));
        vi.advanceTimersByTime(1_000);
      };
      expect(await upgraded(path, 'websocket', sendsOn)).toMatch(/^HTTP\/1\.1 400 /);
      expect(asked).toEqual([]);
      expect(reached).toEqual([]);
    } finally {
      vi.useRealTimers();
      server.off('upgrade', seen);
    }
  },
  60_000,
);

it('an address of another network is never let in without sign-in, whatever HOST says', async () => {
  const other = Object.values(networkInterfaces())
    .flatMap((all) => all ?? [])
    .find(({ internal, family }) => !internal && family === 'IPv4')?.address;
  // A machine without a network has no second address to test with.
  if (other === undefined) return;
  const get = () => raw(`GET / HTTP/1.1\r\nHost: localhost\r\nAccept: text/html\r\nConnection: close\r\n\r\n`, other);
  expect(await get()).toMatch(/^HTTP\/1\.1 403 .*COLONNADE_SINGLE_USER/s);
  vi.stubEnv('COLONNADE_SINGLE_USER', '');
  expect(await get()).toMatch(/^HTTP\/1\.1 303 .*location: \/sign-in\r/is);
  expect(reached).toEqual([]);
});

it('from where somebody comes says the socket, or the last word of a proxy that was trusted; never the client', async () => {
  const head =
    'Host: localhost\r\nX-Colonnade-Address: 1.1.1.1\r\nX-Forwarded-For: 2.2.2.2, 3.3.3.3\r\nConnection: close';
  const seen = async () => /x-seen: (.*)\r/i.exec(await raw(`GET / HTTP/1.1\r\n${head}\r\n\r\n`))?.[1];
  expect(await seen()).toMatch(/127\.0\.0\.1$/);
  vi.stubEnv('COLONNADE_TRUST_PROXY', '1');
  expect(await seen()).toBe('3.3.3.3');
});

it('whoever has not signed in gets to the pages of that, and no further, by no form of an address', async () => {
  vi.stubEnv('COLONNADE_SINGLE_USER', '');
  for (const path of [
    '/',
    '/api/fleet',
    '/sign-in/',
    '/sign-in/x',
    '/sign-in%2f..%2fjobs',
    '/_next/static/../../api/fleet',
  ])
    expect(await ask(`GET ${path}`)).toMatch(/^HTTP\/1\.1 401 .*sign_in_needed/s);
  for (const path of ['/_next/static/%2e%2e/x.js', '/_next/image?url=x', '/_next/data/x/index.json', '/index.rsc'])
    expect(await ask(`HEAD ${path}`)).toMatch(/^HTTP\/1\.1 401 /);
  expect(reached).toEqual([]);
  for (const path of ['/sign-in?next=/jobs', '/welcome', '/api/health', '/_next/static/chunks/a-1.js', '/icon.svg'])
    expect(await ask(`GET ${path}`)).toMatch(/^HTTP\/1\.1 200 /);
});

it('one address that changes things in a loop is told to wait, and reads of others go on', async () => {
  const change = `POST /api/instances HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0\r\n`;
  const many = `${`${change}\r\n`.repeat(RATES.change.burst + 50)}${change}Connection: close\r\n\r\n`;
  const answer = await raw(many);
  expect(answer).toMatch(/HTTP\/1\.1 429 .*retry-after: \d+/is);
  expect(reached.length).toBeGreaterThanOrEqual(RATES.change.burst);
  expect(reached.length).toBeLessThan(RATES.change.burst + 51);
  expect(await ask('GET /api/fleet')).toMatch(/^HTTP\/1\.1 200 /);
  // The limit does not block the emergency stop either.
  expect(await ask('POST /api/panic')).toMatch(/^HTTP\/1\.1 200 /);
});

it('behind a trusted proxy one that floods is counted apart from the others', async () => {
  vi.stubEnv('COLONNADE_TRUST_PROXY', '1');
  const post = (from: string) => `POST /api/instances HTTP/1.1\r\nHost: localhost\r\nX-Forwarded-For: ${from}\r\n`;
  const flood = `${post('203.0.113.7:1')}Content-Length: 0\r\n\r\n`.repeat(RATES.change.burst + 50);
  expect(await raw(`${flood}${post('203.0.113.7')}Connection: close\r\n\r\n`)).toContain('HTTP/1.1 429 ');
  expect(await raw(`${post('203.0.113.8')}Connection: close\r\n\r\n`)).toMatch(/^HTTP\/1\.1 200 /);
});

it('whoever never ceases to ask is still let in as often as the bucket fills', () => {
  const limit = new RateLimit();
  for (let i = 0; i < RATES.change.burst; i++) expect(limit.take('10.0.0.1', 'change', 0)).toBe(0);
  let admitted = 0;
  for (let now = 50; now <= 10_000; now += 50) if (limit.take('10.0.0.1', 'change', now) === 0) admitted++;
  expect(admitted).toBe(10 * RATES.change.perSecond);
});

it('remembers few addresses, and lets each in again in time', () => {
  const limit = new RateLimit();
  for (let i = 0; i < 100_000; i++) limit.take(`10.${i >> 16}.${(i >> 8) & 255}.${i & 255}`, 'read', i);
  expect(limit.size).toBeLessThanOrEqual(40_000);
  for (let i = 0; i < RATES.costly.burst; i++) expect(limit.take('2001:db8:1:2::1', 'costly', 0)).toBe(0);
  // The next address of the same network counts as the same client.
  expect(limit.take('2001:db8:1:2:ffff::9', 'costly', 0)).toBeGreaterThan(0);
  expect(limit.take('2001:db8:1:3::1', 'costly', 0)).toBe(0);
  expect(limit.take('2001:db8:1:2::1', 'costly', 10_000)).toBe(0);
});

it.each([
  ['GET', '/api/instances/x/keys/YQ', 'costly'],
  ['HEAD', '/api/instances/x/keys/YQ', 'costly'],
  ['POST', '/api/instances/test', 'costly'],
  ['GET', '/api/snapshots/x/keys', 'costly'],
  ['DELETE', '/api/panic', 'stop'],
  ['POST', '/api/panic/', 'stop'],
  ['POST', '/api/deletions/x/panic', 'stop'],
  ['PATCH', '/api/instances/x', 'change'],
  ['GET', '/api/fleet', 'read'],
  ['GET', '/metrics', 'read'],
  ['GET', '/api/nothing', 'read'],
  ['PUT', '/api/fleet', 'change'],
  ['GET', '/instances', null],
])('%s %s counts as %s', (method, path, kind) => {
  const rate = ROUTE_TABLE.find(path)?.methods.get(method)?.rate;
  expect(rate ?? classifyUnrouted(method, path)).toBe(kind);
});

it('costly is what asks other servers, reads every row, or parses what people send', () => {
  const of = (kind: string) =>
    ROUTES.filter(({ rate }) => rate === kind).map(({ method, path }) => `${method} ${path}`);
  expect(of('costly').toSorted()).toEqual([
    'GET /api/instances/{id}/audit',
    'GET /api/instances/{id}/keys/{k}',
    'GET /api/instances/{id}/leftovers',
    'GET /api/instances/{id}/server',
    'GET /api/snapshots/{id}/compare/keys',
    'GET /api/snapshots/{id}/html-report',
    'GET /api/snapshots/{id}/keys',
    'POST /api/channels/{id}/test',
    'POST /api/instances/import',
    'POST /api/instances/import/row',
    'POST /api/instances/test',
    'POST /api/instances/{id}/keys/{k}/value',
    'POST /api/instances/{id}/leftovers',
    'POST /api/profiles/check',
    'POST /api/profiles/import',
  ]);
  expect(of('stop')).toHaveLength(4);
});

it('what is costly stays costly under another spelling of its address', async () => {
  const paths = ['/api/./instances/x/server', '/api/y/../instances/x/server', '/api/y/%2e%2e/instances/x/server'];
  const get = (path: string) => `GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`;
  expect(
    await raw(
      paths
        .map(get)
        .join('')
        .repeat(RATES.costly.burst / 2),
    ),
  ).toContain('HTTP/1.1 429 ');
});
