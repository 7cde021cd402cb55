import type { Kysely } from 'kysely';
import { AppError } from '@/lib/model/errors';
import type { Tables } from './tables';

/**
 * Mark in an embedded database that was copied to PostgreSQL, stored as a migration step that no version knows. So
 * every server refuses the file, even a version that knows nothing of moves, and both databases are never used at once.
 * `moving` is written before the copy is committed, `moved` after it. In between, only the target knows whether the
 * copy succeeded.
 */
export interface MoveMark {
  state: 'moving' | 'moved';
  /** Id of the move; the target stores it too. */
  id: string;
  /** Address of the target, without its password. */
  to: string;
}
const SHAPE = /^(moving|moved) \[(\w+)\] to (.+)$/;

export function findMoveMark(names: Iterable<string>): MoveMark | null {
  for (const name of names) {
    const [, state, id, to] = SHAPE.exec(name) ?? [];
    if (state && id && to) return { state: state as MoveMark['state'], id, to };
  }
  return null;
}

export async function readMoveMark(db: Kysely<Tables>): Promise<MoveMark | null> {
  const names = await db.selectFrom('migrations').select('name').execute();
  return findMoveMark(names.map(({ name }) => name));
}

/** Replaces any other mark; null = removes it. */
export async function writeMoveMark(db: Kysely<Tables>, mark: MoveMark | null): Promise<void> {
  await db
    .deleteFrom('migrations')
    .where((where) => where.or([where('name', 'like', 'moving [%'), where('name', 'like', 'moved [%')]))
    .execute();
  if (mark === null) return;
  const name = `${mark.state} [${mark.id}] to ${mark.to}`;
  await db.insertInto('migrations').values({ name, at: Date.now() }).execute();
}

export function refuseMoved({ state, to }: MoveMark): never {
  throw new AppError(
    'data_folder',
    state === 'moved'
      ? `The database of this data folder was moved to PostgreSQL (${to}). Set COLONNADE_DATABASE_URL to that database.`
      : `The database of this data folder is being moved to PostgreSQL (${to}), and the move has not finished. Finish it with: colonnade store move.`,
    { cause: state, database: to },
  );
}
