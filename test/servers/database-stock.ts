import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { closeStore, runTransaction } from '../../lib/store/open-store';

/**
 * On PostgreSQL, migrating an empty database takes most of the time of a small test. So one database per run is
 * migrated and tests get copies of it; a few copies are made ahead while the previous test still runs.
 */
const TEMPLATE = 'colonnade_template';
const SCHEMA = 'colonnade';

const makeAddress = (server: string, database: string) => {
  const url = new URL(server);
  url.pathname = `/${database}`;
  return url.href;
};

/** Creates the migrated template database. Called once per run. */
export async function makeTemplate(server: string): Promise<void> {
  const client = new pg.Client({ connectionString: server });
  await client.connect();
  await client.query(`create database ${TEMPLATE}`);
  await client.end();
  const { COLONNADE_DATABASE_URL: before } = process.env;
  process.env.COLONNADE_DATABASE_URL = `${makeAddress(server, TEMPLATE)}?schema=${SCHEMA}`;
  try {
    await runTransaction(async () => {});
    await closeStore();
  } finally {
    if (before === undefined) delete process.env.COLONNADE_DATABASE_URL;
    else process.env.COLONNADE_DATABASE_URL = before;
  }
}

export interface DatabaseStock {
  /** Returns the address of a migrated database that nothing else uses; null if none is ready. */
  take(): string | null;
  returnDatabase(address: string): void;
  /** Waits until the first copy is ready; another one is made while the first test runs. */
  fill(): Promise<void>;
  close(): Promise<void>;
}

export function openStock(server: string): DatabaseStock {
  const ready: string[] = [];
  const client = new pg.Client({ connectionString: server });
  client.on('error', () => {});
  let last: Promise<unknown> = client.connect();
  /** Runs the queries one after the other. If one fails, a test migrates a schema of its own instead. */
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
