import { TestPostgres } from './postgres';

/** One server for a run; `temporaryData` gives every test a schema of its own in it. */
export default async function postgresForAll(): Promise<() => Promise<void>> {
  const server = await TestPostgres.start();
  process.env.COLONNADE_TEST_POSTGRES = server.url;
  return () => server.stop();
}
