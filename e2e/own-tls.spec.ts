import { writeFileSync } from 'node:fs';
import { Agent, request } from 'node:https';
import { join } from 'node:path';
import { type Child, freePort, removeFolder, startChild, temporaryFolder, until } from '../test/servers/process';
import { makeCertificates } from '../test/servers/tls';
import { expect, test } from './fixtures';

const COMMAND = join(import.meta.dirname, '../dist/colonnade.mjs');
const PASSWORD = 'correct horse battery';

/** The server has its own certificate and no proxy in front of it. */
test.describe
  .serial('TLS without a proxy', () => {
    let folder: string;
    let port: number;
    let ca: string;
    let server: Child;
    const cert = () => join(folder, 'cert.pem');
    const key = () => join(folder, 'key.pem');
    const start = (env: Record<string, string> = {}) => {
      const settings = {
        ...{ HOST: '127.0.0.1', PORT: String(port), COLONNADE_DATA: join(folder, 'data') },
        ...{ COLONNADE_TLS_CERT: cert(), COLONNADE_TLS_KEY: key(), COLONNADE_SINGLE_USER: '' },
        ...env,
      };
      const named = Object.entries(settings).map(([name, value]) => `${name}=${value}`);
      return startChild('/usr/bin/env', [...named, process.execPath, COMMAND, 'serve'], folder);
    };
    /** Returns the status, and the serial number of the certificate that the server used. */
    const ask = (path: string): Promise<{ status: number; serial: string }> =>
      new Promise((resolve, reject) => {
        const asked = request({ host: '127.0.0.1', port, path, ca, agent: new Agent() }, (answer) => {
          const { serialNumber } = (answer.socket as import('node:tls').TLSSocket).getPeerCertificate();
          answer.resume();
          answer.on('end', () => resolve({ status: answer.statusCode ?? 0, serial: serialNumber }));
        });
        asked.on('error', reject);
        asked.end();
      });

    test.beforeAll(async () => {
      folder = temporaryFolder('colonnade-tls-');
      port = await freePort();
      const made = await makeCertificates();
      ca = made.ca;
      writeFileSync(cert(), made.cert);
      writeFileSync(key(), made.key, { mode: 0o600 });
      server = start();
      await until('https answers', async () => (await ask('/api/health')).status === 200, 60_000);
    });
    test.afterAll(async () => {
      server.kill('SIGKILL');
      await server.exited;
      removeFolder(folder);
    });

    test('somebody signs in over it, with a cookie that no plain page can set', async ({ browser }) => {
      const link = /https:\S+\/welcome#\S+/.exec(server.output())?.[0] ?? '';
      expect(link).toContain(`https://127.0.0.1:${port}/`);
      const context = await browser.newContext({ ignoreHTTPSErrors: true, locale: 'en-GB' });
      const page = await context.newPage();
      await page.goto(link);
      await page.getByLabel('Name', { exact: true }).fill('ada');
      await page.getByLabel('New password', { exact: true }).fill(PASSWORD);
      await page.getByLabel('Repeat the new password').fill(PASSWORD);
      await page.getByRole('button', { name: 'Set password and sign in' }).click();
      await expect(page.getByRole('button', { name: /^Account: / })).toBeVisible();
      const [cookie] = await context.cookies();
      expect(cookie).toMatchObject({ name: `__Host-colonnade_${port}`, secure: true, httpOnly: true });
      await context.close();
    });

    test('nothing is answered in the clear, and the request filter works with TLS too', async () => {
      await expect(fetch(`http://127.0.0.1:${port}/api/health`)).rejects.toThrow();
      expect((await ask('/api/instances')).status).toBe(401);
      expect((await ask('/users')).status).toBe(401);
    });

    test('a renewed certificate is read on SIGHUP; one that does not fit is not', async () => {
      const before = (await ask('/api/health')).serial;
      const renewed = await makeCertificates();
      writeFileSync(cert(), renewed.cert);
      server.kill('SIGHUP');
      await until('it says so', async () => server.output().includes('The certificate in use stays'), 30_000);
      expect((await ask('/api/health')).serial).toBe(before);
      writeFileSync(key(), renewed.key);
      server.kill('SIGHUP');
      await until('it says so', async () => server.output().includes('The certificate was read again.'), 30_000);
      ca = renewed.ca;
      expect((await ask('/api/health')).status).toBe(200);
    });

    for (const [what, env, text] of [
      ['no key', { COLONNADE_TLS_KEY: '' }, 'COLONNADE_TLS_KEY: missing'],
      ['a file that is not there', { COLONNADE_TLS_CERT: '/nowhere/cert.pem' }, 'cannot be read: ENOENT'],
    ] as const)
      test(`${what}: it does not start, and says what to do`, async () => {
        const other = start({ ...env, PORT: String(await freePort()) });
        expect(await other.exited).not.toBe(0);
        // The last output may arrive a moment after the end of the process.
        await expect.poll(() => other.output()).toContain(text);
        expect(other.output()).not.toContain('at file:');
      });
  });
