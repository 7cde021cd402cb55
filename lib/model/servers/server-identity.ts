import { z } from 'zod';
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

/** What a deletion is about, and what its instance points to now. */
export interface ServerComparison {
  /** Who answered last, or was looked at for the plan; null = not noted. */
  was: ServerIdentity | null;
  is: ServerIdentity;
  /** other: nothing is sent there until a person accepts it. */
  verdict: 'same' | 'restarted' | 'other';
  /** Stands for `is` and for nothing else: an acceptance names what was shown. */
  seen: string;
}

/** Body of POST /api/deletions/:id/server. */
export const ServerAcceptance = z.object({
  /** The name of the instance, as a person typed it. */
  confirm: z.string().max(200),
  /** Of the comparison that the person was shown. */
  seen: z.string().regex(/^[0-9a-f]{64}$/),
});
export type ServerAcceptance = z.infer<typeof ServerAcceptance>;

/** That another server was accepted for a deletion which had begun, and by whom. */
export interface AcceptedServer {
  /** Epoch ms; no key was taken up later than that on the server before. */
  at: number;
  by: string;
  /** Absent where it was accepted before this was noted. */
  byId?: string;
  was: string;
  is: string;
  /** The second person who approved that, once it has gone on; absent = nobody, or the instance asks for none. */
  approvedBy?: string;
}
