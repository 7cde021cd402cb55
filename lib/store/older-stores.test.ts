import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { recordAudit } from '@/lib/audit/record';
import { verifyAudit } from '@/lib/audit/verify-audit';
import { listAudit } from '@/lib/audit-log/list-audit';
import { actorOfApiToken } from '@/lib/auth/api-tokens';
import { actorOfToken } from '@/lib/auth/sessions';
import { openTarget } from '@/lib/credentials/open-target';
import { getDeletion } from '@/lib/deletions/get-deletion';
import { listItemsPage } from '@/lib/deletions/list-items';
import { listInstances } from '@/lib/instances/list-instances';
import { updateInstance } from '@/lib/instances/update-instance';
import { listJobs } from '@/lib/jobs/list-jobs';
import { LOCAL_ADMIN } from '@/lib/model/actor';
import { getChecklist } from '@/lib/policies/checklist';
import { listExemptions } from '@/lib/policies/exemptions';
import { listOwners } from '@/lib/policies/owners';
import { closeStore, dbOf, transaction } from '@/lib/store/open-store';
import { addUser } from '@/lib/users/add-user';
import { listUsers } from '@/lib/users/list-users';
import { signIn } from '@/lib/users/sign-in';
import { listTeams } from '@/lib/users/teams/list-teams';
import { LONG } from '@/test/long-form.mjs';
import { olderStores, placeOlderStore } from '@/test/older-stores/open-older-store';
import { temporaryData } from '@/test/temporary-data';
import { knownMigrations } from './migrate';

let data: ReturnType<typeof temporaryData>;
beforeEach(() => {
  data = temporaryData({ emptyDatabase: true });
});
afterEach(() => data.remove());

const FROM = { address: '::1', agent: 'a' };
/** Without what tables have come to hold since. */
const asThen = (then: Record<string, unknown>[], now: Record<string, unknown>[]) =>
  now.map((row) => Object.fromEntries(Object.keys(then[0] ?? {}).map((name) => [name, row[name]])));

/** PostgreSQL came with step 0007; there the oldest and the newest are opened. LONG=1: all of them. */
const onPostgres = olderStores().filter((step) => step > '0007');
const ends = onPostgres.filter((_, at) => LONG || at === 0 || at === onPostgres.length - 1);
const stores = process.env.COLONNADE_TEST_POSTGRES ? ends : olderStores();

describe.each(stores)('a store of %s', (step) => {
  it('keeps every row as it was, and everything opens', async () => {
    const { rows, instance, session, token } = await placeOlderStore(step);
    expect(await verifyAudit()).toMatchObject({ ok: true, rows: rows.audit?.length });
    const db = await dbOf(undefined);
    for (const [table, then] of Object.entries(rows)) {
      // Who owned a prefix then is a team now.
      if (table === 'settings' || table === 'teams') continue;
      const found = await db
        .selectFrom(table as 'jobs')
        .selectAll()
        .execute();
      expect([table, asThen(then, found as never[])]).toEqual([table, expect.arrayContaining(then)]);
      expect([table, found.length]).toEqual([table, then.length]);
    }
    const target = await openTarget(instance);
    expect(target).toMatchObject({ name: 'orders', username: 'app' });
    expect(target.password?.reveal()).toBe('canary-7');
    const instances = await listInstances(LOCAL_ADMIN);
    expect(instances.map(({ name }) => name).toSorted()).toEqual(['cluster ü', 'orders']);
    expect(await listJobs(LOCAL_ADMIN, { limit: 10 })).toMatchObject([{ kind: 'toy', state: 'failed' }]);
    const acts = (await listAudit(LOCAL_ADMIN)).rows.map(({ action }) => action);
    expect(acts).toContain('instance.register');
    const owners = (rows.owners ?? []).map(({ team }) => ({ name: team, members: [], grants: [] }));
    expect(await listTeams(LOCAL_ADMIN)).toMatchObject([...(rows.teams ?? []), ...owners]);
    if (rows.owners) {
      expect(await listOwners(LOCAL_ADMIN, instance)).toMatchObject([{ prefix: 'a:b', team: 'orders' }]);
      expect(await listExemptions(LOCAL_ADMIN, instance)).toMatchObject([{ rule: 'N1', reason: 'r' }]);
      expect(JSON.stringify(await getChecklist(LOCAL_ADMIN, instance))).toContain('"note":"n"');
    }
    if (rows.deletions) {
      const deletion = await getDeletion(LOCAL_ADMIN, 'del1');
      expect(deletion).toMatchObject({ plan: { instanceName: 'orders', totals: { keys: 2 } } });
      const items = await listItemsPage(LOCAL_ADMIN, 'del1', { limit: 10 } as never);
      expect(JSON.stringify(items)).toContain('needs_review');
      const counts = await db.selectFrom('deletion_counts').selectAll().execute();
      expect(counts.flatMap(({ state, keys }) => (keys > 0 ? [[state, keys]] : [])).toSorted()).toEqual([
        ['done', 1],
        ['needs_review', 1],
      ]);
    }
    if (session !== null) {
      const at = Number(rows.sessions?.[0]?.last_seen_at) + 1;
      expect(await actorOfToken(session, { via: 'page', use: false, now: at })).toMatchObject({ name: 'ada' });
      expect((await listUsers(LOCAL_ADMIN)).map(({ name }) => name).toSorted()).toEqual(['ada', 'eve']);
      await signIn({ name: 'ada', password: 'correct horse battery' }, FROM);
    }
    if (token !== null) {
      const now = Number(rows.api_tokens?.[0]?.created_at) + 1;
      expect(await actorOfApiToken(token, { address: '::1', use: false, now })).toMatchObject({
        name: 'ada (token ci)',
      });
    }
  });

  it('goes on: it is written, signed and opened again', async () => {
    const { instance } = await placeOlderStore(step);
    await addUser(LOCAL_ADMIN, { name: 'new', role: 'viewer', grants: [] });
    await updateInstance(LOCAL_ADMIN, instance, { owner: 'shop' });
    await transaction((tx) => recordAudit(tx, { actor: LOCAL_ADMIN, action: 'test.act', subject: 's' }));
    await closeStore();
    expect(await verifyAudit()).toMatchObject({ ok: true });
    expect((await openTarget(instance)).password?.reveal()).toBe('canary-7');
    const steps = await (await dbOf(undefined)).selectFrom('migrations').select('name').execute();
    expect(steps.map(({ name }) => name).toSorted()).toEqual(knownMigrations());
  });
});

it('there are ten of them', () => {
  expect(olderStores().length).toBeGreaterThanOrEqual(10);
});
