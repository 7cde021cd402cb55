import { formatNumber, safe } from '@/cli/units';
import { isLimitedScan } from '@/lib/model/snapshots/is-limited-scan';
import type { PartialReason, SnapshotManifest } from '@/lib/model/snapshots/snapshot';

/** The part of the keyspace that a scan was limited to; null = it read the whole keyspace. */
export function formatKeyspacePart({ options }: Pick<SnapshotManifest, 'options'>): string | null {
  if (!isLimitedScan(options)) return null;
  const { match, databases } = options;
  const parts = [
    ...(match ? [`prefix ${safe(match)}`] : []),
    ...(databases === null ? [] : [`databases ${databases.join(', ')}`]),
  ];
  return parts.join('; ');
}

/** The same as a row before other facts: figures of a part are not those of the keyspace. */
export function listPartRows(manifest: Pick<SnapshotManifest, 'options'>): [string, string][] {
  const part = formatKeyspacePart(manifest);
  return part === null ? [] : [['part of the keyspace', part]];
}

/** The reason why keys may be missing, as text for a terminal. */
export function formatPartialReason({ code, address, db, params }: PartialReason): string {
  const where = [address, db === null ? null : `db${db}`].filter((part) => part !== null).join(' ');
  return `${where === '' ? '' : `${where}: `}${TEXTS[code](params)}`;
}

/** The reason why a node or a database was left out, as text for a terminal. */
export function formatSkipped({ address, db, reason }: SnapshotManifest['coverage']['skipped'][number]): string {
  const what = db === null ? 'this node' : 'this database';
  const text = reason === 'redis_no_permission' ? `the user may not read ${what}` : reason.replaceAll('_', ' ');
  return `${address}${db === null ? '' : ` db${db}`}: ${text}`;
}

const formatFigure = (value: number | undefined) => formatNumber(value ?? null);

const TEXTS: Record<PartialReason['code'], (params: PartialReason['params']) => string> = {
  databases_unknown: () =>
    'SELECT is denied, so only database 0 can be read; grant it, or say with --db 0 that the others are empty',
  slots_migrating: ({ slots }) => `${formatFigure(slots)} slots were being migrated and did not change owner`,
  fewer_than_counted: ({ read, counted }) =>
    `${formatFigure(read)} keys read where the server counted ${formatFigure(counted)}`,
  oversize_replies: ({ replies }) => `${formatFigure(replies)} pages of names were too large to read`,
};
