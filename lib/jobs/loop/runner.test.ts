import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { cancelJob } from '@/lib/jobs/cancel-job';
import { createJob } from '@/lib/jobs/create-job';
import { pauseJob } from '@/lib/jobs/pause-job';
import { resumeJob } from '@/lib/jobs/resume-job';
import { setJobSpeed } from '@/lib/jobs/set-job-speed';
import { getJob } from '@/lib/jobs/statuses/get-job';
import { LOCAL_ADMIN } from '@/lib/model/actor';
import { AppError } from '@/lib/model/errors';
import { type Job, NO_COST, type Progress } from '@/lib/model/job';
import type { JobState } from '@/lib/model/job-states';
import { getStoredJob, updateJob, updateJobFenced } from '@/lib/store/jobs';
import { runRowTransaction } from '@/lib/store/open-store';
import { recordStatements } from '@/test/record-statements';
import { temporaryData } from '@/test/temporary-data';
import { finishJob } from './finish-job';
import { JobBlocked, type JobContext, type JobKind } from './job-kind';
import { createRunner, type Runner } from './runner';

const FAST = { pollMs: 10, tickMs: 10, leaseMs: 60_000, stopMs: 300, concurrency: 4 };
const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));
const progress = (done: number): Progress => ({
  phase: 'scanning',
  done,
  total: 100,
  unit: 'keys',
  ratePerSecond: null,
  etaSeconds: null,
  nodes: [],
});

let data: ReturnType<typeof temporaryData>;
let runners: Runner[] = [];
beforeEach(() => {
  data = temporaryData();
  runners = [];
});
afterEach(async () => {
  await Promise.all(runners.map((runner) => runner.stop()));
  await data.remove();
});

async function startRunner(kinds: JobKind[], more: Partial<typeof FAST> = {}): Promise<Runner> {
  const runner = createRunner({ kinds, ...FAST, ...more });
  runners.push(runner);
  await runner.start();
  return runner;
}
const newJob = (params: unknown = null, instanceId: string | null = null) =>
  createJob(LOCAL_ADMIN, { kind: 'toy', instanceId, instanceName: null, speed: 'gentle', params });

async function until(id: string, ...states: JobState[]): Promise<Job> {
  for (let i = 0; i < 6000; i++) {
    const job = await getJob(LOCAL_ADMIN, id);
    if (states.includes(job.state)) return job;
    await pause(10);
  }
  throw new Error(`${id} is ${(await getJob(LOCAL_ADMIN, id)).state}, not ${states}`);
}

/** Counts to `params.to`, one step per safe point, and records every step. */
function counter(steps: number[], stepMs = 5): JobKind<{ to: number }, { at: number }> {
  return {
    kind: 'toy',
    async run(context) {
      let at = context.checkpoint?.at ?? 0;
      while (at < context.params.to) {
        if (context.getStopRequest()) return 'stopped';
        at += 1;
        steps.push(at);
        await context.saveCheckpoint({ at });
        context.report({ progress: progress(at) });
        await pause(stepMs);
      }
      return 'done';
    },
  };
}
function settledLater(): { promise: Promise<void>; resolve: () => void } {
  let resolve = () => {};
  const promise = new Promise<void>((done) => {
    resolve = done;
  });
  return { promise, resolve };
}

/** A kind that runs until it is asked to stop. */
const patient: JobKind = {
  kind: 'toy',
  async run(context) {
    await context.whenStopRequested;
    return 'stopped';
  },
};

describe('the runner', () => {
  it('runs a job to its end and keeps the last report', async () => {
    const steps: number[] = [];
    await startRunner([counter(steps, 0)]);
    const { id } = await newJob({ to: 3 });
    const job = await until(id, 'succeeded');
    expect(steps).toEqual([1, 2, 3]);
    expect(job.progress?.done).toBe(3);
    expect(job.startedAt).not.toBeNull();
    expect(job.endedAt).toBeGreaterThanOrEqual(job.startedAt ?? 0);
    expect((await getStoredJob(id))?.lease).toMatchObject({ holder: null, fence: 1 });
  });

  it('pauses at a safe point and goes on from the checkpoint', async () => {
    const steps: number[] = [];
    await startRunner([counter(steps)]);
    const { id } = await newJob({ to: 200 });
    await until(id, 'running');
    await pause(30);
    expect((await pauseJob(LOCAL_ADMIN, id)).state).toBe('pausing');
    expect((await until(id, 'paused')).reason).toMatchObject({ code: 'operator' });
    const stoppedAt = steps.length;
    expect(stoppedAt).toBeLessThan(200);
    await pause(50);
    expect(steps).toHaveLength(stoppedAt);
    await resumeJob(LOCAL_ADMIN, id);
    expect((await until(id, 'succeeded')).reason).toBeNull();
    expect(steps).toEqual(Array.from({ length: 200 }, (_, i) => i + 1));
  });

  it('cancels, lets the kind clean up and forgets the checkpoint', async () => {
    const discarded: unknown[] = [];
    const kind = {
      ...counter([]),
      async discard(job: Job, checkpoint: unknown) {
        discarded.push([job.state, checkpoint]);
        return 'removed' as const;
      },
    };
    await startRunner([kind]);
    const { id } = await newJob({ to: 1000 });
    await until(id, 'running');
    await pause(30);
    expect((await cancelJob(LOCAL_ADMIN, id)).state).toBe('cancelling');
    await until(id, 'cancelled');
    await expect.poll(() => discarded).toHaveLength(1);
    expect(discarded[0]).toEqual(['cancelled', { at: expect.any(Number) }]);
    await expect.poll(async () => (await getStoredJob(id))?.discardPending).toBe(false);
    expect((await getStoredJob(id))?.checkpoint).toBeNull();
  });

  it('forgets the checkpoint of a job that succeeded, unless what was found lies in it', async () => {
    await startRunner([counter([], 0), { ...counter([], 0), kind: 'search', keepsCheckpoint: true }]);
    const done = await newJob({ to: 2 });
    const search = await createJob(LOCAL_ADMIN, {
      kind: 'search',
      instanceId: null,
      instanceName: null,
      speed: 'gentle',
      params: { to: 2 },
    });
    await until(done.id, 'succeeded');
    await until(search.id, 'succeeded');
    expect((await getStoredJob(done.id))?.checkpoint).toBeNull();
    expect((await getStoredJob(search.id))?.checkpoint).toEqual({ at: 2 });
  });

  it('keeps the checkpoint of a failed job where the kind says that it is still good, and goes on from it', async () => {
    let fail = true;
    const seen: unknown[] = [];
    const kind: JobKind = {
      kind: 'toy',
      async run(context) {
        seen.push(context.checkpoint);
        await context.saveCheckpoint({ at: 7 });
        if (fail) throw new AppError('disk_full', 'full');
        return 'done';
      },
      discard: async (job) => (job.state === 'failed' ? 'kept' : 'removed'),
    };
    await startRunner([kind]);
    const { id } = await newJob({ to: 1 });
    await until(id, 'failed');
    await expect.poll(async () => (await getStoredJob(id))?.discardPending).toBe(false);
    fail = false;
    await resumeJob(LOCAL_ADMIN, id);
    await until(id, 'succeeded');
    expect(seen).toEqual([null, { at: 7 }]);
  });

  it('cleans up after a paused job that was cancelled, and tries again when that fails', async () => {
    let tries = 0;
    const kind: JobKind = {
      ...patient,
      async discard() {
        tries += 1;
        if (tries === 1) throw new Error('not yet');
        return 'removed' as const;
      },
    };
    await startRunner([kind], { leaseMs: 60 });
    const { id } = await newJob();
    await until(id, 'running');
    await pauseJob(LOCAL_ADMIN, id);
    await until(id, 'paused');
    expect((await cancelJob(LOCAL_ADMIN, id)).state).toBe('cancelled');
    await expect.poll(async () => (await getStoredJob(id))?.discardPending).toBe(false);
    expect(tries).toBe(2);
  });

  it('cleans up beside the loop, once, however long it takes: others neither wait nor begin the same', async () => {
    let discards = 0;
    const kind: JobKind<{ to: number }, { at: number }> = {
      ...counter([], 0),
      async discard() {
        discards += 1;
        await pause(1500);
        return 'removed';
      },
    };
    const pending = async () => (await getStoredJob(id))?.discardPending;
    const { id } = await newJob({ to: 1 });
    await cancelJob(LOCAL_ADMIN, id);
    await startRunner([kind]);
    await startRunner([kind]);
    await expect.poll(() => discards).toBe(1);
    const next = await newJob({ to: 1 });
    await until(next.id, 'succeeded');
    expect(await pending()).toBe(true);
    await expect.poll(pending).toBe(false);
    expect(discards).toBe(1);
    expect((await getStoredJob(id))?.lease.holder).toBeNull();
  });

  it('waits for no clean-up when it stops, and the next start does it again', async () => {
    let finish: () => void = () => {};
    const slow: JobKind = {
      ...patient,
      discard: () =>
        new Promise((resolve) => {
          finish = () => resolve('kept');
        }),
    };
    const { id } = await newJob();
    await updateJob(id, { checkpoint: { at: 1 } });
    await cancelJob(LOCAL_ADMIN, id);
    const first = await startRunner([slow], { leaseMs: 400 });
    await expect.poll(async () => (await getStoredJob(id))?.lease.holder).not.toBeNull();
    // The clean-up ends only after `stop` has given up waiting for it.
    await first.stop();
    finish();
    await pause(50);
    expect((await getStoredJob(id))?.discardPending).toBe(true);
    await startRunner([{ ...patient, discard: async () => 'removed' }]);
    await expect.poll(async () => (await getStoredJob(id))?.checkpoint).toBeNull();
  });

  it('tells a failure by its code, an unknown one blank, and a blocked job waits for a person', async () => {
    const errors = [
      new AppError('redis_wrong_password', 'The password is wrong.', { host: 'h' }),
      new Error('hunter2 at line 5'),
      new JobBlocked({ code: 'critical_latency', params: { ms: 300 } }),
    ];
    await startRunner([
      {
        kind: 'toy',
        async run(context) {
          throw errors[context.params as number];
        },
      },
    ]);
    const [known, unknown, blocked] = [await newJob(0), await newJob(1), await newJob(2)];
    expect((await until(known.id, 'failed')).error).toMatchObject({
      code: 'redis_wrong_password',
      details: { host: 'h' },
    });
    const blank = (await until(unknown.id, 'failed')).error;
    expect(blank?.code).toBe('internal');
    expect(JSON.stringify(blank)).not.toContain('hunter2');
    const parked = await until(blocked.id, 'paused');
    expect(parked).toMatchObject({ error: null, reason: { code: 'critical_latency', params: { ms: 300 } } });
  });

  it('shows why it waits while it waits, and hears a change of speed', async () => {
    let context: JobContext<unknown, unknown> | undefined;
    await startRunner([
      {
        kind: 'toy',
        async run(given) {
          context = given;
          given.report({
            reason: { code: 'latency', params: { ms: 12 }, since: 1 },
            cost: { ...NO_COST, commands: 7 },
          });
          await given.whenStopRequested;
          return 'stopped';
        },
      },
    ]);
    const { id } = await newJob();
    expect(await until(id, 'waiting')).toMatchObject({ reason: { code: 'latency' }, cost: { commands: 7 } });
    await setJobSpeed(LOCAL_ADMIN, id, 'fast');
    await expect.poll(() => context?.getSpeed()).toBe('fast');
    context?.report({ reason: null });
    expect((await until(id, 'running')).reason).toBeNull();
  });

  it('stops in bounded time also with a job that does not listen, and the next start goes on at once', async () => {
    const signals: AbortSignal[] = [];
    const deaf: JobKind = {
      kind: 'toy',
      run: (context) => {
        signals.push(context.signal);
        return new Promise(() => {});
      },
    };
    const first = await startRunner([deaf], { leaseMs: 60_000 });
    const { id } = await newJob({ to: 2 });
    await until(id, 'running');
    await first.stop();
    expect(signals[0]?.aborted).toBe(true);
    expect(await getJob(LOCAL_ADMIN, id)).toMatchObject({ state: 'queued', reason: { code: 'interrupted' } });
    await startRunner([counter([], 0)]);
    await until(id, 'succeeded');
  });

  it('cuts a job off before it gives it back: no other process begins beside it', async () => {
    const signals: AbortSignal[] = [];
    const deaf: JobKind = {
      kind: 'toy',
      run: ({ signal }) => {
        signals.push(signal);
        return new Promise(() => {});
      },
    };
    const runner = await startRunner([deaf], { leaseMs: 60_000 });
    const { id } = await newJob();
    await until(id, 'running');
    let release = () => {};
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    // While this transaction locks the row, no other one can release the lease.
    let held = Promise.resolve();
    await new Promise<void>((locked) => {
      held = runRowTransaction(async (tx) => {
        await getStoredJob(id, tx);
        locked();
        await released;
      });
    });
    const stopped = runner.stop();
    await expect.poll(() => signals[0]?.aborted).toBe(true);
    release();
    await Promise.all([held, stopped]);
    expect((await getJob(LOCAL_ADMIN, id)).state).toBe('queued');
  });

  it('asks its jobs to stop for a shutdown and leaves them resumable', async () => {
    const asked: unknown[] = [];
    const first = await startRunner([
      {
        kind: 'toy',
        async run(context) {
          await context.saveCheckpoint({ at: 5 });
          await context.whenStopRequested;
          asked.push(context.getStopRequest());
          return 'stopped';
        },
      },
    ]);
    const { id } = await newJob({ to: 7 });
    await until(id, 'running');
    await first.stop();
    expect(asked).toEqual(['shutdown']);
    expect((await getJob(LOCAL_ADMIN, id)).state).toBe('queued');
    const steps: number[] = [];
    await startRunner([counter(steps, 0)]);
    await until(id, 'succeeded');
    expect(steps).toEqual([6, 7]);
  });

  it('settles what a dead runner left: running goes on, pausing is paused, cancelling is cancelled', async () => {
    const gone = { holder: 'elsewhere/1/1/x', fence: 3, until: Date.now() - 1 };
    const [a, b, c] = [await newJob({ to: 1 }), await newJob({ to: 1 }), await newJob({ to: 1 })];
    await updateJob(a.id, { state: 'waiting', lease: gone });
    await updateJob(b.id, { state: 'pausing', lease: gone });
    await updateJob(c.id, { state: 'cancelling', lease: gone });
    await startRunner([counter([], 0)]);
    await until(a.id, 'succeeded');
    await until(b.id, 'paused');
    await until(c.id, 'cancelled');
  });

  it('leaves a job alone whose lease still holds', async () => {
    const { id } = await newJob({ to: 1 });
    await updateJob(id, {
      state: 'running',
      lease: { holder: 'elsewhere/1/1/x', fence: 3, until: Date.now() + 60_000 },
    });
    await startRunner([counter([], 0)]);
    await pause(150);
    expect((await getStoredJob(id))?.lease).toMatchObject({ holder: 'elsewhere/1/1/x', fence: 3 });
  });

  it('gives each of many jobs to exactly one of two runners', async () => {
    const started: string[] = [];
    const kind: JobKind = {
      kind: 'toy',
      async run(context) {
        started.push(context.job.id);
        await pause(5);
        return 'done';
      },
    };
    const jobs = [];
    for (let i = 0; i < 30; i++) jobs.push(await newJob());
    // The lease is long, because a process that is suspended for longer than its lease loses its job, which this test
    // is not about.
    await Promise.all([startRunner([kind], { leaseMs: 60_000 }), startRunner([kind], { leaseMs: 60_000 })]);
    for (const job of jobs) await until(job.id, 'succeeded');
    expect(started.sort()).toEqual(jobs.map((job) => job.id).sort());
  });

  it('writes nothing more once the job was taken over', async () => {
    let context: JobContext<unknown, unknown> | undefined;
    await startRunner([
      {
        kind: 'toy',
        async run(given) {
          context = given;
          given.report({ progress: progress(99) });
          await new Promise((resolve) => given.signal.addEventListener('abort', resolve));
          return 'done';
        },
      },
    ]);
    const { id } = await newJob();
    await until(id, 'running');
    // Another runner on another machine takes the job, as after this process was suspended.
    const theirs = { holder: 'elsewhere/1/1/x', fence: 9, until: Date.now() + 60_000 };
    await updateJob(id, { lease: theirs, checkpoint: { by: 'them' }, progress: progress(1) });
    await expect(context?.saveCheckpoint({ by: 'us' })).rejects.toMatchObject({ name: 'LeaseLost' });
    expect(context?.signal.aborted).toBe(true);
    await pause(100);
    const stored = await getStoredJob(id);
    expect(stored).toMatchObject({ checkpoint: { by: 'them' }, lease: theirs, job: { state: 'running' } });
    expect(stored?.job.progress?.done).toBe(1);
  });

  it('does not take a job again before its lost run has ended, and stops what it took then', async () => {
    let began = 0;
    let unwound = false;
    const slow: JobKind = {
      kind: 'toy',
      async run({ signal, whenStopRequested }) {
        began += 1;
        if (began > 1) {
          await whenStopRequested;
          return 'stopped';
        }
        await new Promise((resolve) => signal.addEventListener('abort', resolve));
        await pause(600);
        unwound = true;
        return 'stopped';
      },
    };
    const runner = await startRunner([slow]);
    const { id } = await newJob();
    await until(id, 'running');
    await expect.poll(() => began).toBe(1);
    // Another process has taken the job and released it.
    const fence = (await getStoredJob(id))?.lease.fence ?? 0;
    await updateJob(id, { state: 'queued', lease: { holder: null, fence: fence + 1, until: 0 } });
    await pause(200);
    expect(began).toBe(1);
    await expect.poll(() => unwound).toBe(true);
    await expect.poll(() => began).toBe(2);
    await until(id, 'running');
    await runner.stop();
    expect(await getStoredJob(id)).toMatchObject({ job: { state: 'queued' }, lease: { holder: null } });
  });

  it('does not wait for its own lease where a claim was written and not answered', async () => {
    const { id } = await newJob({ to: 1 });
    const owner = 'elsewhere/1/1/x';
    await updateJob(id, { state: 'running', lease: { holder: owner, fence: 1, until: Date.now() + 60_000 } });
    const runner = createRunner({ kinds: [counter([], 0)], ...FAST, processId: owner });
    runners.push(runner);
    await runner.start();
    // The lease would expire only in 60 s.
    await until(id, 'succeeded');
  });

  it('a word that a job waits starts no look while there is no place, and none at the leases of others', async () => {
    let wake: () => void = () => {};
    const listen = (heard: () => void) => {
      wake = heard;
      return { stop: async () => {} };
    };
    const idle = { ...FAST, pollMs: 60_000, recoverMs: 60_000, tickMs: 60_000, leaseMs: 60_000, listen };
    const runner = createRunner({ kinds: [patient], ...idle, concurrency: 2 });
    runners.push(runner);
    await runner.start();
    const said = (ms: number) =>
      recordStatements(async () => {
        wake();
        await pause(ms);
      });
    const first = await newJob();
    wake();
    await until(first.id, 'running');
    await pause(50);
    const looked = await said(100);
    expect(looked.length).toBeGreaterThan(0);
    // The query for the leases of other runners also selects the current time.
    expect(looked.filter(({ sql }) => sql.includes('as "now"'))).toEqual([]);
    const second = await newJob();
    wake();
    await until(second.id, 'running');
    await newJob();
    await pause(50);
    expect(await said(100)).toEqual([]);
  });

  describe('a job that waits without its place', () => {
    /**
     * Reports for `heldMs` that it waits, until `mayGoOn` of its `params` resolves, and records when it worked. It
     * works in two parts, as a scan of two nodes does.
     */
    function waiter(notes: string[], mayGoOn: Record<string, Promise<void>>, heldMs = 11_000): JobKind<string> {
      return {
        kind: 'toy',
        async run(context) {
          const wait = mayGoOn[context.params];
          if (wait) {
            context.report({ reason: { code: 'latency', params: {}, since: Date.now() - heldMs } });
            await Promise.race([wait, context.whenStopRequested]);
            context.report({ reason: null });
            await Promise.all([context.regainPlace(), context.regainPlace()]);
          }
          if (context.getStopRequest()) return 'stopped';
          notes.push(`${context.params} begins`);
          await pause(30);
          notes.push(`${context.params} ends`);
          return 'done';
        },
      };
    }

    it('keeps its place for a moment', async () => {
      const notes: string[] = [];
      const server = settledLater();
      await startRunner([waiter(notes, { a: server.promise }, 8_000) as JobKind], { concurrency: 1 });
      const waiting = await newJob('a');
      await until(waiting.id, 'waiting');
      const other = await newJob('b');
      await pause(100);
      expect((await getJob(LOCAL_ADMIN, other.id)).state).toBe('queued');
      server.resolve();
      await until(other.id, 'succeeded');
      expect(notes).toEqual(['a begins', 'a ends', 'b begins', 'b ends']);
    });

    it('says that it waits for a place, and leaves none behind when it fails meanwhile', async () => {
      const [server, other, failing] = [settledLater(), settledLater(), settledLater()];
      const kind: JobKind = {
        kind: 'toy',
        async run(context) {
          context.report({ reason: { code: 'latency', params: {}, since: 0 } });
          await server.promise;
          context.report({ reason: null });
          await Promise.race([context.regainPlace(), failing.promise]);
          throw new AppError('internal', 'Another part has failed.');
        },
      };
      const holding: JobKind = { kind: 'holds', run: () => other.promise.then(() => 'done' as const) };
      await startRunner([kind, holding], { concurrency: 1 });
      const waiting = await newJob('a');
      await until(waiting.id, 'waiting');
      const toHold = { kind: 'holds', instanceId: null, instanceName: null, speed: 'gentle', params: null } as const;
      const busy = await createJob(LOCAL_ADMIN, toHold);
      await until(busy.id, 'running');
      server.resolve();
      await expect
        .poll(async () => (await getJob(LOCAL_ADMIN, waiting.id)).reason)
        .toMatchObject({ code: 'no_place', params: { places: 1 } });
      failing.resolve();
      await until(waiting.id, 'failed');
      other.resolve();
      await until((await createJob(LOCAL_ADMIN, toHold)).id, 'succeeded');
    });

    it('lets others work meanwhile, and goes on ahead of those that have not begun, never beside too many', async () => {
      const notes: string[] = [];
      const server = settledLater();
      await startRunner([waiter(notes, { a: server.promise, b: server.promise }) as JobKind], { concurrency: 1 });
      const waiting = [await newJob('a'), await newJob('b')];
      for (const { id } of waiting) await until(id, 'waiting');
      const quick = await newJob('c');
      await until(quick.id, 'succeeded');
      expect(notes).toEqual(['c begins', 'c ends']);
      const last = await newJob('d');
      await until(last.id, 'running', 'succeeded');
      server.resolve();
      const after = await newJob('e');
      for (const { id } of [...waiting, last, after]) await until(id, 'succeeded');
      const begun = notes.filter((note) => note.endsWith('begins'));
      // Each job begins when the previous one has ended.
      expect(notes).toEqual(begun.flatMap((note) => [note, note.replace('begins', 'ends')]));
      expect(begun.slice(0, 4)).toEqual(['c begins', 'd begins', 'a begins', 'b begins']);
    });

    it('ends when it is asked to stop, also while it waits for a place', async () => {
      const notes: string[] = [];
      const [server, other] = [settledLater(), settledLater()];
      const kind = waiter(notes, { a: server.promise });
      const holding: JobKind = { kind: 'holds', run: () => other.promise.then(() => 'done' as const) };
      await startRunner([kind as JobKind, holding], { concurrency: 1 });
      const waiting = await newJob('a');
      await until(waiting.id, 'waiting');
      const busy = await createJob(LOCAL_ADMIN, {
        ...{ kind: 'holds', instanceId: null, instanceName: null, speed: 'gentle', params: null },
      });
      await until(busy.id, 'running');
      server.resolve();
      await pauseJob(LOCAL_ADMIN, waiting.id);
      await until(waiting.id, 'paused');
      const last = await newJob('z');
      other.resolve();
      await until(busy.id, 'succeeded');
      await until(last.id, 'succeeded');
      expect(notes).toEqual(['z begins', 'z ends']);
    });
  });

  it('takes a fence that was given twice for its own only with its own name on it', async () => {
    let context: JobContext<unknown, unknown> | undefined;
    await startRunner(
      [
        {
          kind: 'toy',
          async run(given) {
            context = given;
            await new Promise((resolve) => given.signal.addEventListener('abort', resolve));
            return 'done';
          },
        },
      ],
      { tickMs: 60_000 },
    );
    const { id } = await newJob();
    await until(id, 'running');
    await expect.poll(() => context).toBeDefined();
    // A database has failed over without the last commit: the claim is lost, and another process claims the job again.
    const stored = await getStoredJob(id);
    const theirs = { holder: 'elsewhere/1/1/x', fence: stored?.lease.fence ?? 0, until: Date.now() + 60_000 };
    await updateJob(id, { lease: theirs, checkpoint: { by: 'them' } });
    await expect(updateJobFenced(id, stored!.lease, { checkpoint: { by: 'us' } })).resolves.toBeNull();
    await expect(context?.writeFenced(async () => {})).rejects.toMatchObject({ name: 'LeaseLost' });
    await expect(context?.saveCheckpoint({ by: 'us' })).rejects.toMatchObject({ name: 'LeaseLost' });
    await expect(finishJob(id, stored!.lease, { how: 'done' }, {})).rejects.toMatchObject({ name: 'LeaseLost' });
    expect(await getStoredJob(id)).toMatchObject({
      checkpoint: { by: 'them' },
      lease: theirs,
      job: { state: 'running' },
    });
  });

  it('notices a takeover by its next tick, without writing anything of its own', async () => {
    let aborted = false;
    await startRunner([
      {
        kind: 'toy',
        async run({ signal }) {
          await new Promise((resolve) => signal.addEventListener('abort', resolve));
          aborted = true;
          return 'stopped';
        },
      },
    ]);
    const { id } = await newJob();
    await until(id, 'running');
    await updateJob(id, { lease: { holder: 'elsewhere/1/1/x', fence: 9, until: Date.now() + 60_000 } });
    await expect.poll(() => aborted).toBe(true);
  });
});
