import { makeTemplate } from './database-stock';
import { TestPostgres } from './postgres';

/** Starts one server per run; `temporaryData` gives every test a separate database or schema in it. */
export default async function postgresForAll(): Promise<() => Promise<void>> {
  const server = await TestPostgres.start();
  await makeTemplate(server.url);
  process.env.COLONNADE_TEST_POSTGRES = server.url;
  return () => server.stop();
}
