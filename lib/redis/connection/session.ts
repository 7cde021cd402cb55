import type { Socket } from 'node:net';
import type { Redis } from 'ioredis';
import type { AppError } from '@/lib/model/errors';
import type { ConnectionTarget } from '@/lib/model/servers/instance';
import type { NodeFacts } from '@/lib/model/servers/server-facts';

/** Decides which destinations may be connected to. It checks the resolved address that is then connected to. */
export interface DestinationPolicy {
  /**
   * Returns every allowed address of the host, at least one, in the order to try: a server with a dual-stack name may
   * listen on one of them only. Throws AppError `destination_refused`, `destination_unconfirmed` or `redis_dns`.
   */
  resolve(host: string, port: number): Promise<{ ip: string; family: 4 | 6 }[]>;
  /**
   * Receives the nodes each time the topology is read, before anything is done with them. `isOnlyNamed` = other servers
   * name the node, and it was not reached.
   */
  noteNodes?(nodes: readonly (NodeFacts & { isOnlyNamed: boolean })[]): Promise<void>;
}

/**
 * An open instance: ioredis sends single commands, `openSocket` serves the channels. The caller must always close it.
 */
export interface RedisSession {
  readonly target: ConnectionTarget;
  /** Masters come first; `refresh()` updates the list. */
  nodes: NodeFacts[];
  /** Why a node of the list could not be used (refused destination, unreachable…), by address. */
  readonly problems: ReadonlyMap<string, AppError>;
  refresh(): Promise<NodeFacts[]>;
  /**
   * Returns a client of one node and database (default 0), connected on first use; READONLY is sent on cluster
   * replicas. It never reconnects by itself and resends nothing: after a loss its commands fail, and the next call of
   * `client` connects again. So call this for each use instead of keeping the client.
   */
  client(address: string, db?: number): Promise<Redis>;
  /** Opens a raw TCP or TLS socket to the node, checked by the policy and not yet authenticated. */
  openSocket(address: string): Promise<Socket>;
  close(): Promise<void>;
}
