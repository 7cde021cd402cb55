import type { ReportQuery } from '@/lib/model/reports/query';
import type { SlotsReport } from '@/lib/model/reports/reports';
import { servesSlot } from '@/lib/model/servers/serves-slot';
import { countSlots } from '@/lib/model/servers/slot-ranges';
import { selectFilteredKeys } from '@/lib/snapshots/key-query/keys-where';
import { type TotalsRow, toTotals, totalsSql } from '@/lib/snapshots/key-query/totals-sql';
import { tableSql } from '@/lib/snapshots/rollup/rollup-folder';
import type { Decision } from '@/lib/snapshots/rollup/scope';
import { HEAVIEST_SLOTS, SLOTS, slotExamplesSql } from '@/lib/snapshots/rollup/slots-sql';
import { CELL_TOTALS, type RolledSource } from './cells';
import { findTags, readRollupTags } from './slot-tags';

type SlotRow = TotalsRow & { slot: number };

/**
 * The report on slots: where keys and bytes are. Means are over all 16,384 slots, because empty slots make the load of
 * a cluster uneven too. A standalone instance gets the same figures and a simulation, because they are used to plan a
 * move to a cluster.
 */
export async function buildSlotsReport(
  source: RolledSource,
  decision: Decision,
  query: ReportQuery,
): Promise<SlotsReport> {
  const { rows, byNode, readExamples } = await (decision.kind === 'sums'
    ? readRollupSlots(source)
    : readKeySlots(source, query));
  const nodes = source.manifest.nodes;
  const keys = rows.reduce((n, row) => n + row.keys, 0);
  const bytes = rows.reduce((n, row) => n + row.bytes, 0);
  const heaviest = [...rows]
    .sort((a, b) => b.bytes - a.bytes || b.keys - a.keys || a.slot - b.slot)
    .slice(0, HEAVIEST_SLOTS);
  const examples = await readExamples(heaviest);
  const computeMaxOverMean = (field: 'keys' | 'bytes', total: number) =>
    total > 0 ? rows.reduce((max, row) => Math.max(max, row[field]), 0) / (total / SLOTS) : null;
  const arrays = { slot: rows.map((r) => r.slot), keys: rows.map((r) => r.keys), bytes: rows.map((r) => r.bytes) };
  return {
    clustered: nodes.some((node) => node.slots.length > 0),
    slots: arrays,
    nodes: nodes.map((node, index) => ({
      node: index,
      address: node.address,
      role: node.role,
      slotCount: countSlots(node.slots),
      ranges: node.slots.map((range): [number, number] => [range[0], range[1]]),
      ...toTotals(byNode.find((row) => row.node === index)),
    })),
    skew: {
      meanKeys: keys / SLOTS,
      meanBytes: bytes / SLOTS,
      maxKeysOverMean: computeMaxOverMean('keys', keys),
      maxBytesOverMean: computeMaxOverMean('bytes', bytes),
      emptySlots: SLOTS - rows.length,
    },
    heaviest: heaviest.map((row) => {
      const node = nodes.findIndex((candidate) => servesSlot(candidate, row.slot));
      return {
        slot: row.slot,
        node: node < 0 ? null : node,
        keys: row.keys,
        bytes: row.bytes,
        example: examples.get(row.slot) ?? '',
      };
    }),
    ...(await (decision.kind === 'sums'
      ? readRollupTags(decision.scope.rollup, source, query, { keys, bytes })
      : findTags(source, query, { keys, bytes }))),
    simulation: query.masters === undefined ? null : simulate(arrays, query.masters),
  };
}

interface Found {
  /** Rows in the order of slots, without slots that have no keys. */
  rows: SlotRow[];
  byNode: (TotalsRow & { node: number })[];
  /** Returns slot → the name of a key in it. */
  readExamples(slots: SlotRow[]): Promise<Map<number, string>>;
}

async function readRollupSlots({ rollup, query }: RolledSource): Promise<Found> {
  const table = tableSql(rollup!.dir, 'slots');
  const rows = await query<SlotRow>(`SELECT slot, ${CELL_TOTALS} FROM ${table} GROUP BY slot ORDER BY slot`);
  const byNode = await query<TotalsRow & { node: number }>(`SELECT node, ${CELL_TOTALS} FROM ${table} GROUP BY node`);
  const examples = await query<{ slot: number; example: string }>(
    `SELECT slot, min(example) AS example FROM ${table} WHERE example IS NOT NULL GROUP BY slot`,
  );
  const known = new Map(examples.map(({ slot, example }) => [slot, example]));
  return { rows, byNode, readExamples: async () => known };
}

/** Reads slots and nodes in one pass over the keys. */
async function readKeySlots(source: RolledSource, query: ReportQuery): Promise<Found> {
  const { keys, where } = selectFilteredKeys(source, query);
  const isOne = source.manifest.nodes.length === 1;
  const found = await source.query<SlotRow & { node: number }>(
    `SELECT slot, ${isOne ? '0' : 'node'} AS node, ${totalsSql} FROM ${keys} ${where.sql}
     GROUP BY ${isOne ? 'slot' : 'slot, node'} ORDER BY slot`,
    where.values,
  );
  return {
    rows: isOne ? found : sumRowsBy(found, 'slot'),
    byNode: sumRowsBy(found, 'node'),
    readExamples: (slots) => readSlotExamples(source, query, slots),
  };
}

/** Sums rows by a field, in the order of the first row of each. */
function sumRowsBy<R extends SlotRow & { node: number }>(rows: readonly R[], field: 'slot' | 'node'): R[] {
  const sums = new Map<number, R>();
  for (const row of rows) {
    const sum = sums.get(row[field]);
    if (!sum) {
      sums.set(row[field], { ...row });
      continue;
    }
    for (const total of ['keys', 'bytes', 'bytesUnknown'] as const) (sum[total] as number) += row[total];
  }
  return [...sums.values()];
}

/** Names are read only for the few heaviest slots, because they are by far the widest column. */
async function readSlotExamples(source: RolledSource, query: ReportQuery, of: SlotRow[]): Promise<Map<number, string>> {
  if (of.length === 0) return new Map();
  const { keys, where } = selectFilteredKeys(source, query);
  where.and(`slot IN (${of.map(({ slot }) => slot).join(', ')})`);
  const rows = await source.query<{ slot: number; example: string }>(
    slotExamplesSql(`(SELECT * FROM ${keys} ${where.sql})`),
    where.values,
  );
  return new Map(rows.map((row) => [row.slot, row.example]));
}

/** Simulates even ranges as `redis-cli --cluster create` makes them: 16384 / N, rounded at each border. */
function simulate(load: SlotsReport['slots'], masters: number): SlotsReport['simulation'] {
  const keys = new Array<number>(masters).fill(0);
  const bytes = new Array<number>(masters).fill(0);
  const each = SLOTS / masters;
  const ends = keys.map((_, i) => (i === masters - 1 ? SLOTS - 1 : Math.round((i + 1) * each - 1)));
  let master = 0;
  load.slot.forEach((slot, i) => {
    while (slot > ends[master]!) master++;
    keys[master]! += load.keys[i]!;
    bytes[master]! += load.bytes[i]!;
  });
  const total = bytes.reduce((a, b) => a + b, 0);
  return { masters, keys, bytes, maxOverMean: total > 0 ? Math.max(...bytes) / (total / masters) : null };
}
