import type { Actor } from '@/lib/model/actor';
import {
  deleteEndedSessionRows,
  findSessionRow,
  insertSessionRow,
  type SessionRow,
  touchSessionRow,
} from '@/lib/store/accounts/sessions';
import { getUserRow, type UserRow } from '@/lib/store/accounts/users';
import { newId } from '@/lib/store/new-id';
import type { Tx } from '@/lib/store/open-store';
import { grantsOf } from './grants-of';
import { hashToken, newToken } from './token';
import { seenAt, touchWhenWritable } from './touch-when-writable';

export const IDLE_MS = 30 * 60_000;
export const ABSOLUTE_MS = 12 * 3_600_000;
/** A write for each request would be one sync each. */
const TOUCH_MS = 60_000;
const MAX_TEXT = 200;

/** From where somebody signs in; shown in the list of sessions. */
export interface Origin {
  address: string;
  agent: string;
}

/** A new session; the token is given away here and kept nowhere. `confirmedAt`: see the row; now, unless given. */
export async function startSession(
  userId: string,
  from: Origin,
  tx: Tx,
  { provider = null, confirmedAt }: { provider?: string | null; confirmedAt?: number } = {},
): Promise<string> {
  const now = Date.now();
  const token = newToken();
  // Not by the idle limit: while the store could not be written, sessions in use were not written either (seenAt).
  await deleteEndedSessionRows(now, now - ABSOLUTE_MS, tx);
  const row: SessionRow = {
    id: newId(now),
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

/** By both limits; a clock that was set back ends it too. */
export const hasEnded = ({ createdAt, lastSeenAt, expiresAt }: SessionRow, now: number): boolean =>
  now >= expiresAt || now - lastSeenAt >= IDLE_MS || now < createdAt - TOUCH_MS;

/** What a provider said of somebody counts for a while only: nobody tells us when they leave. */
export const rightsAreOver = ({ rightsUntil }: Pick<UserRow, 'rightsUntil'>, now: number): boolean =>
  rightsUntil !== undefined && rightsUntil !== null && now >= rightsUntil;

/**
 * Who a token stands for, with the role and grants of now; null = nobody (any more). `use`: somebody did something,
 * which keeps the session from ending idle.
 */
export async function actorOfToken(
  token: string,
  { via, use, now = Date.now() }: { via: Actor['via']; use: boolean; now?: number },
): Promise<Actor | null> {
  const found = await findSessionRow(hashToken(token));
  const session = found && { ...found, lastSeenAt: seenAt(found.id, found.lastSeenAt) };
  if (session === null || hasEnded(session, now)) return null;
  const user = await getUserRow(session.userId);
  if (user === null || user.disabled || rightsAreOver(user, now)) return null;
  if (use && now - session.lastSeenAt >= TOUCH_MS)
    await touchWhenWritable(session.id, now, () => touchSessionRow(session.id, now));
  const grants = await grantsOf(user.id);
  const { id: sessionId, confirmedAt, provider } = session;
  const how = { sessionId, confirmedAt, ...(provider !== null && { provider }) };
  return { id: user.id, name: user.name, role: user.role, grants, ...how, via };
}
