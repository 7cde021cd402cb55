import { makeTemplate } from './database-stock';
import { TestPostgres } from './postgres';

/** One server for a run; `temporaryData` gives every test a database or a schema of its own in it. */
export default async function postgresForAll(): Promise<() => Promise<void>> {
  const server = await TestPostgres.start();
  await makeTemplate(server.url);
  process.env.COLONNADE_TEST_POSTGRES = server.url;
  return () => server.stop();
}
