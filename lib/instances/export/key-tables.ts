import type { KeyPreview, LiveKey } from '@/lib/model/keys/live-key';
import { type Column, momentText, type ReportTable, tableOf } from '@/lib/model/reports/table';

/**
 * Returns the current facts of one key as a table with one row, or without rows if the key does not exist. `at` = when
 * the server was queried, epoch ms.
 */
export const factsOfKeyTable = (key: LiveKey, at: number): ReportTable =>
  tableOf(key.exists ? [key] : [], [
    ['key', 'name', ({ name }) => name],
    ['k', 'text', ({ k }) => k],
    ['database', 'number', ({ db }) => db],
    ['type', 'text', ({ type }) => type],
    ['encoding', 'text', ({ encoding }) => encoding],
    ['memory', 'bytes', ({ bytes }) => bytes],
    ['length', 'number', ({ length }) => length],
    ['expires in', 'ms', ({ expiryKnown, ttlMs }) => (expiryKnown ? (ttlMs ?? 'never') : null)],
    ['idle', 'seconds', ({ idleSeconds }) => idleSeconds],
    ['access frequency', 'number', ({ freq }) => freq],
    ['slot', 'number', ({ slot }) => slot],
    ['hash tag', 'name', ({ tag }) => tag],
    ['node', 'text', ({ address }) => address],
    ['name', 'bytes', ({ nameBytes }) => nameBytes],
    ['read (UTC)', 'text', () => momentText(at)],
  ]);

type Row = { at: number; cells: readonly string[]; base64: readonly (string | null)[] };
/**
 * Column titles of each kind, as on the page. Kinds with bytes get base64 columns too (AS_BYTES). Entries of streams
 * are composed texts, so their bytes are not given.
 */
const HEADS: Record<KeyPreview['kind'], readonly string[]> = {
  string: ['value'],
  items: ['item'],
  pairs: ['field', 'value'],
  scored: ['member', 'score'],
  indexed: ['index', 'value'],
  entries: ['entry ID', 'entry'],
  unsupported: [],
};
const AS_BYTES: Record<KeyPreview['kind'], readonly number[]> = {
  ...{ string: [0], items: [0], pairs: [0, 1], scored: [0], indexed: [1], entries: [], unsupported: [] },
};

/**
 * A bounded part of a value as the page shows it, with base64 columns for parts that may not be text, cut at the same
 * length.
 */
export function previewTable({ kind, rows, bytes }: KeyPreview): ReportTable {
  const columns: Column<Row>[] = [
    ['element', 'number', ({ at }) => at],
    ...HEADS[kind].map((head, i): Column<Row> => [head, 'name', ({ cells }) => cells[i] ?? null]),
    ...AS_BYTES[kind].map(
      (i): Column<Row> => [`${HEADS[kind][i]} (base64)`, 'text', ({ base64 }) => base64[i] ?? null],
    ),
  ];
  return tableOf(
    rows.map(
      (cells, at): Row => ({ at: at + 1, cells, base64: (bytes[at] ?? []).map((part) => part?.base64 ?? null) }),
    ),
    columns,
  );
}
