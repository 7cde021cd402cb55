import type { Actor } from '@/lib/model/actor';
import {
  deleteEndedSessionRows,
  findSessionRow,
  insertSessionRow,
  type SessionRow,
  touchSessionRow,
} from '@/lib/store/accounts/sessions';
import { getUserRow, type UserRow } from '@/lib/store/accounts/users';
import { generateId } from '@/lib/store/generate-id';
import type { Tx } from '@/lib/store/open-store';
import { generateToken, hashToken } from './generate-token';
import { listAllGrants } from './list-all-grants';
import { getLastSeen, touchWhenWritable } from './touch-when-writable';

/** A session ends after this long without use, and after ABSOLUTE_MS in any case. */
export const IDLE_MS = 30 * 60_000;
export const ABSOLUTE_MS = 12 * 3_600_000;
/** How often the use of a session is saved, ms: a write for each request would be one sync each. */
const TOUCH_MS = 60_000;
/** Characters that are kept of an address and of a user agent. */
const MAX_TEXT = 200;

/** The client that signs in, shown in the list of sessions. */
export interface Origin {
  address: string;
  agent: string;
}

/** Starts a session and returns its token, which is stored nowhere. `confirmedAt`: see the row; default: now. */
export async function startSession(
  userId: string,
  from: Origin,
  tx: Tx,
  { provider = null, confirmedAt }: { provider?: string | null; confirmedAt?: number } = {},
): Promise<string> {
  const now = Date.now();
  const token = generateToken();
  // The idle limit is not used here: while the store could not be written, the use of sessions was not saved either
  // (getLastSeen).
  await deleteEndedSessionRows(now, now - ABSOLUTE_MS, tx);
  const row: SessionRow = {
    id: generateId(now),
    tokenHash: hashToken(token),
    userId,
    createdAt: now,
    lastSeenAt: now,
    expiresAt: now + ABSOLUTE_MS,
    confirmedAt: confirmedAt ?? now,
    address: from.address.slice(0, MAX_TEXT),
    agent: from.agent.slice(0, MAX_TEXT),
    provider,
  };
  await insertSessionRow(row, tx);
  return token;
}

/**
 * Whether a session has ended by either limit, or because the clock is now before its creation by more than `TOUCH_MS`.
 */
export const hasEnded = ({ createdAt, lastSeenAt, expiresAt }: SessionRow, now: number): boolean =>
  now >= expiresAt || now - lastSeenAt >= IDLE_MS || now < createdAt - TOUCH_MS;

/** Rights that come from a provider end after some time, because nobody reports when a person leaves. */
export const hasExpiredRights = ({ rightsUntil }: Pick<UserRow, 'rightsUntil'>, now: number): boolean =>
  rightsUntil !== undefined && rightsUntil !== null && now >= rightsUntil;

/**
 * Returns the actor of a session token, with the current role and grants; null = the token is unknown or the session
 * has ended. `use`: whether the user did something, which keeps the session from ending as idle.
 */
export async function findSessionActor(
  token: string,
  { via, use, now = Date.now() }: { via: Actor['via']; use: boolean; now?: number },
): Promise<Actor | null> {
  const found = await findSessionRow(hashToken(token));
  const session = found && { ...found, lastSeenAt: getLastSeen(found.id, found.lastSeenAt) };
  if (session === null || hasEnded(session, now)) return null;
  const user = await getUserRow(session.userId);
  if (user === null || user.disabled || hasExpiredRights(user, now)) return null;
  if (use && now - session.lastSeenAt >= TOUCH_MS)
    await touchWhenWritable(session.id, now, () => touchSessionRow(session.id, now));
  const grants = await listAllGrants(user.id);
  const { id, name, role } = user;
  const { id: sessionId, confirmedAt, provider } = session;
  return { id, name, role, grants, sessionId, confirmedAt, ...(provider !== null && { provider }), via };
}
