import type { Kysely } from 'kysely';
import type { Tables } from '../tables';

/**
 * The nodes of each instance, as it is registered and as it was last connected to: two instances that share one protect
 * its keys together. What connecting tells comes with the next connection.
 */
export async function instanceNodes(db: Kysely<Tables>): Promise<void> {
  await db.schema
    .createTable('instance_nodes')
    .addColumn('instance_id', 'text', (c) => c.notNull())
    .addColumn('address', 'text', (c) => c.notNull())
    .addColumn('run_id', 'text')
    .addPrimaryKeyConstraint('instance_nodes_key', ['instance_id', 'address'])
    .execute();
  await db.schema.createIndex('instance_nodes_address').on('instance_nodes').column('address').execute();
  await db.schema.createIndex('instance_nodes_run_id').on('instance_nodes').column('run_id').execute();
  for (const { id, settings } of await db.selectFrom('instances').select(['id', 'settings']).execute()) {
    const { topology, endpoints } = JSON.parse(settings);
    if (topology === 'sentinel') continue;
    const addresses = new Set<string>(
      endpoints.map(({ host, port }: { host: string; port: number }) => {
        const name = host.toLowerCase();
        return name.includes(':') && !name.startsWith('[') ? `[${name}]:${port}` : `${name}:${port}`;
      }),
    );
    for (const address of addresses)
      await db.insertInto('instance_nodes').values({ instance_id: id, address, run_id: null }).execute();
  }
}
