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
const MAX_CHUNK_ELEMENTS = 500;

/**
 * Sends every command to one node, with a throttle, a watch on the server and one connection per database. Before each
 * command it checks whether it has to stop; after each it rests as the speed requires.
 */
export class NodeExecutor {
  readonly throttle: NodeThrottle;
  /** The headroom to `maxmemory`: reads and writes stay below it. */
  readonly memory = new ServerMemory();
  private readonly channels = new Map<number, Promise<WritingChannel>>();
  private readonly openedChannels: WritingChannel[] = [];
  /**
   * Counts the commands that were sent without the throttle since the last rest. `unanswered`: how many are not
   * answered yet. `beganAt`: since when there are such commands (performance.now). `busyMs`: how long there were any.
   * `trips`: how many times they began.
   */
  private readonly unrested = { unanswered: 0, beganAt: 0, busyMs: 0, trips: 0 };
  private readonly stopController = new AbortController();
  private readonly serverWatch: { ready: Promise<void>; stop(): void };
  private readonly serverTimeMeter: Promise<() => Promise<number | null>>;
  /** Server time that the server reports for this executor, ms; null = not known before the executor is closed. */
  serverMs: number | null = null;

  constructor(
    private readonly session: RedisSession,
    readonly node: NodeFacts,
    private readonly hooks: DeletionHooks,
    private readonly user: ChannelUser = 'write',
  ) {
    this.throttle = createNodeThrottle(hooks.getSpeed(), { regainPlace: () => hooks.regainPlace() });
    this.serverWatch = watchWhileWriting(session, node.address, this.throttle, {
      onUpdate: () => this.abortIfNecessary(),
      onState: (state) => this.memory.observe(state),
    });
    this.serverTimeMeter = measureServerTime(session, node.address, DELETION_CALLS);
    void hooks.whenStopRequested.then(() => this.stopController.abort(new StopRequested()));
    hooks.signal.addEventListener('abort', this.onAbort, { once: true });
  }

  private readonly onAbort = () => this.stopController.abort(this.hooks.signal.reason);

  get address(): string {
    return this.node.address;
  }

  /** Returns how many elements the next command takes: about a millisecond of server time. */
  getChunkSize(): number {
    return Math.min(MAX_CHUNK_ELEMENTS, this.throttle.count());
  }

  /** Throws if nothing more may be sent. */
  throwIfStopped(): void {
    const refusal = this.hooks.findRefusal();
    if (refusal) throw new NeedsOperator(refusal);
    this.stopController.signal.throwIfAborted();
  }

  /** Returns the throttled connection to one database: after each answer it rests as the speed requires. */
  async openPaced(db: number): Promise<WritingChannel> {
    const channel = await this.openChannel(db);
    const sendPaced = async <T>(send: () => Promise<T>): Promise<T> => {
      this.throwIfStopped();
      this.throttle.setSpeed(this.hooks.getSpeed());
      const answer = await send();
      const ms = channel.stats.lastMs;
      await this.throttle.pace({ busyMs: ms, rttMs: ms }, this.stopController.signal);
      return answer;
    };
    return this.wrapChannel(channel, db, sendPaced);
  }

  /** Returns the same connection without the throttle, for a batch that rests once as a whole, by `rest`. */
  async openUnpaced(db: number): Promise<WritingChannel> {
    const channel = await this.openChannel(db);
    const sendChecked = async <T>(send: () => Promise<T>): Promise<T> => {
      this.throwIfStopped();
      const { unrested } = this;
      if (unrested.unanswered++ === 0) unrested.beganAt = performance.now();
      try {
        return await send();
      } finally {
        if (--unrested.unanswered === 0) {
          unrested.busyMs += performance.now() - unrested.beganAt;
          unrested.trips++;
        }
      }
    };
    return this.wrapChannel(channel, db, sendChecked);
  }

  /** Returns a connection like `channel` whose every command is sent by `send`. */
  private wrapChannel(
    channel: WritingChannel,
    db: number,
    send: <T>(act: () => Promise<T>) => Promise<T>,
  ): WritingChannel {
    return {
      address: channel.address,
      db,
      stats: channel.stats,
      memory: this.memory,
      call: (args) => send(() => channel.call(args)),
      callAll: (commands) => send(() => channel.callAll(commands)),
      callEach: (args, take) => send(() => channel.callEach(args, take)),
      close: () => channel.close(),
    };
  }

  /**
   * Waits while the server must not be written to, and rests as the speed requires for what was sent without the
   * throttle. Only the time spent waiting for answers counts: the disk of Colonnade adds no load to the server.
   */
  async rest(): Promise<void> {
    // Before the state of the server was read, the throttle has no reason to wait.
    await this.serverWatch.ready;
    this.throttle.setSpeed(this.hooks.getSpeed());
    const { busyMs, trips } = this.unrested;
    Object.assign(this.unrested, { busyMs: 0, trips: 0 });
    await this.throttle.pace({ busyMs, rttMs: 0, trips }, this.stopController.signal);
  }

  /** Lists what each connection has sent so far. */
  listSentStats(): WritingChannel['stats'][] {
    return this.openedChannels.map((channel) => channel.stats);
  }

  async close(): Promise<void> {
    this.serverWatch.stop();
    // Work that waits opens an executor in each turn, all with the same signal: listeners must not pile up.
    this.hooks.signal.removeEventListener('abort', this.onAbort);
    const reportedMs = await (await this.serverTimeMeter)();
    // Other clients may send the same commands: the server has not worked for this executor longer than it waited for
    // answers.
    const waitedMs = this.openedChannels.reduce((sum, { stats }) => sum + stats.answerMs, 0);
    if (reportedMs !== null) this.serverMs = Math.min(reportedMs, waitedMs);
    for (const channelResult of await Promise.allSettled(this.channels.values()))
      if (channelResult.status === 'fulfilled') channelResult.value.close();
  }

  private openChannel(db: number): Promise<WritingChannel> {
    const known = this.channels.get(db);
    if (known) return known;
    // Nothing is sent before the state of the server was read.
    const { session, node, user } = this;
    const opening = this.serverWatch.ready.then(() => openWritingChannel(session, node.address, db, { user }));
    this.channels.set(db, opening);
    opening.then(
      (channel) => this.openedChannels.push(channel),
      () => this.channels.delete(db),
    );
    return opening;
  }

  /** Called whenever the state of the server was read. */
  private abortIfNecessary(): void {
    const { critical } = this.throttle;
    const refusal = this.hooks.findRefusal();
    if (refusal) this.stopController.abort(new NeedsOperator(refusal));
    else if (critical?.code === 'critical_latency') this.stopController.abort(new NeedsOperator(critical));
    else if (critical) this.stopController.abort(new TransientFailure(critical));
  }
}
