import { afterAll, beforeAll, expect, it } from 'vitest';
import { listAudit } from '@/lib/access/audit-log/list-audit';
import { registerInstance } from '@/lib/instances/register-instance';
import { type Actor, LOCAL_ADMIN } from '@/lib/model/actor';
import { encodeKey } from '@/lib/model/keys/key-id';
import type { FILE_FORMATS } from '@/lib/model/reports/file-formats';
import { InstanceInput } from '@/lib/model/servers/instance';
import { rowsOf } from '@/test/access/rows-of';
import { type RedisServer, startRedis } from '@/test/servers/redis';
import { temporaryData } from '@/test/temporary-data';
import { exportKeyFacts, exportKeyPreview } from './export-key';

const VIEWER: Actor = { id: 'v', name: 'vic', role: 'viewer', via: 'api' };
const k = encodeKey(Buffer.from('cart:1'));
let redis: RedisServer;
let data: ReturnType<typeof temporaryData>;
let plain = '';
let other: RedisServer;
let production = '';
beforeAll(async () => {
  data = temporaryData();
  [redis, other] = await Promise.all([startRedis(), startRedis()]);
  for (const server of [redis, other])
    await server.client().hset('cart:1', 'sku', Buffer.from([0xff, 0x00]), '=cmd', 'x');
  await redis.client().set('loose', '=1+1', 'EX', 1000);
  const of = (name: string, { host, port }: RedisServer, more: object = {}) =>
    InstanceInput.parse({ name, topology: 'standalone', endpoints: [{ host, port }], ...more });
  plain = (await registerInstance(LOCAL_ADMIN, of('plain', redis))).id;
  production = (await registerInstance(LOCAL_ADMIN, of('prod', other, { production: true }))).id;
});
afterAll(async () => {
  await Promise.all([redis.stop(), other.stop()]);
  await data.remove();
});

it('has the facts of a key of now, the same in every format, and no row where it is not there', async () => {
  const file = (of: string, format: (typeof FILE_FORMATS)[number]) =>
    exportKeyFacts(VIEWER, plain, { k: encodeKey(Buffer.from(of)), db: 0, format });
  expect(await rowsOf(await file('cart:1', 'jsonl'), 'jsonl')).toMatchObject([
    { key: 'cart:1', k, database: 0, type: 'hash', 'expires in (ms)': 'never', 'name (bytes)': 6 },
  ]);
  const [loose] = await rowsOf(await file('loose', 'parquet'), 'parquet');
  expect(loose).toMatchObject({ key: 'loose', type: 'string' });
  expect(await rowsOf(await file('gone', 'jsonl'), 'jsonl')).toEqual([]);
});

it('has the shown part of a value, with its bytes, and runs nothing in a spreadsheet', async () => {
  const asked = { k, db: 0, reason: null };
  const lines = await rowsOf(await exportKeyPreview(LOCAL_ADMIN, plain, { ...asked, format: 'jsonl' }), 'jsonl');
  expect(lines).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ field: 'sku', value: '\\xff\\x00', 'value (base64)': '/wA=' }),
      expect.objectContaining({ field: '=cmd', value: 'x', 'field (base64)': 'PWNtZA==' }),
    ]),
  );
  expect(await rowsOf(await exportKeyPreview(LOCAL_ADMIN, plain, { ...asked, format: 'parquet' }), 'parquet')).toEqual(
    lines,
  );
  const { stream } = await exportKeyPreview(LOCAL_ADMIN, plain, { ...asked, format: 'csv' });
  expect(await new Response(stream).text()).not.toMatch(/(^|,)"?[=@+]/m);
});

it('of a value is for whoever may read it: on record, on production with a reason', async () => {
  const asked = { k, db: 0, reason: null, format: 'csv' as const };
  await expect(exportKeyPreview(VIEWER, plain, asked)).rejects.toMatchObject({ code: 'forbidden' });
  await expect(exportKeyPreview(LOCAL_ADMIN, production, asked)).rejects.toMatchObject({ code: 'reason_needed' });
  const file = await exportKeyPreview(LOCAL_ADMIN, production, { ...asked, reason: 'ticket 12' });
  expect(await file.stillAllowed()).toBe(true);
  await file.stream.cancel();
  const { rows } = await listAudit(LOCAL_ADMIN, { action: 'value.preview', instance: production });
  expect(rows.map((row) => [row.outcome, row.details.reason])).toEqual([
    ['done', 'ticket 12'],
    ['refused', null],
  ]);
  const gone = exportKeyPreview(LOCAL_ADMIN, plain, { ...asked, k: encodeKey(Buffer.from('gone')) });
  await expect(gone).rejects.toMatchObject({ code: 'not_found' });
});
