import { CompiledQuery } from 'kysely';
import { isPostgres } from '@/lib/store/engines/dialect';
import { getDb } from '@/lib/store/open-store';

/** Returns the statements that the control database gets while `act` runs, including transactions. */
export async function recordStatements(act: () => Promise<unknown>): Promise<CompiledQuery[]> {
  let holder = (await getDb(undefined)).getExecutor();
  while (!Object.hasOwn(holder, 'executeQuery')) holder = Object.getPrototypeOf(holder);
  const execute = holder.executeQuery;
  const asked: CompiledQuery[] = [];
  holder.executeQuery = function (query, ...rest) {
    asked.push(query);
    return execute.call(this, query, ...rest) as never;
  };
  try {
    await act();
  } finally {
    holder.executeQuery = execute;
  }
  return asked;
}

/** Returns the database's query plan. */
export async function explainPlan(query: CompiledQuery): Promise<string> {
  const db = await getDb(undefined);
  const how = isPostgres(db) ? 'explain' : 'explain query plan';
  const { rows } = await db.executeQuery(CompiledQuery.raw(`${how} ${query.sql}`, [...query.parameters]));
  return JSON.stringify(rows);
}
