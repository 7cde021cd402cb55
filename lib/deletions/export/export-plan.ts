import { isAllowedNow } from '@/lib/access/auth/allowed-now';
import { verb } from '@/lib/access/auth/verb';
import { ofDeletion } from '@/lib/access/auth/verb-scopes';
import { getPlan } from '@/lib/deletions/get-deletion';
import type { Actor } from '@/lib/model/actor';
import type { DeletionPlan } from '@/lib/model/deletions/deletion-plan';
import type { PlanTable } from '@/lib/model/deletions/plan-tables';
import type { DownloadFile } from '@/lib/model/download-file';
import { AppError } from '@/lib/model/errors';
import type { FileShape } from '@/lib/model/reports/file-formats';
import { PRICE_VALUES } from '@/lib/model/reports/list-values';
import { type ReportTable, tableOf } from '@/lib/model/reports/table';
import { type RowOrder, sortRows } from '@/lib/model/reports/table-order';
import { listFileName, tableDownload } from '@/lib/snapshots/table-files/table-download';

interface PlanFile extends FileShape, RowOrder {
  table?: PlanTable | undefined;
}

/**
 * Returns a table of a plan as a download: what each mode costs, in the order of the page (without a name); the
 * hazards; or which keys are excluded and why. Errors: `not_found`.
 */
export const exportPlan = verb(
  { needs: 'instance.read', on: ofDeletion },
  async (actor: Actor, id: string, { table = 'prices', format, signal, ...order }: PlanFile): Promise<DownloadFile> => {
    const plan = await getPlan(actor, id);
    const stillAllowed = () => isAllowedNow(actor, 'instance.read', plan.instanceId);
    const rows = TABLES[table](plan, order);
    return tableDownload(rows, { name: `${listFileName(table)}-${id}`, format, signal, stillAllowed });
  },
);

const TABLES: Record<PlanTable, (plan: DeletionPlan, order: RowOrder) => ReportTable> = {
  prices: ({ options, prices }, order) => {
    if (prices.length === 0) throw new AppError('not_found', 'This plan was made for one way only.');
    return tableOf(sortRows(prices, PRICE_VALUES, order), [
      ['mode', 'text', ({ mode }) => mode],
      ['chosen', 'text', ({ mode }) => ('mode' in options && options.mode === mode ? 'yes' : 'no')],
      ['time from', 'seconds', ({ seconds }) => seconds?.from ?? null],
      ['time to', 'seconds', ({ seconds }) => seconds?.to ?? null],
      ['server time from', 'ms', ({ serverMs }) => serverMs?.from ?? null],
      ['server time to', 'ms', ({ serverMs }) => serverMs?.to ?? null],
      ['replication from', 'bytes', ({ replicationBytes }) => replicationBytes?.from ?? null],
      ['replication to', 'bytes', ({ replicationBytes }) => replicationBytes?.to ?? null],
      ['archive from', 'bytes', ({ archiveBytes }) => archiveBytes?.from ?? null],
      ['archive to', 'bytes', ({ archiveBytes }) => archiveBytes?.to ?? null],
    ]);
  },
  hazards: ({ hazards }) =>
    tableOf(hazards, [
      ['hazard', 'text', ({ hazard }) => hazard],
      ['keys', 'number', ({ keys }) => keys],
      ['memory', 'bytes', ({ bytes }) => bytes],
    ]),
  excluded: ({ excluded }) =>
    tableOf(excluded, [
      ['reason', 'text', ({ reason }) => reason.code],
      ['of it', 'text', ({ reason }) => detailsOf(reason.params)],
      ['keys', 'number', ({ keys }) => keys],
      ['examples', 'name', ({ examples }) => examples.join(', ') || null],
    ]),
};

/** The parameters of a reason, for example `type=ReJSON-RL`; null = it has none. */
const detailsOf = (params: Record<string, string | number>): string | null =>
  Object.entries(params)
    .map(([name, value]) => `${name}=${value}`)
    .join(' ') || null;
