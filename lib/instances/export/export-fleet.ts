import { verb } from '@/lib/access/auth/verb';
import { own } from '@/lib/access/auth/verb-scopes';
import type { Actor } from '@/lib/model/actor';
import type { DownloadFile } from '@/lib/model/download-file';
import type { FileShape } from '@/lib/model/reports/file-formats';
import type { FleetRow } from '@/lib/model/reports/fleet';
import { type FleetFilter, type FleetGroup, filterFleet, noExpiryShare } from '@/lib/model/reports/fleet-filter';
import { FLEET_VALUES } from '@/lib/model/reports/list-values';
import { momentText, type ReportTable, tableOf } from '@/lib/model/reports/table';
import { inGroups, type RowOrder, sortRows } from '@/lib/model/reports/table-order';
import { listFileName, tableDownload } from '@/lib/snapshots/table-files/table-download';
import { fleet } from '../fleet';

interface FleetOrder extends RowOrder {
  group?: FleetGroup | undefined;
}

/** The instances that this person may see, with the filter and order of the page, as a download. */
export const exportFleet = verb(
  { needs: 'account.use', on: own },
  async (
    actor: Actor,
    filter: FleetFilter,
    { format, signal, ...order }: FileShape & FleetOrder,
  ): Promise<DownloadFile> => {
    const rows = inOrder(filterFleet(await fleet(actor), filter), order);
    return tableDownload(fleetTable(rows), { name: listFileName('fleet'), format, signal });
  },
);

function inOrder(rows: readonly FleetRow[], { group = 'none', ...order }: FleetOrder): FleetRow[] {
  const sorted = sortRows(rows, FLEET_VALUES, order);
  return group === 'none' ? sorted : inGroups(sorted, ({ instance }) => instance[group], order.lang ?? 'en');
}

const fleetTable = (rows: readonly FleetRow[]): ReportTable =>
  tableOf(rows, [
    ['instance', 'text', ({ instance }) => instance.name],
    ['topology', 'text', ({ instance }) => instance.topology],
    ['environment', 'text', ({ instance }) => instance.environment],
    ['team', 'text', ({ instance }) => instance.owner],
    ['tags', 'text', ({ instance }) => instance.tags.join(', ')],
    ['production', 'text', ({ instance }) => (instance.production ? 'yes' : 'no')],
    ['keys', 'number', ({ latest }) => latest?.keys ?? null],
    ['memory', 'bytes', ({ latest }) => latest?.bytes ?? null],
    ['score', 'number', ({ score }) => score ?? null],
    ['mandatory', 'number', ({ findings }) => findings?.mandatory ?? null],
    ['recommended', 'number', ({ findings }) => findings?.recommended ?? null],
    ['advice', 'number', ({ findings }) => findings?.advice ?? null],
    ['bigkeys', 'number', ({ latest }) => latest?.bigkeys ?? null],
    ['no expiry', 'share', noExpiryShare],
    ['last scan (UTC)', 'text', ({ latest }) => momentText(latest?.endedAt ?? latest?.startedAt ?? null)],
    ['scan failed (UTC)', 'text', ({ failedAt }) => momentText(failedAt)],
    ['complete', 'text', ({ latest }) => (latest === null ? null : latest.partial ? 'no' : 'yes')],
    ['running scan', 'text', ({ activeJob }) => activeJob?.state ?? null],
    ['id', 'text', ({ instance }) => instance.id],
  ]);
