import type { Socket } from 'node:net';
import type { Redis } from 'ioredis';
import type { AppError } from '@/lib/model/errors';
import type { ConnectionTarget } from '@/lib/model/servers/instance';
import type { NodeFacts } from '@/lib/model/servers/server-facts';

/** Which destinations may be connected to. Checked after resolving, against the address that is then connected to. */
export interface DestinationPolicy {
  /** Throws AppError('destination_refused') or ('redis_dns'); returns the address to connect to. */
  resolve(host: string, port: number): Promise<{ ip: string; family: 4 | 6 }>;
  /** Every allowed address of the host, in the order to try; a dual-stack name may listen on one only. */
  resolveAll?(host: string, port: number): Promise<{ ip: string; family: 4 | 6 }[]>;
  /** Told of the nodes with each look at the topology, before anything is done with them. */
  noteNodes?(nodes: readonly (NodeFacts & { isOnlyNamed: boolean })[]): Promise<void>;
}

/** An open instance: ioredis for single commands, `openSocket` for the hot loop. Close it always. */
export interface RedisSession {
  readonly target: ConnectionTarget;
  /** Nodes with masters first; refreshed by `refresh()`. */
  nodes: NodeFacts[];
  /** Why a node of the list could not be used (refused destination, unreachable…), by address. */
  readonly problems?: ReadonlyMap<string, AppError>;
  refresh(): Promise<NodeFacts[]>;
  /**
   * A single-node client of that address and database (default 0), connected on first use, READONLY sent on cluster
   * replicas. It never reconnects by itself and resends nothing: after a loss its commands fail, and the next call of
   * `client` connects anew. Ask for it per use instead of keeping it.
   */
  client(address: string, db?: number): Promise<Redis>;
  /** A raw TCP/TLS socket to the node, checked by the policy, not yet authenticated. */
  openSocket(address: string): Promise<Socket>;
  close(): Promise<void>;
}
