import { afterAll, expect } from 'vitest';

/** Test files about the database itself (`.postgres.itest.`) start with an empty one, so they get no migrated copy. */
const server = process.env.COLONNADE_TEST_POSTGRES;
if (server && !expect.getState().testPath?.includes('.postgres.itest.')) {
  const { openStock } = await import('./database-stock');
  const { takeDatabasesFrom } = await import('../temporary-data');
  const stock = openStock(server);
  await stock.fill();
  takeDatabasesFrom(stock);
  afterAll(() => stock.close());
}
