import { mkdtempSync, writeFileSync } from 'node:fs';
import { createServer, type RequestListener, type Server } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { LONG } from '@/test/long-form.mjs';
import { runCommand } from '@/test/servers/command';
import { makeCertificates } from '@/test/servers/tls';
import { EXCHANGE_LIMITS, exchange, NotAnswered } from './exchange';

/**
 * A server that is not Colonnade: the command ends with one sentence and code 3, and the token is neither printed nor
 * sent elsewhere.
 */
const TOKEN = `colonnade_${'Zq9-'.repeat(10)}abc`;
const servers: Server[] = [];
const limits = { ...EXCHANGE_LIMITS };
afterEach(() => {
  Object.assign(EXCHANGE_LIMITS, limits);
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});
async function listening(server: Server): Promise<number> {
  servers.push(server);
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return (server.address() as AddressInfo).port;
}
const answering = async (listener: RequestListener) => `http://127.0.0.1:${await listening(createServer(listener))}`;
const ask = (server: string, env: Record<string, string> = {}, args = ['instances']) =>
  runCommand([...args, '--server', server], { COLONNADE_TOKEN: TOKEN, ...env });
const json =
  (value: unknown, status = 200): RequestListener =>
  (_request, response) => {
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value));
  };

it.each<[string, RequestListener, RegExp]>([
  [
    'a page',
    (_q, r) => r.writeHead(200, { 'content-type': 'text/html' }).end('<h1>It works'),
    /not answer as a Colonnade.*text\/html/,
  ],
  [
    'a page of errors',
    (_q, r) => r.writeHead(404, { 'content-type': 'text/html' }).end('<h1>no'),
    /not answer as a Colonnade.*404/,
  ],
  ['other JSON', json({ hello: 'world' }), /JSON is of another program/],
  ['null', json(null), /JSON is of another program/],
  ['errors that are none', json({ error: 'no' }, 400), /not answer as a Colonnade/],
  [
    'an id that leads elsewhere',
    json({
      instances: [{ id: '../../x', name: 'x', topology: '', endpoints: [], environment: '', production: false }],
    }),
    /JSON is of another program/,
  ],
  ['no HTTP', (q) => q.socket.end('+PONG\r\n'), /does not answer in HTTP/],
  [
    'a cut answer',
    (_q, r) => {
      r.writeHead(200, { 'content-length': '100' }).write('{');
      setTimeout(() => r.destroy(), 50);
    },
    /broke off/,
  ],
])('%s ends with 3 and one sentence', async (_what, listener, sentence) => {
  const { code, out, err } = await ask(await answering(listener));
  expect([code, out, err]).toEqual([3, '', expect.stringMatching(sentence)]);
  expect(err.trimEnd().split('\n')).toHaveLength(1);
});

it('says that it does not know where it is interrupted before it was answered', async () => {
  let asked = false;
  const shop = { id: 'shop', name: 'shop', topology: '', endpoints: [], environment: '', production: false };
  const silent = await answering((request, response) => {
    if (request.method === 'POST') asked = true;
    else json({ instances: [shop] })(request, response);
  });
  const env = { COLONNADE_TOKEN: TOKEN };
  expect(await runCommand(['scan', 'shop', '--server', silent], env, () => asked)).toEqual({
    code: 4,
    out: '',
    err: expect.stringContaining('Whether the scan was started is not known'),
  });
});

it('follows no redirect, so that the token goes nowhere else', async () => {
  const seen: unknown[] = [];
  const other = await answering((request, response) => {
    seen.push(request.headers.authorization);
    response.end('{}');
  });
  for (const status of LONG ? [301, 302, 307, 308] : [302, 307]) {
    const here = await answering((_q, r) => r.writeHead(status, { location: `${other}/api/instances` }).end());
    expect(await ask(here)).toMatchObject({ code: 3, err: expect.stringContaining(`redirects to ${other}`) });
  }
  expect(seen).toEqual([]);
});

it('an endless answer and a slow one end, with their sockets', async () => {
  EXCHANGE_LIMITS.bytes = 1024 * 1024;
  let sent = 0;
  let closed = 0;
  const origin = await answering((request, response) => {
    response.on('close', () => closed++);
    response.writeHead(200, { 'content-type': 'application/json' });
    if (request.url === '/slow') return void setInterval(() => response.write(' '), 50).unref();
    const more = () => {
      if (response.destroyed) return;
      sent += 65_536;
      response.write(' '.repeat(65_536), more);
    };
    more();
  });
  const access = { origin: new URL(origin), token: null };
  await expect(exchange(access, { method: 'GET', path: '/' })).rejects.toThrow(/more than 1 MiB/);
  const slow = exchange(access, { method: 'GET', path: '/slow', ms: 400 });
  await expect(slow).rejects.toThrow(NotAnswered);
  await expect(slow).rejects.toThrow(/within 0.4 seconds/);
  await expect.poll(() => closed).toBe(2);
  expect(sent).toBeLessThan(50 * 1024 * 1024);
});

it('shows neither the token nor what a terminal would obey', async () => {
  const echo: RequestListener = (request, response) =>
    json({ error: { code: 'forbidden', message: `\u001b[2J${request.headers.authorization}` } }, 403)(
      request,
      response,
    );
  const refused = await ask(await answering(echo));
  expect(refused).toMatchObject({ code: 3, err: 'colonnade: \\u001b[2JBearer ***\n' });
  const instance = {
    id: 'a',
    name: '\u001b[2Jx\u202e',
    topology: 't',
    endpoints: [],
    environment: '',
    production: true,
  };
  const listed = await ask(await answering(json({ instances: [instance] })));
  expect(listed).toMatchObject({ code: 0, out: expect.stringContaining('\\u001b[2Jx\\u202e') });
});

it('verifies certificates, whatever the environment says', async () => {
  const { ca, cert, key } = await makeCertificates();
  const port = await listening(createTlsServer({ cert, key }, json({ instances: [] })));
  const server = `https://localhost:${port}`;
  const loose = await ask(server, { NODE_TLS_REJECT_UNAUTHORIZED: '0' });
  expect(loose).toMatchObject({ code: 3, err: expect.stringMatching(/not trusted.*NODE_EXTRA_CA_CERTS/) });
  const file = join(mkdtempSync(join(tmpdir(), 'colonnade-ca-')), 'ca.pem');
  writeFileSync(file, ca);
  expect(await ask(server, { NODE_EXTRA_CA_CERTS: file })).toMatchObject({ code: 0 });
  expect(await ask(`https://127.0.0.1:1`)).toMatchObject({ code: 3, err: expect.stringMatching(/ECONNREFUSED/) });
});

it('takes the token from the environment, and never from an argument', async () => {
  const seen: unknown[] = [];
  const origin = await answering((request, response) => {
    seen.push(request.headers.authorization);
    json({ instances: [] })(request, response);
  });
  expect(await ask(origin, { COLONNADE_TOKEN: `${TOKEN}\n` })).toMatchObject({ code: 0 });
  expect(seen).toEqual([`Bearer ${TOKEN}`]);
  const wrong: [string[], Record<string, string>, RegExp][] = [
    [['instances', '--token', TOKEN], {}, /never an argument/],
    [['instances', `--token=${TOKEN}`], {}, /never an argument/],
    [['scan', TOKEN], {}, /never an argument/],
    [['instances'], { COLONNADE_TOKEN: `${TOKEN}x` }, /is no API token/],
  ];
  for (const [args, env, sentence] of wrong) {
    const { code, err } = await ask(origin, env, args);
    expect([args, code, err]).toEqual([args, 2, expect.stringMatching(sentence)]);
    expect(err).not.toContain('Zq9-');
  }
  expect(seen).toHaveLength(1);
});

it('refuses plain http beyond this machine, and addresses that are none', async () => {
  const others = LONG ? ['http://colonnade.example.com', 'http://10.0.0.1:3000'] : [];
  for (const server of ['http://127.0.0.1.example.com', ...others])
    expect(await ask(server)).toMatchObject({ code: 2, err: expect.stringMatching(/unencrypted.*--insecure-http/) });
  for (const server of ['ftp://x', 'https://x/path', ...(LONG ? ['x', 'https://x/?a=1'] : [])])
    expect(await ask(server)).toMatchObject({ code: 2, err: expect.stringMatching(/not the address of a server/) });
  const named = await ask('https://me:s3cret@x');
  expect(named).toMatchObject({ code: 2, err: expect.not.stringContaining('s3cret') });
  const allowed = await ask('http://colonnade.invalid', {}, ['instances', '--insecure-http']);
  expect(allowed).toMatchObject({ code: 3, err: expect.stringMatching(/cannot be reached/) });
});
