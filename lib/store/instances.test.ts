import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { InstanceSettings } from '@/lib/model/servers/instance';
import { temporaryData } from '@/test/temporary-data';
import { getInstanceRow, insertInstanceRow, listInstanceRows, toInstance, updateInstanceRow } from './instances';
import { runTransaction } from './open-store';

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
  await runTransaction((tx) => tx.updateTable('instances').set({ settings: halved }).execute());
  expect((await listInstanceRows())[0]?.settings).toMatchObject({ tags: ['x\ufffd'], owner: 'team \ufffd' });
});

it('reads settings once for each text, and lets nobody change what all are given', async () => {
  const endpoints = [{ host: '127.0.0.1', port: 6379 }];
  const sealed = { password: 'sealed', sentinelPassword: null, writePassword: null, tlsKey: null };
  const written = Date.now();
  for (let i = 0; i < 20; i++) {
    const settings = InstanceSettings.parse({
      name: `i${written} ${i}`,
      topology: 'standalone',
      endpoints,
      tags: ['x'],
    });
    await insertInstanceRow({ id: `i${i}`, settings, sealed, createdAt: 1, updatedAt: 1 });
  }
  const parse = vi.spyOn(InstanceSettings, 'parse');
  const first = await listInstanceRows();
  expect(parse).toHaveBeenCalledTimes(20);
  const again = await listInstanceRows();
  expect(parse).toHaveBeenCalledTimes(20);
  parse.mockRestore();
  expect(again).toEqual(first);
  const settings = again[0]!.settings;
  expect(() => settings.tags.push('y')).toThrow(TypeError);
  expect(() => Object.assign(settings, { owner: 'z' })).toThrow(TypeError);
  await updateInstanceRow({ ...again[0]!, settings: { ...settings, owner: 'shop' } });
  expect((await getInstanceRow(again[0]!.id))?.settings).toEqual({ ...settings, owner: 'shop' });
  expect(again[0]!.settings.owner).toBe('');
});

it('shows a page nothing of what does not belong, wherever the settings come from', async () => {
  const endpoints = [{ host: '127.0.0.1', port: 6379 }];
  const sealed = { password: 'sealed', sentinelPassword: null, writePassword: null, tlsKey: null };
  const settings = InstanceSettings.parse({ name: 'orders', topology: 'standalone', endpoints });
  const row = {
    id: 'i',
    settings: { ...settings, secrets: { password: 'canary' } },
    sealed,
    createdAt: 1,
    updatedAt: 1,
  };
  await insertInstanceRow(row);
  const stored = await getInstanceRow('i');
  expect(toInstance(row)).toEqual(toInstance(stored!));
  expect(JSON.stringify([toInstance(row), toInstance(stored!)])).not.toMatch(/canary|sealed|secrets/);
});
