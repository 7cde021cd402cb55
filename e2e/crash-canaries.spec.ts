import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { Agent, request } from 'node:https';
import { createServer, type Server, type Socket } from 'node:net';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { PASSWORD as DATABASE_PASSWORD, TestPostgres } from '../test/servers/postgres';
import { type Child, freePort, removeFolder, startChild, temporaryFolder, until } from '../test/servers/process';
import { makeCertificates } from '../test/servers/tls';
import { canariesIn, canary, filesIn, pemLines } from './canary-forms';

/**
 * Processes die of an uncaught exception while they hold secrets: what Node prints, and the diagnostic report that it
 * writes, including the environment, contain none of them.
 */
const COMMAND = join(import.meta.dirname, '../dist/colonnade.mjs');
const CRASH = join(import.meta.dirname, 'crash-on-signal.cjs');
const key = () => canary('key').padEnd(44, 'k');
const canaries: Record<string, string> = {
  'Redis password': canary('redis'),
  'typed Redis password': canary('typed'),
  'password of a person': canary('person'),
  'metrics token': canary('metrics', 'x'),
  'S3 access key': canary('access', 'x'),
  'S3 secret key': canary('s3', 'x'),
  'OIDC client secret': canary('oidc', 'x'),
  key: key(),
  'former key': key(),
  'database password': DATABASE_PASSWORD,
};
const paused = <T>(act: Promise<T>) => void act.catch(() => {});

let folder: string;
let port: number;
let ca: string;
let postgres: TestPostgres;
/** A server that accepts connections and never answers, so that a client that connects still holds its password. */
let hole: Server;
const held = new Set<Socket>();
let cookie = '';
const data = () => join(folder, 'data');
const reports = () => join(folder, 'reports');

function start(command: 'serve' | 'worker'): { child: Child; said: () => string } {
  const log = join(folder, `${command}.log`);
  const settings = {
    NODE_OPTIONS: `--require ${CRASH} --report-uncaught-exception --report-directory=${reports()}`,
    // Each process is the program itself, not the parent of both.
    COLONNADE_ROLE: command === 'serve' ? 'web' : 'worker',
    ...{ HOST: '127.0.0.1', PORT: String(port), COLONNADE_ORIGIN: `https://127.0.0.1:${port}` },
    ...{ COLONNADE_DATA: data(), COLONNADE_SINGLE_USER: '', COLONNADE_LOG: 'trace' },
    ...{ COLONNADE_TLS_CERT: join(folder, 'cert.pem'), COLONNADE_TLS_KEY: join(folder, 'key.pem') },
    ...{ COLONNADE_KEY: canaries.key, COLONNADE_KEY_OLD: canaries['former key'], COLONNADE_DATABASE_URL: postgres.url },
    ...{
      COLONNADE_METRICS_TOKEN: canaries['metrics token'],
      COLONNADE_OIDC_SECRET_CORP: canaries['OIDC client secret'],
    },
    ...{ COLONNADE_SNAPSHOT_STORE: 's3://canaries/here', COLONNADE_S3_ENDPOINT: 'http://127.0.0.1:1' },
    ...{ COLONNADE_S3_ACCESS_KEY: canaries['S3 access key'], COLONNADE_S3_SECRET_KEY: canaries['S3 secret key'] },
  };
  const named = Object.entries(settings).map(([name, value]) => `${name}=${value}`);
  const shell = ['-c', 'log="$1"; shift; exec env "$@" >>"$log" 2>&1', 'sh', log];
  const child = startChild('/bin/sh', [...shell, ...named, process.execPath, COMMAND, command], folder);
  return { child, said: () => readFileSync(log, 'latin1') };
}

function ask<T>(method: string, path: string, body?: unknown): Promise<{ json: T; cookie: string }> {
  const headers = {
    origin: `https://127.0.0.1:${port}`,
    'x-colonnade': '1',
    'content-type': 'application/json',
    cookie,
  };
  return new Promise((resolve, reject) => {
    const asked = request({ host: '127.0.0.1', port, path, method, headers, ca, agent: new Agent() }, (answer) => {
      const chunks: Buffer[] = [];
      answer.on('data', (chunk: Buffer) => chunks.push(chunk));
      answer.on('end', () => {
        const text = Buffer.concat(chunks).toString();
        const [set = ''] = answer.headers['set-cookie'] ?? [];
        if ((answer.statusCode ?? 0) >= 300) reject(new Error(`${method} ${path}: ${answer.statusCode} ${text}`));
        else resolve({ json: (text === '' ? null : JSON.parse(text)) as T, cookie: set.split(';')[0] ?? '' });
      });
    });
    asked.on('error', reject);
    asked.end(body === undefined ? undefined : JSON.stringify(body));
  });
}

test.beforeAll(async () => {
  folder = temporaryFolder('colonnade-crash-');
  mkdirSync(reports());
  port = await freePort();
  const made = await makeCertificates();
  ca = made.ca;
  writeFileSync(join(folder, 'cert.pem'), made.cert);
  writeFileSync(join(folder, 'key.pem'), made.key, { mode: 0o600 });
  for (const [index, line] of pemLines(made.key).entries()) canaries[`own TLS key, line ${index}`] = line;
  for (const [index, line] of pemLines(made.clientKey).entries()) canaries[`client TLS key, line ${index}`] = line;
  postgres = await TestPostgres.start();
  hole = createServer((socket) => {
    held.add(socket);
    socket.on('error', () => {});
  });
  await new Promise<void>((resolve) => hole.listen(0, '127.0.0.1', resolve));
});
test.afterAll(async () => {
  for (const socket of held) socket.destroy();
  hole.close();
  await postgres.stop();
  removeFolder(folder);
});

/** Makes the process die of the planted exception, and checks that it wrote a report. */
async function crash({ child, said }: ReturnType<typeof start>): Promise<void> {
  const before = filesIn(reports()).length;
  child.kill('SIGUSR2');
  expect(await child.exited).not.toBe(0);
  expect(said()).toContain('planted crash');
  const written = filesIn(reports());
  expect(written).toHaveLength(before + 1);
}

test('a server and a worker that crash with secrets in hand tell none of them', async () => {
  test.setTimeout(480_000);
  const server = start('serve');
  await until('https answers', async () => (await ask('GET', '/api/health')).json !== null, 90_000);
  const link = /\/welcome#(\S+)/.exec(server.said())?.[1] ?? '';
  expect(link.length).toBeGreaterThan(40);
  const first = { token: link, password: canaries['password of a person'], name: 'ada' };
  cookie = (await ask('POST', '/api/welcome', first)).cookie;
  canaries.session = cookie.split('=').slice(1).join('=');
  const invited = await ask<{ link: { token: string } }>('POST', '/api/users', {
    name: 'eve',
    role: 'viewer',
    grants: [],
  });
  canaries['one-time link'] = invited.json.link.token;
  const token = await ask<{ secret: string }>('POST', '/api/tokens', { name: 'ci', role: 'admin', days: 9 });
  canaries.token = token.json.secret;
  const endpoints = [{ host: '127.0.0.1', port: (hole.address() as { port: number }).port }];
  const silent = { name: 'silent', topology: 'standalone', endpoints };
  const secrets = { password: canaries['Redis password'] };
  const { instance } = (await ask<{ instance: { id: string } }>('POST', '/api/instances', { ...silent, secrets })).json;

  // Two requests wait for an answer, one with a stored and one with a typed password, when the process ends.
  paused(ask('GET', `/api/instances/${instance.id}/server`));
  paused(ask('POST', '/api/instances/test', { ...silent, secrets: { password: canaries['typed Redis password'] } }));
  await until('both to be connected', async () => held.size >= 2, 30_000);
  const scan = ask<{ job: { id: string } }>('POST', `/api/instances/${instance.id}/scans`, { speed: 'fast' });
  await scan;
  await crash(server);

  // A worker takes the scan and decrypts the instance's password.
  const before = held.size;
  const worker = start('worker');
  await until('the worker to connect', async () => held.size > before, 90_000);
  await crash(worker);

  const said = { server: server.said(), worker: worker.said() };
  expect(said.server.split(link)).toHaveLength(2);
  const found = Object.entries(said).flatMap(([name, text]) => canariesIn(canaries, name, Buffer.from(text, 'latin1')));
  const texts = filesIn(reports()).map((file) => readFileSync(file));
  for (const [index, text] of texts.entries()) {
    expect(JSON.parse(text.toString()).header.trigger).toBe('Exception');
    found.push(...canariesIn({ ...canaries, 'first link': link }, `report ${index}`, text));
  }
  // A report contains the environment, so secrets would be found there.
  expect(texts[0]?.toString()).toContain('COLONNADE_DATA');
  for (const file of filesIn(data())) found.push(...canariesIn(canaries, file, readFileSync(file)));
  expect(found).toEqual([]);
});
