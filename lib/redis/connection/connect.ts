import { setMaxListeners } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { inspect } from 'node:util';
import type { Redis } from 'ioredis';
import { AppError } from '@/lib/model/errors';
import type { ConnectionTarget } from '@/lib/model/servers/instance';
import type { NodeFacts } from '@/lib/model/servers/server-facts';
import { append } from '@/lib/model/text/append';
import { formatAddress, parseAddress } from './address';
import { createTimeoutError, type ErrorContext, toConnectionError } from './connection-errors';
import { forEachNode } from './for-each-node';
import { buildErrorContext, connectNode } from './node-client';
import { CONNECT_TIMEOUT_MS, openSocket } from './open-socket';
import type { DestinationPolicy, RedisSession } from './session';
import { AddressMapper, requireSameNode, requireUsed } from './topology/map-addresses';
import { readNodeFacts, sortNodes, toUnknownNodeFacts } from './topology/node-facts';
import { raceSeeds } from './topology/race-seeds';
import { checkMode, readMode, readReplicas } from './topology/topology';
import { type AnnouncedNode, readClusterNodes } from './topology/topology-cluster';
import { readSentinelNodes } from './topology/topology-sentinel';
import { pickNodeError } from './unconfirmed-error';

export interface SessionOptions {
  /** Time limit in milliseconds of each connection attempt and of each single command. */
  timeoutMs?: number;
  clientName?: string;
  /** Aborting ends everything in progress: connection attempts, waiting commands and the session itself. */
  signal?: AbortSignal;
}

/**
 * Redis Cluster is designed for up to a thousand nodes; a longer list is a mistake or an attempt to exhaust this
 * process.
 */
export const MAX_NODES = 1000;
/** How many replicas of a standalone master are contacted; more are not listed. */
const MAX_REPLICAS = 32;
/** Time limit for querying all nodes together. Nodes that were not reached by then stay unhealthy. */
const REFRESH_LIMIT_MS = 30_000;
/** A replica of a standalone master is optional, so its address gets no more time than this. */
const REPLICA_WAIT_MS = 2_000;

/**
 * Opens an instance of any topology. Colonnade asks the cluster or the Sentinels itself and connects to each node
 * itself, so every announced address passes the policy before a byte is sent to it. A node that cannot be used stays in
 * the list as unhealthy, with its reason in `problems`; opening fails only when no node can be used.
 */
export async function openSession(
  target: ConnectionTarget,
  policy: DestinationPolicy,
  options: SessionOptions = {},
): Promise<RedisSession> {
  const session = new OpenSession(target, policy, {
    timeoutMs: options.timeoutMs ?? CONNECT_TIMEOUT_MS,
    clientName: options.clientName ?? 'colonnade',
  });
  const end = () => void session.close();
  options.signal?.addEventListener('abort', end, { once: true });
  session.onClose = () => options.signal?.removeEventListener('abort', end);
  try {
    options.signal?.throwIfAborted();
    await session.refresh();
    return session;
  } catch (error) {
    await session.close();
    throw error;
  }
}

class OpenSession implements RedisSession {
  nodes: NodeFacts[] = [];
  readonly problems = new Map<string, AppError>();
  private readonly clients = new Map<string, Promise<Redis>>();
  /** Host names that nodes announce in addition to their addresses, by address. */
  private hostnames = new Map<string, string>();
  /** The addresses that nodes report as those of their masters, by their own address. */
  private readonly masters = new Map<string, string>();
  private readonly mapper: AddressMapper;
  private readonly closing = new AbortController();
  onClose: () => void = () => undefined;

  constructor(
    readonly target: ConnectionTarget,
    private readonly policy: DestinationPolicy,
    private readonly options: { timeoutMs: number; clientName: string },
  ) {
    this.mapper = new AddressMapper(target.addressMap);
    // Each attempt in progress adds a listener and removes it again; a large cluster would exceed the default limit.
    setMaxListeners(0, this.closing.signal);
  }

  /** The target holds decrypted secrets, so a session that is logged shows only its name. */
  toJSON() {
    return { session: this.target.name };
  }

  [inspect.custom]() {
    return `RedisSession(${this.target.name})`;
  }

  async refresh(): Promise<NodeFacts[]> {
    const announced = await this.readAnnounced();
    this.hostnames = new Map(
      announced.flatMap(({ host, port, hostname }) => (hostname ? [[formatAddress(host, port), hostname]] : [])),
    );
    const problems = new Map<string, AppError>();
    const nodes: NodeFacts[] = [];
    const until = performance.now() + REFRESH_LIMIT_MS;
    await forEachNode(announced, async (node) => {
      const address = formatAddress(node.host, node.port);
      const where = buildErrorContext(this.target, node.host, node.port);
      try {
        if (performance.now() > until) throw createTimeoutError(where);
        requireUsed(this.target, where);
        nodes.push(await this.readNode(await this.client(address), node));
      } catch (error) {
        problems.set(address, toConnectionError(error, where));
        nodes.push(toUnknownNodeFacts(node));
      }
    });
    if (problems.size === announced.length && problems.size > 0) throw pickNodeError(problems);
    if (this.target.topology === 'standalone') append(nodes, await this.readReachableReplicas(nodes[0], problems));
    this.problems.clear();
    for (const [address, problem] of problems) this.problems.set(address, problem);
    this.nodes = sortNodes(nodes);
    const noted = this.nodes.map((node) => ({
      ...node,
      masterAddress: this.masters.get(node.address) ?? null,
      isOnlyNamed: problems.has(node.address),
    }));
    await this.policy.noteNodes?.(noted);
    return this.nodes;
  }

  private async readNode(client: Redis, node: AnnouncedNode): Promise<NodeFacts> {
    await requireSameNode(client, node, buildErrorContext(this.target, node.host, node.port));
    const { facts, reportedMaster: announcedMaster } = await readNodeFacts(client, node);
    const reportedMaster = this.mapper.mapAddress(announcedMaster);
    if (facts.masterAddress === announcedMaster) facts.masterAddress = reportedMaster;
    if (reportedMaster === null) this.masters.delete(facts.address);
    else this.masters.set(facts.address, reportedMaster);
    return facts;
  }

  /** Returns the nodes as the topology announces them. Throws `too_many_nodes`. */
  private async readAnnounced(): Promise<AnnouncedNode[]> {
    const nodes = this.target.topology === 'sentinel' ? await this.askSentinels() : await this.askSeeds();
    if (nodes.length <= MAX_NODES) return nodes;
    const [first] = this.target.endpoints;
    const message = `${first?.host}:${first?.port} announces ${nodes.length} nodes; at most ${MAX_NODES} are supported. Check the address.`;
    throw new AppError('too_many_nodes', message, { nodes: nodes.length, limit: MAX_NODES });
  }

  private askSeeds(): Promise<AnnouncedNode[]> {
    const { target } = this;
    const seeds = target.topology === 'cluster' ? this.listSeeds() : target.endpoints.slice(0, 1);
    return raceSeeds(seeds, async ({ host, port }) => {
      const where = buildErrorContext(target, host, port);
      const client = await this.client(formatAddress(host, port));
      checkMode(await readMode(client), target.topology, where);
      if (target.topology === 'cluster') return this.mapper.mapNodes(await readClusterNodes(client, where), where);
      return [{ host, port, role: 'unknown', masterAddress: null, slots: [], healthy: true }];
    });
  }

  /**
   * Returns only those that answer within `REPLICA_WAIT_MS` and are healthy replicas of this master; other failures are
   * ignored. A replica whose address is not confirmed is not contacted but listed with that problem: it may be the one
   * that a scan should read.
   */
  private async readReachableReplicas(
    master: NodeFacts | undefined,
    problems: Map<string, AppError>,
  ): Promise<NodeFacts[]> {
    if (master?.role !== 'master') return [];
    const all = await readReplicas(await this.client(master.address), master.address);
    const announced = all.slice(0, MAX_REPLICAS).map((replica) => this.mapper.mapNode(replica));
    const outcomes = await Promise.allSettled(
      announced.map(async (replica) => {
        // Call this before starting the timer: an invalid address throws here, and nobody would handle the timer's
        // rejection.
        const client = this.client(formatAddress(replica.host, replica.port));
        const late = sleep(REPLICA_WAIT_MS, undefined, { ref: false }).then(() => Promise.reject(new Error('late')));
        return Promise.race([client.then((open) => this.readNode(open, replica)), late]);
      }),
    );
    return outcomes.flatMap((outcome, index) => {
      const replica = announced[index] as AnnouncedNode;
      if (outcome.status === 'fulfilled') {
        const { value } = outcome;
        return value.role === 'replica' && value.healthy ? [value] : [];
      }
      const { reason } = outcome;
      if (!(reason instanceof AppError) || reason.code !== 'destination_unconfirmed') return [];
      problems.set(formatAddress(replica.host, replica.port), reason);
      return [toUnknownNodeFacts(replica)];
    });
  }

  /** Each Sentinel has its own connection, closed afterwards: a Sentinel is no node of the instance. */
  private askSentinels(): Promise<AnnouncedNode[]> {
    const name = this.target.sentinelName ?? '';
    return raceSeeds(this.target.endpoints, async ({ host, port }) => {
      const where = buildErrorContext(this.target, host, port, true);
      const client = await connectNode(this.target, this.policy, where, {
        ...this.options,
        signal: this.closing.signal,
      });
      try {
        checkMode(await readMode(client), 'sentinel', where);
        return this.mapper.mapNodes(await readSentinelNodes(client, where, name), where);
      } finally {
        client.disconnect();
      }
    });
  }

  /**
   * The registered addresses, then the healthy nodes known so far: a seed may be gone while the cluster is still up.
   */
  private listSeeds(): { host: string; port: number }[] {
    const all = [...this.target.endpoints, ...this.nodes.filter((node) => node.healthy)];
    const byAddress = new Map(all.map(({ host, port }) => [formatAddress(host, port), { host, port }]));
    return [...byAddress.values()];
  }

  client(address: string, db = 0): Promise<Redis> {
    const id = `${address}/${db}`;
    const known = this.clients.get(id);
    if (!known) return this.open(id, address, db);
    return known.then((client) => {
      // Between the loss of a connection and the moment ioredis notices it, the status is still `ready`.
      if (client.status === 'ready' && client.stream?.writable) return client;
      // Another caller may have noticed the loss first and opened a new connection.
      const current = this.clients.get(id);
      return current && current !== known ? current : this.open(id, address, db);
    });
  }

  private open(id: string, address: string, db: number): Promise<Redis> {
    if (this.closing.signal.aborted)
      return Promise.reject(new AppError('redis_unreachable', 'The connection has been closed.'));
    const { target, policy, options } = this;
    const where = this.buildContext(address);
    // A master ignores READONLY, and an address may turn out to be a replica or become one.
    const opening = connectNode(target, policy, where, {
      ...options,
      db,
      readOnly: target.topology === 'cluster',
      signal: this.closing.signal,
    });
    this.clients.set(id, opening);
    opening.catch(() => this.clients.get(id) === opening && this.clients.delete(id));
    return opening;
  }

  async openSocket(address: string) {
    return openSocket(
      this.target,
      this.policy,
      this.buildContext(address),
      this.options.timeoutMs,
      this.closing.signal,
    );
  }

  private buildContext(address: string): ErrorContext {
    const parsed = parseAddress(address);
    if (!parsed) throw new AppError('destination_refused', 'The node announced an address that is not valid.');
    return { ...buildErrorContext(this.target, parsed.host, parsed.port), hostname: this.hostnames.get(address) };
  }

  async close(): Promise<void> {
    this.closing.abort();
    this.onClose();
    const open = [...this.clients.values()];
    this.clients.clear();
    await Promise.allSettled(open.map(async (client) => (await client).disconnect()));
  }
}
