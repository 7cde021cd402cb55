import Database from 'better-sqlite3';
import pg from 'pg';
import { config } from '@/lib/runtime/config';
import { parsePostgresUrl } from '@/lib/store/engines/postgres-url';
import { getStoreFile } from '@/lib/store/open-store';

/** Runs statements on the control database without Colonnade, whichever database it is. */
export async function sqlByHand(...statements: string[]): Promise<void> {
  if (config.databaseUrl === null) {
    const file = new Database(getStoreFile());
    try {
      for (const statement of statements) file.exec(statement);
    } finally {
      file.close();
    }
    return;
  }
  const { schema, ...where } = parsePostgresUrl(config.databaseUrl.reveal());
  const client = new pg.Client({ ...where, options: `-c search_path=${schema}` });
  await client.connect();
  try {
    for (const statement of statements) await client.query(statement);
  } finally {
    await client.end();
  }
}
