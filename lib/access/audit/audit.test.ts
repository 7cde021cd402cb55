import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { listAudit } from '@/lib/access/audit-log/list-audit';
import { LOCAL_ADMIN } from '@/lib/model/actor';
import { config } from '@/lib/runtime/config';
import { closeStore, runTransaction } from '@/lib/store/open-store';
import { sqlByHand } from '@/test/sql-by-hand';
import { temporaryData } from '@/test/temporary-data';
import { recordAudit } from './record';
import { verifyAudit } from './verify-audit';

let data: ReturnType<typeof temporaryData>;
beforeEach(() => {
  data = temporaryData();
});
afterEach(() => data.remove());

const add = (subject: string, details = {}) =>
  runTransaction((tx) => recordAudit(tx, { actor: LOCAL_ADMIN, action: 'test.act', subject, details }));
async function addMany(count: number) {
  for (let i = 1; i <= count; i++) await add(`s${i}`, { i });
}
/** Changes rows as somebody who can write the database but has no key. */
async function tamper(...statements: string[]) {
  const on = config.databaseUrl ? ' on audit' : '';
  await sqlByHand(`drop trigger audit_no_update${on}`, `drop trigger audit_no_delete${on}`, ...statements);
}

describe('the chain', () => {
  it('holds for what was written, also when nothing was', async () => {
    expect(await verifyAudit()).toEqual({ ok: true, rows: 0, firstBad: null, cutUpTo: 0 });
    await addMany(5);
    expect(await verifyAudit()).toEqual({ ok: true, rows: 5, firstBad: null, cutUpTo: 0 });
  });

  it.each([
    ['an edited subject', ["update audit set subject = 'other' where seq = 3"], 3, 'changed'],
    ['an edited actor', ["update audit set actor_name = 'nobody' where seq = 3"], 3, 'changed'],
    ['an edited time', ['update audit set at = at + 1 where seq = 2'], 2, 'changed'],
    ['edited details', ["update audit set details = '{}' where seq = 4"], 4, 'changed'],
    ['an edited role', ["update audit set role = 'viewer' where seq = 3"], 3, 'changed'],
    ['a role taken away', ['update audit set role = null where seq = 3'], 3, 'changed'],
    ['an edited address', ["update audit set address = '10.0.0.1' where seq = 3"], 3, 'changed'],
    ['an edited session', ["update audit set session = 's' where seq = 3"], 3, 'changed'],
    ['an edited intent', ['update audit set intent = 1 where seq = 3'], 3, 'changed'],
    ['an edited outcome', ["update audit set outcome = 'refused' where seq = 1"], 1, 'changed'],
    ['a deleted row', ['delete from audit where seq = 3'], 3, 'missing'],
    ['a deleted first row', ['delete from audit where seq = 1'], 1, 'missing'],
    ['a cut tail', ['delete from audit where seq >= 4'], 4, 'cut'],
    ['everything gone', ['delete from audit'], 1, 'cut'],
    [
      'two rows that changed places',
      [
        'update audit set seq = 99 where seq = 2',
        'update audit set seq = 2 where seq = 3',
        'update audit set seq = 3 where seq = 99',
      ],
      2,
      'changed',
    ],
    [
      'a closed gap',
      [
        'delete from audit where seq = 3',
        'update audit set seq = 3 where seq = 4',
        'update audit set seq = 4 where seq = 5',
      ],
      3,
      'changed',
    ],
    [
      'a forged row at the end',
      [
        'insert into audit select 6, at, actor_id, actor_name, via, action, subject, instance_id, outcome, details, hash, hash, role, address, session, intent from audit where seq = 5',
      ],
      6,
      'changed',
    ],
    [
      'a cut tail with the head taken away',
      ['delete from audit where seq >= 4', "delete from settings where name = 'audit_head'"],
      4,
      'cut',
    ],
  ] as const)('finds %s', async (_what, statements, seq, problem) => {
    await addMany(5);
    await tamper(...statements);
    expect(await verifyAudit()).toMatchObject({ ok: false, firstBad: { seq, problem } });
  });

  it('tells a lost key from a changed row', async () => {
    await addMany(2);
    await closeStore();
    process.env.COLONNADE_KEY = 'q7Zr2Lk9Xw4TnB8vYc1MfHd6JpSg3EaU';
    expect(await verifyAudit()).toMatchObject({ ok: false, firstBad: { seq: 1, problem: 'other_key' } });
    delete process.env.COLONNADE_KEY;
  });

  it('cannot be edited by mistake', async () => {
    await addMany(1);
    await expect(sqlByHand("update audit set subject = 'x'")).rejects.toThrow('append-only');
    await expect(sqlByHand('delete from audit')).rejects.toThrow('append-only');
  });
});

describe('records', () => {
  it('belong to the transaction of the act: no act, no row', async () => {
    await expect(
      runTransaction(async (tx) => {
        await recordAudit(tx, { actor: LOCAL_ADMIN, action: 'test.act', subject: 's' });
        throw new Error('no');
      }),
    ).rejects.toThrow('no');
    expect((await listAudit(LOCAL_ADMIN)).rows).toEqual([]);
  });

  it('are listed newest first, page by page', async () => {
    await addMany(7);
    const first = await listAudit(LOCAL_ADMIN, { limit: 3 });
    expect(first.rows.map((row) => row.subject)).toEqual(['s7', 's6', 's5']);
    const second = await listAudit(LOCAL_ADMIN, { limit: 3, cursor: first.nextCursor });
    const third = await listAudit(LOCAL_ADMIN, { limit: 3, cursor: second.nextCursor });
    expect([...second.rows, ...third.rows].map((row) => row.subject)).toEqual(['s4', 's3', 's2', 's1']);
    expect(third.nextCursor).toBeNull();
    await expect(listAudit(LOCAL_ADMIN, { cursor: '1; drop' })).rejects.toMatchObject({ code: 'bad_request' });
  });

  it('blank a field that is named like a secret', async () => {
    await add('s', { host: 'h', password: 'hunter2', nested: { sentinelPassword: 'hunter2', apiToken: 'hunter2' } });
    const [row] = (await listAudit(LOCAL_ADMIN)).rows;
    expect(JSON.stringify(row)).not.toContain('hunter2');
    expect(row?.details).toMatchObject({ host: 'h', password: '***' });
  });
});
