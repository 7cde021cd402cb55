import type { NodeFacts } from '@/lib/model/servers/server-facts';
import type { RedisSession } from '@/lib/redis/connection/session';
import type { ChannelUser } from '@/lib/redis/connection/write-user';
import { DELETION_CALLS, measureServerTime } from '@/lib/redis/server/measure-server-time';
import type { NodeThrottle } from '@/lib/redis/throttle/node-throttle';
import { createNodeThrottle } from '@/lib/redis/throttle/throttle';
import { watchWhileWriting } from '@/lib/redis/throttle/watch-while-writing';
import { ServerMemory } from '@/lib/redis/write/server-memory';
import type { WritingChannel } from '@/lib/redis/write/types';
import { openWritingChannel } from '@/lib/redis/write/writing-channel';
import type { DeletionHooks } from './deletion-hooks';
import { NeedsOperator, StopRequested, TransientFailure } from './run-errors';

/** Limit of elements in one command. More would delay other clients, however quickly the server handles them. */
const MAX_ELEMENTS = 500;

/**
 * Sends every command to one node, with a throttle, a watch on the server and one connection per database. Before each
 * command it checks whether it has to stop; after each it rests as the speed requires.
 */
export class NodeExecutor {
  readonly throttle: NodeThrottle;
  /** The headroom to `maxmemory`: reads and writes stay below it. */
  readonly memory = new ServerMemory();
  private readonly channels = new Map<number, Promise<WritingChannel>>();
  private readonly opened: WritingChannel[] = [];
  /**
   * Counts what was sent without the throttle since the last rest. `out`: commands that are not answered yet. `began`:
   * since when there are such (performance.now). `busyMs`: how long there were such. `trips`: how many times.
   */
  private readonly unrested = { out: 0, began: 0, busyMs: 0, trips: 0 };
  private readonly stopping = new AbortController();
  private readonly watch: { ready: Promise<void>; stop(): void };
  private readonly serverTime: Promise<() => Promise<number | null>>;
  /** Server time that the server reports for this executor, ms; null = not known before the executor is closed. */
  serverMs: number | null = null;

  constructor(
    private readonly session: RedisSession,
    readonly node: NodeFacts,
    private readonly hooks: DeletionHooks,
    private readonly user: ChannelUser = 'write',
  ) {
    this.throttle = createNodeThrottle(hooks.speed(), { regainPlace: () => hooks.regainPlace() });
    this.watch = watchWhileWriting(session, node.address, this.throttle, {
      onUpdate: () => this.stopIfNecessary(),
      onState: (state) => this.memory.observe(state),
    });
    this.serverTime = measureServerTime(session, node.address, DELETION_CALLS);
    void hooks.stopped.then(() => this.stopping.abort(new StopRequested()));
    hooks.signal.addEventListener('abort', this.onAbort, { once: true });
  }

  private readonly onAbort = () => this.stopping.abort(this.hooks.signal.reason);

  get address(): string {
    return this.node.address;
  }

  /** How many elements the next command takes: about a millisecond of server time. */
  count(): number {
    return Math.min(MAX_ELEMENTS, this.throttle.count());
  }

  /** Throws if the work has to stop. */
  check(): void {
    const refused = this.hooks.refused();
    if (refused) throw new NeedsOperator(refused);
    this.stopping.signal.throwIfAborted();
  }

  /** Returns the throttled connection to one database: each call rests after its answer. */
  async channel(db: number): Promise<WritingChannel> {
    const open = await this.open(db);
    const sendPaced = async <T>(send: () => Promise<T>): Promise<T> => {
      this.check();
      this.throttle.setSpeed(this.hooks.speed());
      const answer = await send();
      const ms = open.stats.lastMs;
      await this.throttle.pace({ busyMs: ms, rttMs: ms }, this.stopping.signal);
      return answer;
    };
    return this.sendThrough(open, db, sendPaced);
  }

  /** Returns the same connection without the throttle, for a batch that rests once as a whole, by `rest`. */
  async openUnpaced(db: number): Promise<WritingChannel> {
    const open = await this.open(db);
    const sendChecked = async <T>(send: () => Promise<T>): Promise<T> => {
      this.check();
      const { unrested } = this;
      if (unrested.out++ === 0) unrested.began = performance.now();
      try {
        return await send();
      } finally {
        if (--unrested.out === 0) {
          unrested.busyMs += performance.now() - unrested.began;
          unrested.trips++;
        }
      }
    };
    return this.sendThrough(open, db, sendChecked);
  }

  /** Returns a connection that sends everything on `open` by `send`. */
  private sendThrough(
    open: WritingChannel,
    db: number,
    send: <T>(act: () => Promise<T>) => Promise<T>,
  ): WritingChannel {
    return {
      address: open.address,
      db,
      stats: open.stats,
      memory: this.memory,
      call: (args) => send(() => open.call(args)),
      callAll: (commands) => send(() => open.callAll(commands)),
      callEach: (args, take) => send(() => open.callEach(args, take)),
      close: () => open.close(),
    };
  }

  /**
   * Waits while the server must not be written to, and rests as the speed requires for what was sent without the
   * throttle. Only the time spent waiting for answers counts: the disk of Colonnade adds no load to the server.
   */
  async rest(): Promise<void> {
    // Before the state of the server was read, the throttle has no reason to wait.
    await this.watch.ready;
    this.throttle.setSpeed(this.hooks.speed());
    const { busyMs, trips } = this.unrested;
    Object.assign(this.unrested, { busyMs: 0, trips: 0 });
    await this.throttle.pace({ busyMs, rttMs: 0, trips }, this.stopping.signal);
  }

  /** Counts what the connections have sent so far. */
  listSentStats(): WritingChannel['stats'][] {
    return this.opened.map((channel) => channel.stats);
  }

  async close(): Promise<void> {
    this.watch.stop();
    // Work that waits opens an executor in each turn, all with the same signal: listeners must not pile up.
    this.hooks.signal.removeEventListener('abort', this.onAbort);
    const reportedMs = await (await this.serverTime)();
    // Other clients may send the same commands: the server has not worked for this executor longer than it waited for
    // answers.
    const waitedMs = this.opened.reduce((sum, { stats }) => sum + stats.answerMs, 0);
    if (reportedMs !== null) this.serverMs = Math.min(reportedMs, waitedMs);
    for (const open of await Promise.allSettled(this.channels.values()))
      if (open.status === 'fulfilled') open.value.close();
  }

  private open(db: number): Promise<WritingChannel> {
    const known = this.channels.get(db);
    if (known) return known;
    // Nothing is sent before the state of the server was read.
    const { session, node, user } = this;
    const opening = this.watch.ready.then(() => openWritingChannel(session, node.address, db, { user }));
    this.channels.set(db, opening);
    opening.then(
      (channel) => this.opened.push(channel),
      () => this.channels.delete(db),
    );
    return opening;
  }

  /** Called whenever the state of the server was read. */
  private stopIfNecessary(): void {
    const { critical } = this.throttle;
    const refused = this.hooks.refused();
    if (refused) this.stopping.abort(new NeedsOperator(refused));
    else if (critical?.code === 'critical_latency') this.stopping.abort(new NeedsOperator(critical));
    else if (critical) this.stopping.abort(new TransientFailure(critical));
  }
}
