import { expect, it } from 'vitest';
import { listAudit } from '../../lib/access/audit-log/list-audit';
import { exportArchive } from '../../lib/deletions/export/export-archive';
import { getDeletion } from '../../lib/deletions/get-deletion';
import { makePlan } from '../../lib/deletions/make-plan';
import { startDeletion } from '../../lib/deletions/start-deletion';
import { undoDeletion } from '../../lib/deletions/undo-deletion';
import { type Actor, LOCAL_ADMIN } from '../../lib/model/actor';
import { sleep } from '../servers/process';
import { computeDigest } from './digest';
import { holdMidway } from './faults/hold-midway';
import { ROUND_BYTES_EACH, seedLarge } from './seed-large';
import { breakableLine, firstPage, makeDeletion, standPerTest } from './stand-per-test';

const OPERATOR: Actor = { id: 'o', name: 'otto', role: 'operator', via: 'page' };
const on = standPerTest();

it('an archive is read while it is written, without a byte of it changing', async () => {
  const proxy = await breakableLine(on);
  // The key takes three rounds.
  await seedLarge(on.client, 'hash', 'big', 1_350, ROUND_BYTES_EACH);
  const digest = () => computeDigest(on.client, 'big');
  const before = await digest();
  const plan = await makePlan(LOCAL_ADMIN, makeDeletion(on.stand.instanceId, ['big']));
  const item = async () => (await on.stand.items(plan.id))[0]!;
  const { held, started } = await holdMidway({ proxy, word: 'HDEL', item }, () =>
    startDeletion(LOCAL_ADMIN, { planId: plan.id, confirm: 'stand', consents: [] }),
  );
  const readBeside = () =>
    exportArchive(OPERATOR, plan.id, { seq: null, reason: null }).then(
      ({ stream }) => stream.cancel(),
      () => {},
    );
  await readBeside();
  held.release();
  for (;;) {
    const { job: now } = await getDeletion(LOCAL_ADMIN, plan.id);
    // A deletion that waits for its server is not over: it goes on later.
    if (now?.state !== 'running' && now?.state !== 'waiting') break;
    await readBeside();
    // Verifying takes a whole core, and the deletion must be able to continue meanwhile.
    await sleep(20);
  }
  await on.stand.until(started.job?.id ?? '', ['succeeded']);
  const { items } = await firstPage(plan.id);
  const { stream } = await exportArchive(OPERATOR, plan.id, { seq: null, reason: null });
  const lines = (await new Response(stream).text()).trim().split('\n');
  // Because the next page is read ahead, a field may be archived twice; none may be missing.
  const fields = new Set(lines.slice(1).map((text) => JSON.parse(text).field));
  expect(fields.size).toBe(items[0]?.length);
  const undo = await undoDeletion(LOCAL_ADMIN, plan.id, { restoreExpired: false });
  await on.stand.until(undo.job?.id ?? '', ['succeeded']);
  expect(await digest()).toBe(before);
  const audit = (await listAudit(LOCAL_ADMIN)).rows.map(({ action, outcome }) => `${action} ${outcome}`);
  expect(audit).toContain('value.export done');
});
