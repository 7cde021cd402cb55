import type { Topology } from './instance';

/** How a node can be known again, as it was when it was last seen. null = the server does not tell. */
export interface NodeIdentity {
  address: string;
  role: 'master' | 'replica' | 'unknown';
  version: string | null;
  /** New with every start of the process. */
  runId: string | null;
  /** The history of its data, and the one it had before it became a master, up to `offset2`. Masters only. */
  replicationId: string | null;
  replicationId2: string | null;
  offset: number | null;
  offset2: number | null;
  /** Epoch ms by our clock. */
  startedAt: number | null;
}

/** What an instance pointed to when something was planned or done there. */
export interface ServerIdentity {
  topology: Topology;
  /** As registered, `host:port` in order of their names. */
  endpoints: string[];
  sentinelName: string | null;
  nodes: NodeIdentity[];
  /** Epoch ms. */
  seenAt: number;
}

type Place = Pick<ServerIdentity, 'topology' | 'endpoints' | 'sentinelName'>;

/** Registered in the same words: the same addresses, in any order. */
export const samePlace = (was: Place, is: Place): boolean =>
  was.topology === is.topology && was.sentinelName === is.sentinelName && was.endpoints.join() === is.endpoints.join();
