import { afterEach, beforeEach, expect, it } from 'vitest';
import { listAudit } from '@/lib/access/audit-log/list-audit';
import { type Actor, LOCAL_ADMIN } from '@/lib/model/actor';
import { SavedViewInput, SavedViewUpdate } from '@/lib/model/saved-view';
import { InstanceSettings } from '@/lib/model/servers/instance';
import { deleteInstanceRow, insertInstanceRow } from '@/lib/store/instances';
import { runTransaction } from '@/lib/store/open-store';
import { listViewRows } from '@/lib/store/saved-views';
import { temporaryData } from '@/test/temporary-data';
import { getView, listViews, removeView, saveView, updateView } from './saved-views';

const VERA: Actor = { id: 'v', name: 'vera', role: 'viewer', via: 'page' };
const OTTO: Actor = { id: 'o', name: 'otto', role: 'operator', via: 'page' };
const NOBODY: Actor = { id: 'n', name: 'nora', role: 'none', via: 'page' };
const input = (more: object = {}) =>
  SavedViewInput.parse({ name: 'carts', page: '/tree', search: 'prefix=cart%3A&snapshot=latest', ...more });
const names = async (actor: Actor) => (await listViews(actor, 'i1')).map((view) => view.name);
const actions = async () => (await listAudit(LOCAL_ADMIN)).rows.map(({ action, outcome }) => `${action} ${outcome}`);

let data: ReturnType<typeof temporaryData>;
beforeEach(async () => {
  data = temporaryData();
  const settings = InstanceSettings.parse({
    name: 'shop',
    topology: 'standalone',
    endpoints: [{ host: 'h', port: 1 }],
  });
  const sealed = { password: null, sentinelPassword: null, writePassword: null, tlsKey: null };
  await insertInstanceRow({ id: 'i1', settings, sealed, createdAt: 1, updatedAt: 1 });
});
afterEach(() => data.remove());

it('keeps page, filter, order and columns as they were', async () => {
  const columns = { tree: { ttl: true, max: false } };
  const { id } = await saveView(VERA, 'i1', input({ columns }));
  expect(await getView(VERA, id)).toMatchObject({ ...input({ columns }), by: 'vera', own: true, instanceId: 'i1' });
  expect((await actions())[0]).toMatch(/^view\.create/);
});

it('is personal until shared; sharing is for those who decide about the instance', async () => {
  const { id } = await saveView(VERA, 'i1', input());
  expect(await names(OTTO)).toEqual([]);
  await expect(getView(LOCAL_ADMIN, id)).rejects.toMatchObject({ code: 'not_found' });
  await expect(removeView(OTTO, id)).rejects.toMatchObject({ code: 'not_found' });
  await expect(updateView(VERA, id, { shared: true })).rejects.toMatchObject({ code: 'forbidden' });
  await expect(saveView(VERA, 'i1', input({ name: 'all', shared: true }))).rejects.toMatchObject({ code: 'forbidden' });
  const shared = await saveView(OTTO, 'i1', input({ shared: true }));
  expect(await names(VERA)).toEqual(['carts', 'carts']);
  expect(await getView(VERA, shared.id)).toMatchObject({ own: false, by: 'otto' });
  await expect(updateView(VERA, shared.id, { name: 'mine' })).rejects.toMatchObject({ code: 'forbidden' });
  await expect(removeView(VERA, shared.id)).rejects.toMatchObject({ code: 'forbidden' });
  expect((await actions()).filter((action) => action === 'view.share refused').length).toBeGreaterThan(0);
  await updateView(OTTO, shared.id, { shared: false });
  expect(await names(VERA)).toEqual(['carts']);
});

it('is renamed and removed, each on record; a name is taken once by one person', async () => {
  const one = await saveView(VERA, 'i1', input());
  await expect(saveView(VERA, 'i1', input())).rejects.toMatchObject({ code: 'conflict' });
  const two = await saveView(VERA, 'i1', input({ name: 'orders' }));
  await expect(updateView(VERA, two.id, { name: 'carts' })).rejects.toMatchObject({ code: 'conflict' });
  expect(await updateView(VERA, two.id, { name: 'all orders' })).toMatchObject({ name: 'all orders' });
  await removeView(VERA, one.id);
  await expect(updateView(VERA, one.id, { name: 'back' })).rejects.toMatchObject({ code: 'not_found' });
  expect(await names(VERA)).toEqual(['all orders']);
  expect((await actions()).slice(0, 2).map((action) => action.split(' ')[0])).toEqual(['view.remove', 'view.update']);
});

it('can be updated to show something else: by its owner, a shared one by those who may share', async () => {
  const { id } = await saveView(VERA, 'i1', input({ columns: { tree: { ttl: true } } }));
  const shown = { page: '/keys', search: 'type=hash&snapshot=latest', columns: { keys: { slot: true } } };
  expect(await updateView(VERA, id, shown)).toMatchObject({ name: 'carts', shared: false, ...shown });
  expect(await getView(VERA, id)).toMatchObject(shown);
  expect((await actions())[0]).toMatch(/^view\.update/);
  // Fields that are not given stay unchanged.
  await updateView(VERA, id, { name: 'hashes' });
  expect(await getView(VERA, id)).toMatchObject({ name: 'hashes', ...shown });

  const shared = await saveView(OTTO, 'i1', input({ shared: true }));
  await expect(updateView(VERA, shared.id, shown)).rejects.toMatchObject({ code: 'forbidden' });
  expect(await updateView(LOCAL_ADMIN, shared.id, shown)).toMatchObject({ by: 'otto', shared: true, ...shown });
  const demoted: Actor = { ...OTTO, role: 'viewer' };
  await expect(updateView(demoted, shared.id, { search: '' })).rejects.toMatchObject({ code: 'forbidden' });
  expect(await updateView(demoted, shared.id, { search: '', shared: false })).toMatchObject({ search: '' });
});

it('refuses whoever may not see the instance, and what is no page of it', async () => {
  const { id } = await saveView(OTTO, 'i1', input({ shared: true }));
  for (const act of [listViews(NOBODY, 'i1'), getView(NOBODY, id), removeView(NOBODY, id)])
    await expect(act).rejects.toMatchObject({ code: 'not_found' });
  await expect(saveView(OTTO, 'nothere', input())).rejects.toMatchObject({ code: 'not_found' });
  for (const wrong of [
    { page: '//evil.example' },
    { page: '/../../jobs' },
    { page: 'https://evil.example' },
    { page: '/tree?x' },
    { search: '#x' },
    { search: '?a=b' },
    { search: 'a b' },
    { name: ' ' },
    { columns: { tree: { ttl: 'yes' } } },
  ]) {
    expect(SavedViewInput.safeParse({ ...input(), ...wrong }).success, JSON.stringify(wrong)).toBe(false);
    expect(SavedViewUpdate.safeParse(wrong).success, JSON.stringify(wrong)).toBe(false);
  }
  expect(SavedViewUpdate.safeParse({}).success).toBe(false);
});

it('goes with its instance', async () => {
  await saveView(VERA, 'i1', input());
  await runTransaction((tx) => deleteInstanceRow('i1', tx));
  expect(await listViewRows('i1')).toEqual([]);
});

it('one person who saves as many as they may keeps nobody else from it', async () => {
  for (let i = 0; i < 50; i++) await saveView(VERA, 'i1', input({ name: `v${i}` }));
  await expect(saveView(VERA, 'i1', input({ name: 'more' }))).rejects.toMatchObject({ code: 'too_large' });
  await saveView(OTTO, 'i1', input({ name: 'personal' }));
  const { id } = await saveView(OTTO, 'i1', input({ name: 'shared', shared: true }));
  expect(await names(VERA)).toHaveLength(51);
  for (let i = 0; i < 49; i++) await saveView(OTTO, 'i1', input({ name: `o${i}` }));
  await expect(updateView(OTTO, id, { shared: false })).rejects.toMatchObject({ code: 'too_large' });
});
