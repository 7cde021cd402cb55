import { once } from 'node:events';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { leftovers } from '../../../lib/deletions/leftovers';
import { resumeJob } from '../../../lib/jobs/resume-job';
import { LOCAL_ADMIN } from '../../../lib/model/actor';
import { sleep } from '../../servers/process';
import { type Cell, openCell } from './cell';
import type { Fault } from './fault-proxy';
import { KINDS, type Kind } from './kinds';

/**
 * Every kind of key against every fault, struck at a chosen command. Whatever happens: the key comes back as it was,
 * what an application writes meanwhile stays, no neighbour is touched, and nothing of ours is left behind unsaid.
 * Each fault meets some of the kinds here, in turn; LONG=1 runs every cell.
 */
const LONG = process.env.LONG === '1';

interface Row {
  fault: string;
  /** How many kinds it meets in the short run. */
  kinds?: number;
  args?: string[];
  ownRunner?: boolean;
  run(cell: Cell): Promise<void>;
}

/** Removed, checked, brought back, checked. */
async function thereAndBack(cell: Cell, id: string, job: string): Promise<void> {
  await cell.through(job);
  await cell.expectGone(id);
  await cell.through(await cell.stand.start(id, 'undo'));
  await cell.expectBack(id);
}

/** The line does something to one command on the way there. */
const line = (fault: (kind: Kind) => Fault | null) => async (cell: Cell) => {
  const chosen = fault(cell.kind);
  const id = await cell.plan();
  const start = () => cell.stand.start(id);
  const job = chosen ? (await cell.strike(chosen, start)).job : await start();
  await thereAndBack(cell, id, job);
};

/** The line does something to one command on the way back. */
const back = (fault: (kind: Kind) => Fault) => async (cell: Cell) => {
  const id = await cell.plan();
  await cell.through(await cell.stand.start(id));
  await cell.expectGone(id);
  const { job } = await cell.strike(fault(cell.kind), () => cell.stand.start(id, 'undo'));
  await cell.through(job);
  await cell.expectBack(id);
};

/** Something happens around the server while one command waits at its door. */
const middle = (act: (cell: Cell) => Promise<unknown>) => async (cell: Cell) => {
  const id = await cell.plan();
  const { held, job } = await cell.strike({ ...cell.kind.middle, act: 'hold' }, () => cell.stand.start(id));
  await act(cell);
  held.release();
  await thereAndBack(cell, id, job);
};

const denied = (word: (kind: Kind) => string) => async (cell: Cell) => {
  const command = word(cell.kind);
  const id = await cell.plan();
  const { held, job } = await cell.strike({ word: command, act: 'hold' }, () => cell.stand.start(id));
  await cell.client.call('ACL', 'SETUSER', 'default', `-${command.toLowerCase()}`);
  held.release();
  await cell.through(job);
  expect(await cell.item(id)).toMatchObject({ state: 'needs_review', reason: { code: 'denied' } });
  expect(await leftovers(LOCAL_ADMIN, cell.stand.instanceId)).toMatchObject([{ owned: true, original: cell.name }]);
  await cell.client.call('ACL', 'SETUSER', 'default', '+@all');
  await cell.through(await cell.stand.start(id, 'undo'));
  await cell.expectBack(id);
};

const ROWS: Row[] = [
  { fault: 'nothing', kinds: 9, run: line(() => null) },
  { fault: 'the reply to the rename is lost', kinds: 3, run: line(() => ({ word: 'EVAL', act: 'swallow' })) },
  {
    fault: 'the reply to a rename without a script is lost',
    kinds: 2,
    async run(cell) {
      await cell.client.call('ACL', 'SETUSER', 'default', '-eval', '-multi');
      const id = await cell.plan();
      const { job } = await cell.strike({ word: 'RENAMENX', act: 'swallow' }, () => cell.stand.start(id));
      const { held } = await cell.strike({ ...cell.kind.middle, act: 'hold' }, async () => job);
      // What is set aside does not expire, although the rename alone left the expiry on it.
      const [ours = ''] = await cell.client.keys('colonnade:trash:*');
      expect(await cell.client.pttl(ours)).toBe(-1);
      held.release();
      await thereAndBack(cell, id, job);
    },
  },
  { fault: 'the rename never arrives', run: line(() => ({ word: 'EVAL', act: 'lose' })) },
  { fault: 'the reply to a read is lost', kinds: 2, run: line(({ read }) => ({ word: read, act: 'swallow' })) },
  { fault: 'the reply to a removal is lost', kinds: 3, run: line((kind) => ({ ...kind.middle, act: 'swallow' })) },
  { fault: 'a removal never arrives', kinds: 2, run: line((kind) => ({ ...kind.middle, act: 'lose' })) },
  { fault: 'the reply to the last step is lost', kinds: 2, run: line(() => ({ word: 'UNLINK', act: 'swallow' })) },
  { fault: 'replies come late', run: line((kind) => ({ ...kind.middle, act: 'delay', ms: 400 })) },
  { fault: 'carried out, then silence', run: line((kind) => ({ ...kind.middle, act: 'mute' })) },
  { fault: 'silence', run: line((kind) => ({ ...kind.middle, act: 'blackhole' })) },
  {
    fault: 'the reply to a rebuilding write is lost',
    kinds: 3,
    run: back(({ build }) => ({ word: build, act: 'swallow' })),
  },
  { fault: 'the reply to the last rename is lost', kinds: 3, run: back(() => ({ word: 'RENAMENX', act: 'swallow' })) },
  {
    fault: 'the process is killed',
    ownRunner: true,
    async run(cell) {
      const id = await cell.plan();
      const job = await cell.stand.start(id);
      for (const act of ['hold', 'swallow'] as const) {
        const child = await cell.strike(
          { ...cell.kind.middle, ...(act === 'swallow' && { after: 0 }), act },
          async () => {
            const { pid = 0 } = await cell.worker();
            return String(pid);
          },
        );
        process.kill(Number(child.job), 'SIGKILL');
        child.held.drop();
      }
      const last = await cell.worker();
      await cell.through(job);
      await cell.expectGone(id);
      await cell.through(await cell.stand.start(id, 'undo'));
      await cell.expectBack(id);
      last.kill('SIGKILL');
      await once(last, 'exit');
    },
  },
  {
    fault: 'the server is killed',
    kinds: 3,
    args: ['--appendonly', 'yes', '--appendfsync', 'always'],
    run: middle(async ({ redis }) => {
      await redis.kill('SIGKILL');
      await redis.restart();
    }),
  },
  {
    fault: 'the server stands still for two seconds',
    run: middle(async ({ redis }) => {
      await redis.kill('SIGSTOP');
      setTimeout(() => void redis.kill('SIGCONT'), 2000);
    }),
  },
  {
    fault: 'no memory',
    kinds: 3,
    async run(cell) {
      const id = await cell.plan();
      const { held, job } = await cell.strike({ word: 'EVAL', act: 'hold' }, () => cell.stand.start(id));
      await cell.client.config('SET', 'maxmemory', '1');
      held.release();
      await cell.through(job);
      await cell.expectGone(id);
      const undo = await cell.stand.start(id, 'undo');
      expect((await cell.stand.until(undo, ['paused']))?.job.reason?.code).toBe('no_memory');
      await cell.client.config('SET', 'maxmemory', '0');
      await resumeJob(LOCAL_ADMIN, undo);
      await cell.through(undo);
      await cell.expectBack(id);
    },
  },
  { fault: 'reading is denied', kinds: 3, run: denied(({ read }) => read) },
  { fault: 'removing is denied', kinds: 4, run: denied(({ remove }) => remove ?? 'UNLINK') },
  {
    fault: 'the application makes the key anew and goes on writing',
    kinds: 4,
    async run(cell) {
      const id = await cell.plan();
      const { held, job } = await cell.strike({ ...cell.kind.middle, act: 'hold' }, () => cell.stand.start(id));
      let written = 0;
      let storm = true;
      await cell.kind.write(cell.client, cell.name, written++);
      const writer = (async () => {
        while (storm) await cell.kind.write(cell.client, cell.name, written++);
      })();
      held.release();
      await cell.through(job);
      storm = false;
      await writer;
      await cell.expectGone(id, [cell.name]);
      const mine = await cell.digestOf(cell.name);
      // The same writes on a key that was never ours.
      if (cell.kind.type !== 'stream') {
        for (let i = 0; i < written; i++) await cell.kind.write(cell.client, 'twin', i);
        expect(await cell.digestOf('twin')).toBe(mine);
        await cell.client.del('twin');
      } else expect(await cell.client.xlen(cell.name)).toBe(written);
      await cell.through(await cell.stand.start(id, 'undo'));
      expect(await cell.item(id)).toMatchObject({ state: 'done', reason: { code: 'recreated' } });
      expect(await cell.digestOf(cell.name)).toBe(mine);
      await cell.client.del(cell.name);
      await cell.through(await cell.stand.start(id, 'undo'));
      await cell.expectBack(id);
    },
  },
  {
    fault: 'its expiry passes meanwhile',
    async run(cell) {
      const expireAt = Date.now() + 2000;
      await cell.client.pexpireat(cell.name, expireAt);
      const id = await cell.plan();
      const { held, job } = await cell.strike({ ...cell.kind.middle, act: 'hold' }, () => cell.stand.start(id));
      await sleep(expireAt - Date.now() + 50);
      held.release();
      await cell.through(job);
      await cell.expectGone(id);

      await cell.through(await cell.stand.start(id, 'undo'));
      expect(await cell.item(id)).toMatchObject({ state: 'done', reason: { code: 'expired_meanwhile' } });
      await cell.expectGone(id);
      await cell.through(await cell.stand.start(id, 'undo', { restoreExpired: true }));
      expect(await cell.digestOf(cell.name)).toBe(cell.bare);
      expect(await cell.client.pttl(cell.name)).toBe(-1);
    },
  },
  {
    fault: 'the server saves',
    async run(cell) {
      // Six keys: some two seconds.
      await cell.client.config('SET', 'rdb-key-save-delay', '400000');
      const id = await cell.plan();
      await cell.client.bgsave();
      const job = await cell.stand.start(id);
      expect((await cell.stand.until(job, ['waiting'], 10_000))?.job.reason?.code).toBe('saving');
      expect(await cell.digestOf(cell.name)).toBe(cell.digest);
      expect(await cell.client.info('persistence')).toContain('rdb_bgsave_in_progress:1');
      await cell.client.config('SET', 'rdb-key-save-delay', '0');
      await thereAndBack(cell, id, job);
    },
  },
  {
    fault: 'our disk is full',
    kinds: 3,
    async run(cell) {
      const archives = join(cell.folder, 'archives');
      writeFileSync(archives, 'in the way');
      const id = await cell.plan();
      const job = await cell.stand.start(id);
      expect((await cell.stand.until(job, ['paused']))?.job.reason?.code).toBe('disk_full');
      expect(await cell.item(id)).toMatchObject({ state: 'tombstoned', removed: 0 });
      const [ours] = await leftovers(LOCAL_ADMIN, cell.stand.instanceId);
      expect(ours).toMatchObject({ owned: true, original: cell.name });
      const name = (await cell.client.keys('colonnade:trash:*'))[0] ?? '';
      expect(await cell.digestOf(name)).toBe(cell.bare);
      rmSync(archives);
      mkdirSync(archives);
      await resumeJob(LOCAL_ADMIN, job);
      await thereAndBack(cell, id, job);
    },
  },
  {
    fault: 'it is of a type that we do not know',
    kinds: 3,
    async run(cell) {
      const id = await cell.stand.plan([{ name: cell.name, type: 'ReJSON-RL', length: 1, bytes: cell.kind.bytes }]);
      await cell.through(await cell.stand.start(id));
      expect(await cell.item(id)).toMatchObject({ state: 'aborted', reason: { code: 'changed_type' } });
      expect(await cell.digestOf(cell.name)).toBe(cell.digest);
      expect(await cell.client.pexpiretime(cell.name)).toBe(cell.expireAt);
      expect(await leftovers(LOCAL_ADMIN, cell.stand.instanceId)).toEqual([]);
    },
  },
];

let cell: Cell | null = null;
afterEach(async () => {
  await cell?.close();
  cell = null;
});

const names = Object.keys(KINDS);
let turn = 0;
for (const row of ROWS) {
  const met = LONG ? names.length : (row.kinds ?? 1);
  const chosen = Array.from({ length: Math.min(met, names.length) }, () => names[turn++ % names.length] as string);
  describe(row.fault, () => {
    it.each(chosen)(
      '%s',
      async (name) => {
        cell = await openCell(KINDS[name] as Kind, row);
        await row.run(cell);
      },
      90_000,
    );
  });
}
