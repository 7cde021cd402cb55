import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { closeStore, transaction } from '../../lib/store/open-store';

/**
 * On PostgreSQL most of what a small test takes is the migration of its empty database. So one database of a run is
 * migrated, and tests get copies of it, of which a few are made ahead while the test before still runs.
 */
const TEMPLATE = 'colonnade_template';
const SCHEMA = 'colonnade';

const makeAddress = (server: string, database: string) => {
  const url = new URL(server);
  url.pathname = `/${database}`;
  return url.href;
};

/** Once for a run. */
export async function makeTemplate(server: string): Promise<void> {
  const client = new pg.Client({ connectionString: server });
  await client.connect();
  await client.query(`create database ${TEMPLATE}`);
  await client.end();
  const { COLONNADE_DATABASE_URL: before } = process.env;
  process.env.COLONNADE_DATABASE_URL = `${makeAddress(server, TEMPLATE)}?schema=${SCHEMA}`;
  try {
    await transaction(async () => {});
    await closeStore();
  } finally {
    if (before === undefined) delete process.env.COLONNADE_DATABASE_URL;
    else process.env.COLONNADE_DATABASE_URL = before;
  }
}

export interface DatabaseStock {
  /** The address of a migrated database that nobody else uses; null where none is at hand. */
  take(): string | null;
  returnDatabase(address: string): void;
  /** Waits until the first is at hand; another one is made beside the first test. */
  fill(): Promise<void>;
  close(): Promise<void>;
}

export function openStock(server: string): DatabaseStock {
  const ready: string[] = [];
  const client = new pg.Client({ connectionString: server });
  client.on('error', () => {});
  let last: Promise<unknown> = client.connect();
  /** One after the other; where it fails, a test migrates a schema of its own. */
  const ask = (query: string) => {
    last = last.then(() => client.query(query));
    return last;
  };
  const makeOne = async () => {
    const name = `t_${randomBytes(6).toString('hex')}`;
    await ask(`create database ${name} template ${TEMPLATE}`);
    ready.push(name);
  };
  return {
    take() {
      const name = ready.shift();
      makeOne().catch(() => {});
      return name === undefined ? null : `${makeAddress(server, name)}?schema=${SCHEMA}`;
    },
    returnDatabase(address) {
      // A process that a test has killed may still be connected.
      ask(`drop database ${new URL(address).pathname.slice(1)} with (force)`).catch(() => {});
    },
    async fill() {
      await makeOne();
      makeOne().catch(() => {});
    },
    async close() {
      await last.catch(() => {});
      await client.end();
    },
  };
}
