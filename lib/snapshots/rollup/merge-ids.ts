import { type Connection, queryRows, quote } from '@/lib/snapshots/query/duckdb';

/**
 * How many different ids a folded node stands for in one file. Files are cut between names and not between ids, so the
 * last id of one file may be the first of the next, and then counts once. In the order of names, those that end with an
 * id are apart from those that continue after it. A node that has both is not counted, because the same id may be in
 * both.
 */
interface Ids extends Record<string, unknown> {
  node: string;
  leaf: boolean;
  segments: number;
  begins: string;
  ends: string;
}

/** Returns the SELECT of the table `ids`, with the columns node and segments. */
export async function mergeIds(connection: Connection, files: readonly string[]): Promise<string> {
  const nodes = new Map<string, { leaf: boolean; segments: number; ends: string; mixed: boolean }>();
  for (const file of files) {
    for (const ids of await queryRows<Ids>(connection, `SELECT * FROM ${file}`)) {
      const known = nodes.get(ids.node);
      if (!known) nodes.set(ids.node, { leaf: ids.leaf, segments: ids.segments, ends: ids.ends, mixed: false });
      else {
        known.mixed ||= known.leaf !== ids.leaf;
        known.segments += ids.segments - (known.ends === ids.begins ? 1 : 0);
        known.ends = ids.ends;
      }
    }
  }
  const rows = [...nodes].filter(([, { mixed }]) => !mixed).slice(0, MAX_NODES);
  if (rows.length === 0) return `SELECT '' AS node, 0::BIGINT AS segments WHERE false`;
  return `SELECT * FROM (VALUES ${rows.map(([node, { segments }]) => `(${quote(node)}, ${segments}::BIGINT)`).join(', ')}) t(node, segments) ORDER BY node`;
}

/** Maximum number of nodes for which the number of ids is kept. */
const MAX_NODES = 20_000;
