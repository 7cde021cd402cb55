import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { buildTombstoneName } from '@/lib/deletions/journal/item-names';
import { getJournal } from '@/lib/deletions/journal/write-journal';
import { verifyArchive } from '../../lib/access/vault/archive-reader';
import { undoDeletion } from '../../lib/deletions/undo-deletion';
import { pauseJob } from '../../lib/jobs/pause-job';
import { resumeJob } from '../../lib/jobs/resume-job';
import { LOCAL_ADMIN } from '../../lib/model/actor';
import { updateItems } from '../../lib/store/deletions/deletion-items';
import { getDb } from '../../lib/store/open-store';
import { digestOfAll } from '../deletions/digest';
import { finishJob } from '../deletions/faults/finish-job';
import type { Fixture } from '../deletions/faults/fixture';
import { type Kind, SMALL_HASH, SMALL_STRING } from '../deletions/faults/kinds';
import { crashAt, openWithWorkers } from '../deletions/faults/worker-process';
import { startNext } from './next-worker';

/**
 * The process ends by SIGKILL in the middle of many small keys, whose journal is written after the commands it
 * describes.
 */
const KINDS: Kind[] = [
  SMALL_STRING,
  SMALL_HASH,
  { ...SMALL_HASH, type: 'set', length: 3, bytes: 80, seed: (client, name) => client.sadd(name, 1, 2, 3) },
  { ...SMALL_HASH, type: 'list', length: 3, bytes: 90, seed: (client, name) => client.rpush(name, 'a', 'b', 'a') },
  { ...SMALL_HASH, type: 'zset', length: 2, bytes: 90, seed: (client, name) => client.zadd(name, 0.1, name, 2, 'b') },
];
const small = (keys: number, kinds: Kind[]) =>
  Array.from({ length: keys }, (_, i): [string, Kind] => [`small:${i}`, kinds[i % kinds.length] as Kind]);

async function finish({ folder, stand }: Fixture, job: string): Promise<void> {
  const last = await startNext(folder);
  await finishJob(stand, job);
  await last.end();
}

it('without a copy: what was removed as our process ended is done, and what is made anew under its name stays', async () => {
  const fixture = await openWithWorkers(small(100, [SMALL_STRING, SMALL_HASH]));
  const { client, keys } = fixture;
  const id = await fixture.plan({ mode: 'unlink' });
  const job = await fixture.stand.start(id);
  await crashAt(fixture, { word: 'UNLINK', after: 99, act: 'mute' });
  await expect.poll(async () => (await client.keys('colonnade:trash:*')).length).toBe(0);
  for (const { kind, name } of keys.slice(0, 40)) await kind.seed(client, name);
  const theirs = await digestOfAll(client);
  await finish(fixture, job);
  expect(await digestOfAll(client)).toBe(theirs);
  for (const item of await fixture.stand.items(id)) expect(item).toMatchObject({ state: 'done', undoUntil: null });
});

/** Every second key has no expiry; of those with one, the last is quarantined. */
async function openMany(count: number) {
  const fixture = await openWithWorkers(small(count, KINDS));
  const { client, keys } = fixture;
  for (const [i, { name }] of keys.entries()) if (i % 2) await client.persist(name);
  const plan = () =>
    fixture.stand.plan(
      keys.map(({ name, kind: { type, length, bytes } }, i) => {
        const mode = i % 4 === 0 ? ('quarantine' as const) : ('archive' as const);
        return { name, type, length, bytes, expireAt: i % 2 ? null : fixture.expireAt, mode };
      }),
    );
  const expiries = () => Promise.all(keys.map(({ name }) => client.pexpiretime(name)));
  return { fixture, plan, expiries, before: { digest: await digestOfAll(client), expiries: await expiries() } };
}

/** At any moment: no key is deleted without its record in an archive, and the counters match the items. */
async function expectKept({ client, stand }: Fixture, id: string): Promise<void> {
  const lost: number[] = [];
  const known = new Map<string, ReturnType<typeof verifyArchive>>();
  for (const item of await stand.items(id)) {
    if ((await client.exists(item.name, buildTombstoneName(item))) > 0) continue;
    const [file = ''] = getJournal(item).archives ?? [];
    const verified = known.get(file) ?? (file === '' ? null : verifyArchive(file, id, { tornTail: true }));
    if (verified) known.set(file, verified);
    if (!(await verified)?.keys.get(item.seq)?.end) lost.push(item.seq);
  }
  expect(lost).toEqual([]);
  const db = await getDb(undefined);
  const sums = sql.raw('sum(removed) as removed, sum(archive_bytes) as bytes, sum(elements) as elements');
  const counted = await sql`select state, sum(keys) as keys, ${sums} from deletion_counts
    where deletion_id = ${id} and keys <> 0 group by 1 order by 1`.execute(db);
  const listed = await sql`select state, count(*) as keys, ${sums} from deletion_items
    where deletion_id = ${id} group by 1 order by 1`.execute(db);
  expect(counted.rows).toEqual(listed.rows);
}

it('removed, purged and brought back through crashes: every value and every expiry returns', async () => {
  const { fixture, plan, expiries, before } = await openMany(60);
  const { client, stand } = fixture;
  const crash = async (...fault: [word: string, after: number, act: 'hold' | 'mute']) => {
    const [word, after, act] = fault;
    await crashAt(fixture, { word, after, act });
    await expectKept(fixture, id);
  };
  const id = await plan();
  const run = await stand.start(id);
  await crash('EVAL', 59, 'mute');
  await crash('UNLINK', 12, 'hold');
  await finish(fixture, run);

  const waiting = (await stand.items(id)).filter(({ state }) => state === 'quarantined');
  expect(waiting).toHaveLength(15);
  const due = waiting.map(({ seq, journal }) => ({ seq, patch: { journal: { ...(journal as object), purgeAt: 1 } } }));
  await updateItems(id, due);
  const purge = await stand.start(id, 'purge');
  await crash('UNLINK', 8, 'mute');
  await finish(fixture, purge);
  await expectKept(fixture, id);
  expect(await client.keys('small:*')).toEqual([]);

  await client.set('small:7', 'theirs');
  const undo = await stand.start(id, 'undo');
  await crash('ZADD', 6, 'hold');
  await finish(fixture, undo);
  expect(await client.getdel('small:7')).toBe('theirs');
  const again = await stand.start(id, 'undo');
  await finish(fixture, again);
  expect({ digest: await digestOfAll(client), expiries: await expiries() }).toEqual(before);
  await expectKept(fixture, id);
});

it('paused behind a crash and undone: what was set aside is home, whatever the journal had not told yet', async () => {
  const { fixture, plan, expiries, before } = await openMany(40);
  const { client, stand } = fixture;
  const id = await plan();
  const run = await stand.start(id);
  // All are tombstones, and for those to archive the journal contains only the intention.
  await crashAt(fixture, { word: 'EVAL', after: 39, act: 'mute' });
  await pauseJob(LOCAL_ADMIN, run);
  const pausing = await startNext(fixture.folder);
  await stand.until(run, ['paused']);
  await pausing.end();
  const { job } = await undoDeletion(LOCAL_ADMIN, id, { restoreExpired: false });
  await crashAt(fixture, { word: 'PERSIST', after: 10, act: 'mute' });
  await finish(fixture, job?.id ?? '');
  await expect(resumeJob(LOCAL_ADMIN, run)).rejects.toMatchObject({ code: 'conflict' });
  expect({ digest: await digestOfAll(client), expiries: await expiries() }).toEqual(before);
  await expectKept(fixture, id);
});
