import type { Kysely } from 'kysely';
import { AppError } from '@/lib/model/errors';
import type { Tables } from './tables';

/**
 * What stands in an embedded database that was copied to PostgreSQL: a step of migration that no program knows. So
 * every server refuses the file, also one of a version that has never heard of moving, and there are never two worlds.
 * `moving` is written before the copy is committed, `moved` after: between them the target alone knows how it ended.
 */
export interface MoveMark {
  state: 'moving' | 'moved';
  /** Of this move; the target keeps it too. */
  id: string;
  /** The target as it may be printed. */
  to: string;
}
const SHAPE = /^(moving|moved) \[(\w+)\] to (.+)$/;

export function moveMarkIn(names: Iterable<string>): MoveMark | null {
  for (const name of names) {
    const [, state, id, to] = SHAPE.exec(name) ?? [];
    if (state && id && to) return { state: state as MoveMark['state'], id, to };
  }
  return null;
}

export async function readMoveMark(db: Kysely<Tables>): Promise<MoveMark | null> {
  const names = await db.selectFrom('migrations').select('name').execute();
  return moveMarkIn(names.map(({ name }) => name));
}

/** In place of any other; null = none. */
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
