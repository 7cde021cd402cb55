import { z } from 'zod';
import type { Topology } from './instance';

/** Identifies a node, as it was when it was last read. null = the server does not report it. */
export interface NodeIdentity {
  address: string;
  role: 'master' | 'replica' | 'unknown';
  version: string | null;
  /** It changes with every start of the process. */
  runId: string | null;
  /**
   * The id of its replication history, and the id of the history before it became a master, which ends before
   * `offset2`. Masters only.
   */
  replicationId: string | null;
  replicationId2: string | null;
  offset: number | null;
  offset2: number | null;
  /** Epoch ms by Colonnade's clock. */
  startedAt: number | null;
}

/** The servers of an instance at the time when something was planned or done there. */
export interface ServerIdentity {
  topology: Topology;
  /** The registered addresses, `host:port`, sorted. */
  endpoints: string[];
  sentinelName: string | null;
  nodes: NodeIdentity[];
  /** Epoch ms. */
  seenAt: number;
}

type Place = Pick<ServerIdentity, 'topology' | 'endpoints' | 'sentinelName'>;

/** Whether two registrations are the same: topology, Sentinel name and addresses, in any order. */
export const isSameRegistration = (was: Place, is: Place): boolean =>
  was.topology === is.topology && was.sentinelName === is.sentinelName && was.endpoints.join() === is.endpoints.join();

/** Compares the servers of a deletion with those that its instance leads to now. */
export interface ServerComparison {
  /** The servers that answered last, or were read for the plan. */
  was: ServerIdentity;
  is: ServerIdentity;
  /** other: nothing is sent there until a person accepts it. */
  verdict: 'same' | 'restarted' | 'other';
  /** A hash that identifies `is`, so that an acceptance refers to exactly what was shown. */
  seen: string;
}

/** Body of POST /api/deletions/:id/server. */
export const ServerAcceptance = z.object({
  /** The name of the instance, as a person typed it. */
  confirm: z.string().max(200),
  /** `seen` of the comparison that the person was shown. */
  seen: z.string().regex(/^[0-9a-f]{64}$/),
});
export type ServerAcceptance = z.infer<typeof ServerAcceptance>;

/** Records that another server was accepted for a deletion that had already started, and by whom. */
export interface AcceptedServer {
  /** Epoch ms; no key was started later than this on the previous server. */
  at: number;
  by: string;
  byId: string;
  was: string;
  is: string;
  /**
   * The second person who approved this, once the deletion continued; absent = nobody, or the instance does not require
   * one.
   */
  approvedBy?: string;
}
