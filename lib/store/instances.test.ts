import { afterEach, beforeEach, expect, it } from 'vitest';
import { InstanceSettings } from '@/lib/model/servers/instance';
import { temporaryData } from '@/test/temporary-data';
import { insertInstanceRow, listInstanceRows } from './instances';
import { transaction } from './open-store';

let data: ReturnType<typeof temporaryData>;
beforeEach(() => {
  data = temporaryData();
});
afterEach(() => data.remove());

it('a row with half a character, which is refused now, hides neither itself nor the others', async () => {
  const settings = InstanceSettings.parse({
    ...{ name: 'orders', topology: 'standalone', endpoints: [{ host: '127.0.0.1', port: 6379 }], tags: ['x'] },
  });
  const sealed = { password: null, sentinelPassword: null, writePassword: null, tlsKey: null };
  await insertInstanceRow({ id: 'i', settings, sealed, createdAt: 1, updatedAt: 1 });
  const halved = JSON.stringify({ ...settings, tags: ['x\ud800'], owner: 'team \udc00' });
  await transaction((tx) => tx.updateTable('instances').set({ settings: halved }).execute());
  expect((await listInstanceRows())[0]?.settings).toMatchObject({ tags: ['x\ufffd'], owner: 'team \ufffd' });
});
