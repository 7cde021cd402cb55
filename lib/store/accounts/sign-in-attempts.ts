import { sql } from 'kysely';
import { fromColumns, toColumns } from '@/lib/store/columns';
import type { Tx } from '@/lib/store/open-store';

/**
 * A person was sent to a provider and has not returned yet. The store has only hashes; the secrets are in the browser's
 * cookie.
 */
export interface SignInAttemptRow {
  stateHash: string;
  browserHash: string;
  provider: string;
  next: string;
  /** The session to confirm; null = this is a sign-in. */
  sessionId: string | null;
  /** The address that rate limits count: for IPv6 its /64 prefix. */
  address: string;
  createdAt: number;
}

export async function insertSignInAttemptRow(row: SignInAttemptRow, tx: Tx): Promise<void> {
  await tx.insertInto('sign_in_attempts').values(toColumns(row)).execute();
}

/** Returns an attempt and deletes it. If two requests present the same attempt, the second gets null. */
export async function takeSignInAttemptRow(
  { stateHash, browserHash, provider }: Pick<SignInAttemptRow, 'stateHash' | 'browserHash' | 'provider'>,
  tx: Tx,
): Promise<SignInAttemptRow | null> {
  const row = await tx
    .deleteFrom('sign_in_attempts')
    .where('state_hash', '=', stateHash)
    .where('browser_hash', '=', browserHash)
    .where('provider', '=', provider)
    .returningAll()
    .executeTakeFirst();
  return row ? fromColumns(row) : null;
}

export async function countSignInAttemptRows(address: string | null, tx: Tx): Promise<number> {
  const all = tx.selectFrom('sign_in_attempts').select((on) => on.fn.countAll().as('count'));
  const row = await (address === null ? all : all.where('address', '=', address)).executeTakeFirst();
  return Number(row?.count ?? 0);
}

/**
 * Deletes attempts older than `before`, and those newer than `after` (both epoch ms), which exist if the clock was set
 * back.
 */
export async function deleteOldSignInAttemptRows(before: number, after: number, tx: Tx): Promise<void> {
  await tx
    .deleteFrom('sign_in_attempts')
    .where((on) => on.or([on('created_at', '<', before), on('created_at', '>', after)]))
    .execute();
}

/**
 * Deletes `count` attempts (none if it is not positive), of one address, or (null) first of the address that has most
 * of them. Sign-ins come before attempts to confirm a session; within each, the oldest come first.
 */
export async function deleteOldestSignInAttemptRows(address: string | null, count: number, tx: Tx): Promise<void> {
  if (count <= 0) return;
  const all = tx.selectFrom('sign_in_attempts').select('state_hash');
  const oldest = (address === null ? all : all.where('address', '=', address))
    .orderBy((on) => on.case().when('session_id', 'is', null).then(0).else(1).end())
    .orderBy(sql`count(*) over (partition by address)`, 'desc')
    .orderBy('created_at')
    .limit(count);
  await tx.deleteFrom('sign_in_attempts').where('state_hash', 'in', oldest).execute();
}
