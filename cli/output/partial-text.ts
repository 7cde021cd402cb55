import { formatNumber } from '@/cli/units';
import type { PartialReason } from '@/lib/model/snapshots/snapshot';

/** The reason why keys may be missing, as text for a terminal. */
export function formatPartialReason({ code, address, db, params }: PartialReason): string {
  const where = [address, db === null ? null : `db${db}`].filter((part) => part !== null).join(' ');
  return `${where === '' ? '' : `${where}: `}${TEXTS[code](params)}`;
}

const formatFigure = (value: number | undefined) => formatNumber(value ?? null);

const TEXTS: Record<PartialReason['code'], (params: PartialReason['params']) => string> = {
  databases_unknown: () => 'INFO and SELECT are denied, only database 0 was found (name others with --db)',
  slots_migrating: ({ slots }) => `${formatFigure(slots)} slots were being migrated and did not change owner`,
  fewer_than_counted: ({ read, counted }) =>
    `${formatFigure(read)} keys read where the server counted ${formatFigure(counted)}`,
  oversize_replies: ({ replies }) => `${formatFigure(replies)} pages of names were too large to read`,
};
