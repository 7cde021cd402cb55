import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { sql } from 'kysely';
import pg from 'pg';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { getDb } from '@/lib/store/open-store';
import { temporaryData } from '@/test/temporary-data';
import { listenToJobs } from './listen-to-jobs';

let data: ReturnType<typeof temporaryData>;
let admin: pg.Client;
/** A database user that only this test uses, so that its connections can be counted. */
const role = `counted_${randomBytes(4).toString('hex')}`;
beforeEach(async () => {
  data = temporaryData();
  const server = new URL(String(process.env.COLONNADE_TEST_POSTGRES));
  admin = new pg.Client({ connectionString: server.href });
  await admin.connect();
  await admin.query(`create role ${role} login password 'x'`);
  await admin.query(`create schema ${role} authorization ${role}`);
  Object.assign(server, { username: role, password: 'x' });
  process.env.COLONNADE_DATABASE_URL = `${server.href}?schema=${role}`;
});
afterEach(async () => {
  await data.remove();
  await admin.end();
});

const open = async () => (await admin.query('select from pg_stat_activity where usename = $1', [role])).rowCount;

it('opens as many as the documents count, however much is asked at once', async () => {
  const text = readFileSync('docs/SCALING.md', 'utf8');
  const [, pages, jobs] = /(\d+) × servers \(web\) \+ (\d+) × workers/.exec(text)?.map(Number) ?? [];
  const db = await getDb(undefined);
  const asked = Promise.all(Array.from({ length: 40 }, () => sql`select pg_sleep(0.5)`.execute(db)));
  await expect.poll(open).toBe(pages);
  const listener = listenToJobs(() => {});
  await expect.poll(open).toBe(jobs);
  await asked;
  expect(await open()).toBe(jobs);
  await listener?.stop();
});
