import { mkdirSync, readFileSync, renameSync, rmSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { recordAudit } from '@/lib/access/audit/record';
import { type Actor, LOCAL_ADMIN } from '@/lib/model/actor';
import { AuditFilter } from '@/lib/model/audit';
import { runTransaction } from '@/lib/store/open-store';
import { temporaryData } from '@/test/temporary-data';
import { checkAuditOutput, countUnwrittenAudit } from './audit-output-mark';
import { cutOldAudit } from './cut-old-audit';
import { exportAudit } from './export-audit';
import { listAudit, listAuditChoices } from './list-audit';
import { keepWritingAudit, writeAuditOutput } from './write-audit-output';

let data: ReturnType<typeof temporaryData>;
beforeEach(() => {
  data = temporaryData();
});
afterEach(async () => {
  vi.unstubAllEnvs();
  vi.useRealTimers();
  await data.remove();
});

const DAY = Date.UTC(2026, 5, 1);
const ada: Actor = { id: 'u1', name: 'ada', role: 'operator', via: 'page', sessionId: 's1', address: '10.1.2.3' };
const bot: Actor = { id: 'u2', name: 'bob (token ci)', role: 'viewer', via: 'token', tokenId: 't1', address: '::1' };
async function add(actor: Actor, action: string, more: object = {}, at = DAY) {
  vi.useFakeTimers({ toFake: ['Date'], now: at });
  return runTransaction((tx) => recordAudit(tx, { actor, action, subject: 's', ...more }));
}
const list = async (asked: Parameters<typeof listAudit>[1] = {}) =>
  (await listAudit(LOCAL_ADMIN, asked)).rows.map(({ seq }) => seq);
const text = async (format: 'csv' | 'jsonl', filter = {}) =>
  new Response((await exportAudit(LOCAL_ADMIN, filter, format)).stream).text();

describe('the list', () => {
  it('says who, in which role, from where and in which session', async () => {
    await add(ada, 'job.create');
    await add(bot, 'job.pause');
    await add(LOCAL_ADMIN, 'session.start', { details: { address: '10.9.9.9' } });
    expect((await listAudit(LOCAL_ADMIN)).rows).toMatchObject([
      { actor: 'local admin', role: 'admin', address: '10.9.9.9', session: null },
      { actor: 'bob (token ci)', actorId: 'u2', role: 'viewer', address: '::1', session: 'token t1', via: 'token' },
      { actor: 'ada', actorId: 'u1', role: 'operator', address: '10.1.2.3', session: 's1', via: 'page' },
    ]);
  });

  it('is filtered by person, action, instance and time, page by page', async () => {
    await add(ada, 'deletion.plan', { instanceId: 'i1' }, DAY);
    await add(ada, 'deletion.start', { instanceId: 'i1' }, DAY + 1000);
    await add(bot, 'job.create', { instanceId: 'i2' }, DAY + 2000);
    await add(ada, 'job.create', { instanceId: 'i2' }, DAY + 3000);
    expect(await list({ person: 'ada' })).toEqual([4, 2, 1]);
    expect(await list({ person: 'ad' })).toEqual([]);
    expect(await list({ action: 'job.create' })).toEqual([4, 3]);
    expect(await list({ action: 'deletion.' })).toEqual([2, 1]);
    expect(await list({ instance: 'i2' })).toEqual([4, 3]);
    expect(await list({ from: DAY + 1000, to: DAY + 3000 })).toEqual([3, 2]);
    expect(await list({ person: 'ada', action: 'job.create', instance: 'i2', from: DAY + 3000 })).toEqual([4]);
    const first = await listAudit(LOCAL_ADMIN, { person: 'ada', limit: 2 });
    expect(first.nextCursor).toBe('2');
    expect(await list({ person: 'ada', limit: 2, cursor: first.nextCursor })).toEqual([1]);
    expect(await listAuditChoices(LOCAL_ADMIN)).toEqual({
      people: ['ada', 'bob (token ci)'],
      actions: ['deletion.plan', 'deletion.start', 'job.create'],
    });
  });

  it('has an intent and its outcome in one line; an intent without one stands by itself', async () => {
    const intent = await add(ada, 'instance.test', { outcome: 'intent' }, DAY);
    await add(bot, 'instance.test', { outcome: 'intent' }, DAY + 1000);
    await add(ada, 'instance.test', { outcome: 'failed', intent }, DAY + 2000);
    expect((await listAudit(LOCAL_ADMIN)).rows).toMatchObject([
      { seq: 3, outcome: 'failed', intent: { seq: 1, at: DAY } },
      { seq: 2, outcome: 'intent', intent: null },
    ]);
  });

  it.each([
    ['from', { from: 'yesterday' }],
    ['to', { to: '2026-13-45' }],
    ['action', { action: 'drop table' }],
    ['instance', { instance: "' or 1=1" }],
    ['person', { person: '' }],
  ])('refuses %s that is none', (_what, asked) => {
    expect(AuditFilter.safeParse(asked).success).toBe(false);
  });
  it('takes dates and moments', () => {
    expect(AuditFilter.parse({ from: '2026-06-01', to: String(DAY) })).toEqual({ from: DAY, to: DAY });
  });
});

describe('the export', () => {
  it('holds every row under the filter, the oldest first, in both formats', async () => {
    await runTransaction(async (tx) => {
      for (let i = 0; i < 2100; i++)
        await recordAudit(tx, { actor: i % 2 ? ada : bot, action: 'test.act', subject: `s${i}` });
    });
    const lines = (await text('jsonl', { person: 'ada' }))
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(lines).toHaveLength(1050);
    expect(lines[0]).toMatchObject({ seq: 2, subject: 's1', actor: 'ada', session: 's1', intent: null });
    expect(lines.at(-1)).toMatchObject({ seq: 2100, hash: expect.stringMatching(/^[0-9a-f]{8}:/) });
    expect((await text('csv', { person: 'ada' })).trimEnd().split('\n')).toHaveLength(1051);
  });

  it('runs nothing in a spreadsheet, and one cell stays one cell', async () => {
    await add({ ...ada, name: "=cmd|'/c calc'!A1" }, 'test.act', { subject: '+1,"x"\n@SUM', details: { a: '=1' } });
    const csv = await text('csv');
    expect(csv).toMatch(/^seq,time,/);
    expect(csv).toContain(`,'=cmd|'/c calc'!A1,`);
    expect(csv).toContain(`"'+1,""x""\\u000a@SUM"`);
  });

  it('makes nothing before it is asked for, and ends when the reader leaves', async () => {
    await add(ada, 'test.act');
    const { stream } = await exportAudit(LOCAL_ADMIN, {}, 'csv');
    await stream.cancel();
    expect(await text('jsonl', { person: 'nobody' })).toBe('');
  });
});

describe('lines for other programs', () => {
  const file = () => join(data.dir, 'audit.jsonl');
  const lines = () => readFileSync(file(), 'utf8').trimEnd().split('\n');
  const seqs = () => lines().map((line) => JSON.parse(line).seq);
  beforeEach(() => vi.stubEnv('COLONNADE_AUDIT_OUTPUT', file()));

  it('come once each, in order, with what is on record', async () => {
    for (let i = 0; i < 3; i++) await add(ada, 'test.act');
    expect(await writeAuditOutput()).toBe(3);
    expect(await writeAuditOutput()).toBe(0);
    await add(bot, 'test.act');
    expect(await countUnwrittenAudit()).toBe(1);
    await writeAuditOutput();
    expect(seqs()).toEqual([1, 2, 3, 4]);
    expect(JSON.parse(lines()[3]!)).toMatchObject({ event: 'audit', actor: 'bob (token ci)', session: 'token t1' });
  });

  it('escape what moves a cursor, turns text around or is a command of a pipeline, and keep it as text', async () => {
    const reason = 'a\u202eb\u009b31m\u0085 ##vso[task.complete]';
    await add(ada, 'test.act', { subject: reason, details: { reason } });
    await writeAuditOutput();
    const said = [readFileSync(file(), 'utf8'), await text('jsonl')];
    for (const one of said) expect(one).not.toMatch(/[\u202e\u0080-\u009f]|##vso/);
    for (const one of said) expect(JSON.parse(one)).toMatchObject({ subject: reason, details: { reason } });
  });

  it('say nothing of what was rolled back', async () => {
    await expect(
      runTransaction(async (tx) => {
        await recordAudit(tx, { actor: ada, action: 'test.act', subject: 's' });
        throw new Error('no');
      }),
    ).rejects.toThrow('no');
    expect(await writeAuditOutput()).toBe(0);
  });

  it('wait while the file cannot be written, and lose nothing', async () => {
    await add(ada, 'test.act');
    mkdirSync(file());
    vi.useRealTimers();
    const writing = keepWritingAudit('me');
    const health = (expected: object) =>
      vi.waitFor(async () => expect(await checkAuditOutput()).toMatchObject(expected), { timeout: 5000 });
    await health({ ok: false, behind: 1, error: 'EISDIR' });
    // A process that may not write now does not take the error of the other one back.
    const other = keepWritingAudit('other');
    await other.stop();
    await health({ ok: false, error: 'EISDIR' });
    await runTransaction((tx) => recordAudit(tx, { actor: ada, action: 'test.act', subject: 's' }));
    rmSync(file(), { recursive: true });
    await vi.waitFor(() => expect(seqs()).toEqual([1, 2]), { timeout: 5000 });
    await health({ ok: true, behind: 0, error: null });
    await writing.stop();
  });

  it('follow a file that is renamed away, and begin a new line behind one that was cut off', async () => {
    await add(ada, 'test.act');
    await writeAuditOutput();
    renameSync(file(), `${file()}.1`);
    await add(ada, 'test.act');
    await writeAuditOutput();
    expect(seqs()).toEqual([2]);
    truncateSync(file(), 20);
    await add(ada, 'test.act');
    await writeAuditOutput();
    expect(JSON.parse(lines().at(-1)!).seq).toBe(3);
    expect(lines()).toHaveLength(2);
  });

  it('are written by one process at a time', async () => {
    await add(ada, 'test.act');
    vi.useRealTimers();
    const [one, two] = [keepWritingAudit('one'), keepWritingAudit('two')];
    for (let i = 0; i < 20; i++)
      await runTransaction((tx) => recordAudit(tx, { actor: ada, action: 'test.act', subject: 's' }));
    await vi.waitFor(async () => expect(await countUnwrittenAudit()).toBe(0), { timeout: 8000 });
    await Promise.all([one.stop(), two.stop()]);
    expect(seqs()).toEqual(Array.from({ length: 21 }, (_, i) => i + 1));
  });

  it('are written before retention may remove them', async () => {
    vi.stubEnv('COLONNADE_AUDIT_KEEP_DAYS', '10');
    for (let i = 0; i < 3; i++) await add(ada, 'test.act', {}, DAY + i);
    const later = DAY + 11 * 86_400_000;
    expect(await cutOldAudit(later)).toBe(0);
    await writeAuditOutput();
    expect(await cutOldAudit(later)).toBe(3);
    vi.stubEnv('COLONNADE_AUDIT_KEEP_DAYS', '0');
    expect(await cutOldAudit(later + 1e12)).toBe(0);
  });
});
