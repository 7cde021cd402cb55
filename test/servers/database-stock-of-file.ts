import { afterAll, expect } from 'vitest';

/** Files that are about the database itself begin with an empty one. */
const server = process.env.COLONNADE_TEST_POSTGRES;
if (server && !expect.getState().testPath?.includes('.postgres.itest.')) {
  const { openStock } = await import('./database-stock');
  const { takeDatabasesFrom } = await import('../temporary-data');
  const stock = openStock(server);
  await stock.fill();
  takeDatabasesFrom(stock);
  afterAll(() => stock.close());
}
