import { createHmac } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { generateKeyText, VAULT_KEY_FILE } from '@/lib/access/vault/key-file';
import { getVaultKeys } from '@/lib/access/vault/vault-key';
import { acceptLostKey } from '@/lib/maintenance/keys/accept-lost-key';
import { ENGINE, LOCAL_ADMIN } from '@/lib/model/actor';
import { config } from '@/lib/runtime/config';
import { listAuditRows } from '@/lib/store/audit';
import { runTransaction } from '@/lib/store/open-store';
import { getSetting, setSetting } from '@/lib/store/settings/settings';
import { sqlByHand } from '@/test/sql-by-hand';
import { temporaryData } from '@/test/temporary-data';
import { cutAudit } from './cut-audit';
import { recordAudit } from './record';
import { verifyAudit } from './verify-audit';

let data: ReturnType<typeof temporaryData>;
beforeEach(() => {
  data = temporaryData();
});
afterEach(async () => {
  vi.useRealTimers();
  await data.remove();
});

const NOW = Date.UTC(2026, 5, 1);
const LATER = NOW + 86_400_000;
const add = (subject: string, at: number) => {
  vi.useFakeTimers({ toFake: ['Date'], now: at });
  return runTransaction((tx) => recordAudit(tx, { actor: LOCAL_ADMIN, action: 'test.act', subject }));
};
/** Adds rows whose times are one second apart. */
async function addMany(count: number, from = 1) {
  for (let i = from; i < from + count; i++) await add(`s${i}`, NOW + i * 1000);
}
const cut = (rows: number) => cutAudit(ENGINE, { before: NOW + rows * 1000 + 1 });
const tamper = (...statements: string[]) => {
  const on = config.databaseUrl ? ' on audit' : '';
  return sqlByHand(`drop trigger audit_no_update${on}`, `drop trigger audit_no_delete${on}`, ...statements);
};

describe('retention', () => {
  it('removes the oldest rows, and the chain goes on across the cut', async () => {
    await addMany(5);
    expect(await cut(3)).toBe(3);
    await addMany(2, 7);
    expect(await verifyAudit()).toEqual({ ok: true, rows: 5, firstBad: null, cutUpTo: 3 });
    const rows = await listAuditRows({}, null, 100);
    expect(rows.map(({ seq, action }) => [seq, action])).toEqual([
      [8, 'test.act'],
      [7, 'test.act'],
      [6, 'audit.cut'],
      [5, 'test.act'],
      [4, 'test.act'],
    ]);
    expect(JSON.parse(rows[2]!.details)).toMatchObject({ rows: 3, upTo: 3, hash: rows[4]!.prev });
    // The row about the first cut is old enough by now and is removed too.
    expect(await cut(5)).toBe(3);
    expect(await verifyAudit()).toMatchObject({ ok: true, cutUpTo: 6 });
  });

  it('of everything keeps counting where it was', async () => {
    await addMany(3);
    expect(await cut(3)).toBe(3);
    await add('s', NOW + 9000);
    expect(await verifyAudit()).toEqual({ ok: true, rows: 2, firstBad: null, cutUpTo: 3 });
  });

  it('goes in more than one transaction, and stops at a row that is still to be written elsewhere', async () => {
    await runTransaction(async (tx) => {
      for (let i = 0; i < 25; i++) await recordAudit(tx, { actor: LOCAL_ADMIN, action: 'test.act', subject: 's' });
    });
    expect(await cutAudit(ENGINE, { before: Date.now() + 1000, upTo: 21, batch: 10 })).toBe(21);
    expect(await verifyAudit()).toMatchObject({ ok: true, cutUpTo: 21 });
  });

  it.each([
    ['an edited row before the cut', ["update audit set subject = 'x' where seq = 2"], 2, 'changed'],
    ['a missing row before the cut', ['delete from audit where seq = 2'], 2, 'missing'],
  ])('leaves %s as evidence', async (_what, statements, seq, problem) => {
    await addMany(5);
    await tamper(...statements);
    await expect(cut(3)).rejects.toMatchObject({ code: 'conflict', details: { seq, problem } });
    expect(await verifyAudit()).toMatchObject({ ok: false, firstBad: { seq, problem } });
  });

  it('lets nobody delete by mistake what is not cut', async () => {
    await addMany(5);
    await cut(3);
    await expect(sqlByHand('delete from audit where seq = 4')).rejects.toThrow('append-only');
    await expect(sqlByHand('delete from audit')).rejects.toThrow('append-only');
    await expect(sqlByHand("update audit set subject = 'x' where seq = 4")).rejects.toThrow('append-only');
    expect(await verifyAudit()).toMatchObject({ ok: true });
  });

  it.each([
    ['deletes behind the cut', ['delete from audit where seq = 4'], 4, 'missing'],
    ['edits behind the cut', ["update audit set subject = 'x' where seq = 4"], 4, 'changed'],
    ['takes the checkpoint away', ["delete from settings where name = 'audit_checkpoint'"], 1, 'missing'],
    [
      'moves the checkpoint',
      [
        "update settings set value = replace(value, '|3|', '|4|') where name = 'audit_checkpoint'",
        'delete from audit where seq = 4',
      ],
      5,
      'checkpoint',
    ],
    ['cuts the tail', ['delete from audit where seq >= 6'], 6, 'cut'],
  ] as const)('finds who %s', async (_what, statements, seq, problem) => {
    await addMany(5);
    await cut(3);
    await tamper(...statements);
    expect(await verifyAudit()).toMatchObject({ ok: false, firstBad: { seq, problem } });
  });

  it('finds who puts an older checkpoint back to bring deleted rows in between', async () => {
    await addMany(6);
    await cut(2);
    const older = await getSetting('audit_checkpoint');
    await cut(4);
    await setSetting('audit_checkpoint', older!);
    expect(await verifyAudit()).toMatchObject({ ok: false, firstBad: { seq: 3, problem: 'missing' } });
  });
});

describe('another key', () => {
  const file = () => join(data.dir, VAULT_KEY_FILE);
  const rotate = () => {
    const lines = readFileSync(file(), 'utf8');
    writeFileSync(file(), `${generateKeyText()}\n${lines}`, { mode: 0o600 });
  };

  it('goes on the chain, and a row says so', async () => {
    await addMany(2);
    const { kid } = getVaultKeys();
    rotate();
    expect(await verifyAudit()).toMatchObject({ ok: true, rows: 2 });
    await addMany(2, 3);
    expect(await verifyAudit()).toMatchObject({ ok: true, rows: 5 });
    const rows = await listAuditRows({ action: 'keys.changed' }, null, 10);
    expect(rows).toMatchObject([{ seq: 3, subject: getVaultKeys().kid, details: JSON.stringify({ before: kid }) }]);
    rotate();
    await addMany(1, 5);
    expect(await verifyAudit()).toMatchObject({ ok: true, rows: 7 });
    expect(await cut(4)).toBe(5);
    expect(await verifyAudit()).toMatchObject({ ok: true, cutUpTo: 5 });
  });

  it('may not be the former one again', async () => {
    await addMany(2);
    const old = readFileSync(file(), 'utf8');
    rotate();
    await addMany(1, 3);
    writeFileSync(file(), `${old}${readFileSync(file(), 'utf8').split('\n')[0]}\n`, { mode: 0o600 });
    await expect(addMany(1, 4)).rejects.toMatchObject({ code: 'vault_key' });
  });

  it('that was replaced forges nothing: neither a row at the end nor one in between', async () => {
    await addMany(2);
    const { kid, subKey } = getVaultKeys();
    rotate();
    await addMany(2, 3);
    const [last] = await listAuditRows({}, null, 1);
    const fields = [last!.seq + 1, NOW, 'x', 'x', 'page', 'keys.changed', 'x', null, 'done', '{}', last!.hash];
    const mac = createHmac('sha256', subKey('audit')).update(JSON.stringify(fields)).digest('hex');
    const head = createHmac('sha256', subKey('audit-head'))
      .update(`${last!.seq + 1}|${kid}:${mac}`)
      .digest('hex');
    await sqlByHand(
      `insert into audit (seq, at, actor_id, actor_name, via, action, subject, outcome, details, prev, hash)
        values (${last!.seq + 1}, ${NOW}, 'x', 'x', 'page', 'keys.changed', 'x', 'done', '{}', '${last!.hash}', '${kid}:${mac}')`,
      `update settings set value = '${last!.seq + 1}|${head}' where name = 'audit_head'`,
    );
    expect(await verifyAudit()).toMatchObject({ ok: false, firstBad: { seq: last!.seq + 1, problem: 'other_key' } });
  });

  it('without the former one is told from a change', async () => {
    await addMany(2);
    writeFileSync(file(), `${generateKeyText()}\n`, { mode: 0o600 });
    await expect(addMany(1, 3)).rejects.toMatchObject({ code: 'vault_key' });
    await runTransaction((tx) => recordAudit(tx, { actor: ENGINE, action: 'keys.lost', subject: 'k' }));
    await addMany(1, 4);
    expect(await verifyAudit()).toMatchObject({ ok: false, firstBad: { seq: 1, problem: 'other_key' } });
  });
});

describe('a key that was given up as lost', () => {
  const file = () => join(data.dir, VAULT_KEY_FILE);
  /**
   * Creates two rows of a key that is then replaced, two or three of a key that is lost, and two of the present key.
   */
  async function lose(): Promise<string> {
    await addMany(2);
    const [kept] = readFileSync(file(), 'utf8').split('\n');
    writeFileSync(file(), `${generateKeyText()}\n${kept}\n`, { mode: 0o600 });
    await addMany(1, 3);
    const { kid } = getVaultKeys();
    writeFileSync(file(), `${generateKeyText()}\n${kept}\n`, { mode: 0o600 });
    await acceptLostKey(ENGINE, kid);
    await add('s5', NOW + 5000);
    return kid;
  }

  it('leaves its rows unchecked, and all others checked', async () => {
    const key = await lose();
    const unchecked = [{ from: 3, upTo: 4, key }];
    expect(await verifyAudit()).toEqual({ ok: true, rows: 6, firstBad: null, cutUpTo: 0, unchecked });
  });

  it.each([
    ['edits a row of a key that is here', "update audit set subject = 'x' where seq = 2", 2, 'changed'],
    ['edits a row after it', "update audit set subject = 'x' where seq = 6", 6, 'changed'],
    ['removes one of its rows', 'delete from audit where seq = 4', 4, 'missing'],
    ['exchanges its rows', "update audit set prev = 'x' where seq = 4", 4, 'changed'],
    ['edits the row that says so', "update audit set subject = 'x' where seq = 5", 3, 'other_key'],
    [
      'has it sign later rows',
      'update audit set hash = (select hash from audit where seq = 4) where seq = 6',
      6,
      'other_key',
    ],
  ])('finds who %s', async (_what, statement, seq, problem) => {
    await lose();
    await tamper(statement);
    expect(await verifyAudit()).toMatchObject({ ok: false, firstBad: { seq, problem } });
  });

  it('is not believed of a row that no key here has signed', async () => {
    const key = await lose();
    await tamper(`update audit set action = 'test.act' where seq = 5`);
    const [row] = await listAuditRows({}, null, 1);
    await sqlByHand(
      `insert into audit (seq, at, actor_id, actor_name, via, action, subject, outcome, details, prev, hash)
        values (7, ${NOW}, 'x', 'x', 'page', 'keys.lost', '${key}', 'done', '{}', '${row!.hash}', '${row!.hash}')`,
    );
    expect(await verifyAudit()).toMatchObject({ ok: false, firstBad: { seq: 3, problem: 'other_key' } });
  });

  it('lets retention go on, in the middle of its rows and behind them', async () => {
    const key = await lose();
    expect(await cutAudit(ENGINE, { before: LATER, upTo: 3 })).toBe(3);
    expect(await verifyAudit()).toMatchObject({ ok: true, cutUpTo: 3, unchecked: [{ from: 4, upTo: 4, key }] });
    expect(await cutAudit(ENGINE, { before: LATER, upTo: 5 })).toBe(2);
    expect(await verifyAudit()).toEqual({ ok: true, rows: 3, firstBad: null, cutUpTo: 5 });
  });

  it('had signed where retention has cut: the present one does, on record', async () => {
    await addMany(4);
    await cut(2);
    const { kid } = getVaultKeys();
    writeFileSync(file(), `${generateKeyText()}\n`, { mode: 0o600 });
    expect(await verifyAudit()).toMatchObject({ ok: false, firstBad: { problem: 'checkpoint' } });
    await acceptLostKey(ENGINE, kid);
    expect(await verifyAudit()).toMatchObject({ ok: true, cutUpTo: 2, unchecked: [{ from: 3, upTo: 5, key: kid }] });
    const [row] = await listAuditRows({ action: 'keys.lost' }, null, 1);
    expect(JSON.parse(row!.details)).toMatchObject({ cutUpTo: 2 });
    expect(await cutAudit(ENGINE, { before: LATER, upTo: 4 })).toBe(2);
    expect(await verifyAudit()).toMatchObject({ ok: true, cutUpTo: 4 });
  });

  it('is no way to have a checkpoint signed that was moved, where another key had signed it', async () => {
    await addMany(4);
    await cut(2);
    const [kept] = readFileSync(file(), 'utf8').split('\n');
    writeFileSync(file(), `${generateKeyText()}\n${kept}\n`, { mode: 0o600 });
    await addMany(1, 5);
    const { kid } = getVaultKeys();
    await sqlByHand("update settings set value = replace(value, '|2|', '|3|') where name = 'audit_checkpoint'");
    writeFileSync(file(), `${generateKeyText()}\n${kept}\n`, { mode: 0o600 });
    await acceptLostKey(ENGINE, kid);
    expect(await verifyAudit()).toMatchObject({ ok: false, firstBad: { problem: 'checkpoint' } });
  });
});
