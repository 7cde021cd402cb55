import { afterEach, beforeEach, expect, it } from 'vitest';
import { InstanceSettings } from '@/lib/model/servers/instance';
import { explainPlan, recordStatements } from '@/test/record-statements';
import { sqlByHand } from '@/test/sql-by-hand';
import { temporaryData } from '@/test/temporary-data';
import { insertInstanceRow } from '../instances';
import { getDb } from '../open-store';
import { readClaimView, takeQueued } from './claims';

let data: ReturnType<typeof temporaryData>;
beforeEach(() => {
  data = temporaryData();
});
afterEach(() => data.remove());

it('a claim walks over no ended job, and gives the first of those it may take', async () => {
  await getDb(undefined);
  await sqlByHand(
    `insert into jobs (id, kind, state, speed, params, actor, created_at, updated_at, started_at)
    select 'j' || i, 'scan', case when i > 19990 then 'queued' else 'succeeded' end, 'gentle', 'null', 'x', i, i,
      case when i = 19993 then 7 end from generate_series(1, 20000) as n (i)`,
    'analyze jobs',
  );
  let seen: string[] = [];
  const [view] = await recordStatements(async () => {
    seen = (await readClaimView(['scan'], ['running', 'waiting'], [])).queued.map(({ id }) => id);
  });
  expect(seen).toEqual(Array.from({ length: 10 }, (_, i) => `j${19_991 + i}`));
  expect(await explainPlan(view!)).not.toMatch(/jobs_by_age|Seq Scan on jobs/);
  await sqlByHand("update jobs set state = 'paused' where id = 'j19992'");
  const order = ['j19992', 'j19993', 'j19991', 'j19994'];
  const taken = await takeQueued(order, 2, { processId: 'o', leaseMs: 1000 });
  expect(taken.map(({ job }) => job.id)).toEqual(['j19993', 'j19991']);
  expect(taken[0]).toMatchObject({ job: { state: 'running', startedAt: 7 }, lease: { holder: 'o', fence: 1 } });
  expect(taken[1]?.job.startedAt).toBeGreaterThan(19_991);
  expect(await takeQueued(order, 0, { processId: 'o', leaseMs: 1000 })).toEqual([]);
});

it('a process with labels sees jobs of its labels alone, and of no instance those that no server is reached for', async () => {
  const sealed = { password: null, sentinelPassword: null, writePassword: null, tlsKey: null };
  const endpoints = [{ host: '127.0.0.1', port: 6379 }];
  for (const [id, workerLabel] of [
    ['plain', null],
    ['dmz', 'dmz'],
    ['eu', 'eu.west-1'],
    ['never', undefined],
  ] as const) {
    const settings = InstanceSettings.parse({ name: id, topology: 'standalone', endpoints, workerLabel });
    await insertInstanceRow({ id, settings, sealed, createdAt: 1, updatedAt: 1 });
  }
  const of = ['plain', 'dmz', 'eu', 'never', 'removed', null];
  for (const [i, instanceId] of of.entries())
    await sqlByHand(`insert into jobs (id, kind, instance_id, state, speed, params, actor, created_at, updated_at)
      values ('${instanceId}', 'scan', ${instanceId && `'${instanceId}'`}, 'queued', 'gentle', 'null', 'x', ${i}, 1)`);
  const seen = async (labels: string[]) => {
    const { queued } = await readClaimView(['scan'], ['running'], labels);
    return queued.map(({ id }) => id);
  };
  expect(await seen([])).toEqual(['plain', 'never', 'removed', 'null']);
  expect(await seen(['dmz'])).toEqual(['dmz', 'removed', 'null']);
  expect(await seen(['eu', 'dmz', 'eu.west-1'])).toEqual(['dmz', 'eu', 'removed', 'null']);
});

it('of many that wait for another label none hides one that may be taken', async () => {
  const sealed = { password: null, sentinelPassword: null, writePassword: null, tlsKey: null };
  const endpoints = [{ host: '127.0.0.1', port: 6379 }];
  const settings = InstanceSettings.parse({ name: 'dmz', topology: 'standalone', endpoints, workerLabel: 'dmz' });
  await insertInstanceRow({ id: 'dmz', settings, sealed, createdAt: 1, updatedAt: 1 });
  await sqlByHand(`insert into jobs (id, kind, instance_id, state, speed, params, actor, created_at, updated_at)
    select 'j' || i, 'scan' || i, 'dmz', 'queued', 'gentle', 'null', 'x', i, i from generate_series(1, 400) as n (i)`);
  await sqlByHand(`insert into jobs (id, kind, state, speed, params, actor, created_at, updated_at)
    values ('mine', 'scan1', 'queued', 'gentle', 'null', 'x', 1000, 1000)`);
  const kinds = Array.from({ length: 400 }, (_, i) => `scan${i + 1}`);
  expect((await readClaimView(kinds, ['running'], [])).queued.map(({ id }) => id)).toEqual(['mine']);
  expect((await readClaimView(kinds, ['running'], ['dmz'])).queued).toHaveLength(250);
});
