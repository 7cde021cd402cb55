import { isAllowedNow } from '@/lib/auth/allowed-now';
import { verb } from '@/lib/auth/verb';
import { ofDeletion } from '@/lib/auth/verb-scopes';
import { getPlan } from '@/lib/deletions/get-deletion';
import type { Actor } from '@/lib/model/actor';
import type { DeletionPlan } from '@/lib/model/deletions/deletion-plan';
import type { DownloadFile } from '@/lib/model/download-file';
import { AppError } from '@/lib/model/errors';
import type { FileShape } from '@/lib/model/reports/file-formats';
import { PRICE_VALUES } from '@/lib/model/reports/list-values';
import { type ReportTable, tableOf } from '@/lib/model/reports/table';
import { type RowOrder, sortRows } from '@/lib/model/reports/table-order';
import { listFileName, tableDownload } from '@/lib/table-files/table-download';

/** What a plan costs in each way that can be chosen, in the order of the page, as a download. Errors: `not_found`. */
export const exportPrices = verb(
  { needs: 'instance.read', on: ofDeletion },
  async (actor: Actor, id: string, { format, signal, ...order }: FileShape & RowOrder): Promise<DownloadFile> => {
    const plan = await getPlan(actor, id);
    if (!plan.prices?.length) throw new AppError('not_found', 'This plan was made for one way only.');
    const table = pricesTable({ ...plan, prices: sortRows(plan.prices, PRICE_VALUES, order) });
    const stillAllowed = () => isAllowedNow(actor, 'instance.read', plan.instanceId);
    return tableDownload(table, { name: `${listFileName('prices')}-${id}`, format, signal, stillAllowed });
  },
);

const pricesTable = ({ options, prices = [] }: Pick<DeletionPlan, 'options' | 'prices'>): ReportTable =>
  tableOf(prices, [
    ['mode', 'text', ({ mode }) => mode],
    ['chosen', 'text', ({ mode }) => ('mode' in options && options.mode === mode ? 'yes' : 'no')],
    ['time', 'seconds', ({ seconds }) => seconds],
    ['server time', 'ms', ({ serverMs }) => serverMs],
    ['replication', 'bytes', ({ replicationBytes }) => replicationBytes],
    ['archive', 'bytes', ({ archiveBytes }) => archiveBytes],
  ]);
