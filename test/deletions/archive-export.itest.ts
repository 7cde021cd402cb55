import { expect, it } from 'vitest';
import { listAudit } from '../../lib/audit-log/list-audit';
import { exportArchive } from '../../lib/deletions/export/export-archive';
import { getDeletion } from '../../lib/deletions/get-deletion';
import { makePlan } from '../../lib/deletions/make-plan';
import { startDeletion } from '../../lib/deletions/start-deletion';
import { undoDeletion } from '../../lib/deletions/undo-deletion';
import { type Actor, LOCAL_ADMIN } from '../../lib/model/actor';
import { sleep } from '../servers/process';
import { digestOf } from './digest';
import { seedLarge } from './seed-large';
import { deletionOf, firstPage, standPerTest } from './stand-per-test';

const OPERATOR: Actor = { id: 'o', name: 'otto', role: 'operator', via: 'page' };
const on = standPerTest();

it('an archive is read while it is written, without a byte of it changing', async () => {
  await seedLarge(on.client, 'hash', 'big', 150_000);
  const digest = () => digestOf(on.client, 'big');
  const before = await digest();
  const plan = await makePlan(LOCAL_ADMIN, deletionOf(on.stand.instanceId, ['big']));
  const { job } = await startDeletion(LOCAL_ADMIN, { planId: plan.id, confirm: 'stand', consents: [] });
  while (((await firstPage(plan.id)).items[0]?.removed ?? 0) === 0) await sleep(5);
  let read = 0;
  for (;;) {
    const { job: now } = await getDeletion(LOCAL_ADMIN, plan.id);
    // A removal that waits for its server goes on.
    if (now?.state !== 'running' && now?.state !== 'waiting') break;
    await exportArchive(OPERATOR, plan.id, { seq: null, reason: null }).then(
      ({ stream }) => stream.cancel(),
      () => {},
    );
    read++;
    // Verifying is work for a core: the removal is to go on beside it.
    await sleep(100);
  }
  await on.stand.until(job?.id ?? '', ['succeeded']);
  expect(read).toBeGreaterThan(0);
  const { items } = await firstPage(plan.id);
  const { stream } = await exportArchive(OPERATOR, plan.id, { seq: null, reason: null });
  const lines = (await new Response(stream).text()).trim().split('\n');
  // Read ahead, a field may be archived twice; none may be missing.
  const fields = new Set(lines.slice(1).map((text) => JSON.parse(text).field));
  expect(fields.size).toBe(items[0]?.length);
  const undo = await undoDeletion(LOCAL_ADMIN, plan.id, { restoreExpired: false });
  await on.stand.until(undo.job?.id ?? '', ['succeeded']);
  expect(await digest()).toBe(before);
  const audit = (await listAudit(LOCAL_ADMIN)).rows.map(({ action, outcome }) => `${action} ${outcome}`);
  expect(audit).toContain('value.export done');
});
