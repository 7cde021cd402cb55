import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { closeStore } from '@/lib/store/open-store';
import { getSetting, setSetting } from '@/lib/store/settings/settings';
import { startOldPostgres } from '@/test/servers/old-postgres';
import { PASSWORD, TestPostgres } from '@/test/servers/postgres';
import { makeCertificates } from '@/test/servers/tls';
import { temporaryData } from '@/test/temporary-data';

const server = String(process.env.COLONNADE_TEST_POSTGRES);
let data: ReturnType<typeof temporaryData>;
beforeEach(() => {
  data = temporaryData();
});
afterEach(() => data.remove());

const open = async (url: string) => {
  process.env.COLONNADE_DATABASE_URL = url;
  try {
    await getSetting('a');
  } catch (error) {
    return error as Error & { code: string; cause: unknown };
  } finally {
    await closeStore();
  }
  throw new Error('It opened.');
};

describe('a database that cannot be used says what to do, and never the password', () => {
  it.each([
    [
      'wrong password',
      (url: string) => url.replace(PASSWORD, `${PASSWORD}-not`),
      'database_refused',
      'user or password',
    ],
    ['nobody listens', (url: string) => url.replace(/:\d+\//, ':1/'), 'database_unreachable', 'cannot be reached'],
    [
      'no such host',
      (url: string) => url.replace('127.0.0.1', 'nowhere.invalid'),
      'database_unreachable',
      'host and port',
    ],
    ['no such database', (url: string) => url.replace('/postgres', '/other'), 'database_refused', 'createdb'],
    ['no TLS there', (url: string) => `${url}?sslmode=require`, 'database_refused', 'sslmode=disable'],
  ])('%s', async (_what, change, code, says) => {
    const error = await open(change(server));
    expect(error).toMatchObject({ code, message: expect.stringContaining(says) });
    expect(JSON.stringify([error.message, error])).not.toContain(PASSWORD);
  });

  it('a certificate that nobody vouches for, or of another name; trusted with its authority', async () => {
    const certificates = await makeCertificates({ addresses: [] });
    const own = await TestPostgres.start(certificates);
    try {
      const ca = join(data.dir, 'ca.crt');
      writeFileSync(ca, certificates.ca);
      const untrusted = await open(`${own.url}?sslmode=require`);
      expect(untrusted).toMatchObject({
        code: 'database_refused',
        message: expect.stringMatching(/certificate .* is not trusted .*sslrootcert=<file>/),
      });
      const otherName = await open(`${own.url}?sslmode=require&sslrootcert=${ca}`);
      expect(otherName).toMatchObject({
        code: 'database_refused',
        message: expect.stringMatching(/127\.0\.0\.1:\d+\/postgres was made for another name\. Give the host/),
      });
      for (const error of [untrusted, otherName])
        expect(JSON.stringify([error.message, error])).not.toContain(PASSWORD);
      const trusted = `${own.url.replace('127.0.0.1', 'localhost')}?sslmode=require&sslrootcert=${ca}`;
      await expect(open(trusted)).rejects.toThrow('It opened.');
      await expect(open(`${own.url}?sslmode=no-verify`)).rejects.toThrow('It opened.');
    } finally {
      await own.stop();
    }
  });

  it.each([
    [130_014, '13'],
    [90_624, '9'],
  ])('a server of version %d', async (number, name) => {
    const old = await startOldPostgres(number);
    const error = await open(`postgres://u:p@127.0.0.1:${old.port}/c`);
    old.stop();
    expect(error).toMatchObject({
      code: 'database_refused',
      message: `The database 127.0.0.1:${old.port}/c is PostgreSQL ${name}; 14 or newer is needed.`,
    });
  });

  it('no right to make tables', async () => {
    const admin = new pg.Client({ connectionString: server });
    await admin.connect();
    await admin.query(`create role guest login password '${PASSWORD}'`);
    await admin.end();
    const error = await open(server.replace('colonnade:', 'guest:'));
    expect(error).toMatchObject({ code: 'database_refused', message: expect.stringContaining('grant create') });
  });

  it('goes on by itself when it was refused once', async () => {
    const good = process.env.COLONNADE_DATABASE_URL as string;
    await open(good.replace(/:\d+\//, ':1/'));
    process.env.COLONNADE_DATABASE_URL = good;
    await setSetting('a', 'b');
    expect(await getSetting('a')).toBe('b');
  });
});
