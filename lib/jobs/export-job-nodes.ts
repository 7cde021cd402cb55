import { isAllowedNow } from '@/lib/access/auth/allowed-now';
import { verb } from '@/lib/access/auth/verb';
import { ofJob } from '@/lib/access/auth/verb-scopes';
import type { Actor } from '@/lib/model/actor';
import type { DownloadFile } from '@/lib/model/download-file';
import type { Progress } from '@/lib/model/job';
import type { FileShape } from '@/lib/model/reports/file-formats';
import { JOB_NODE_VALUES } from '@/lib/model/reports/list-values';
import { type ReportTable, tableOf } from '@/lib/model/reports/table';
import { type RowOrder, sortRows } from '@/lib/model/reports/table-order';
import { listFileName, tableDownload } from '@/lib/snapshots/table-files/table-download';
import { getJob } from './statuses/get-job';

/** Exports the progress of a job on each node and database, in the order of its page. Errors: `not_found`. */
export const exportJobNodes = verb(
  { needs: 'instance.read', on: ofJob },
  async (actor: Actor, id: string, { format, signal, ...order }: FileShape & RowOrder): Promise<DownloadFile> => {
    const { instanceId, progress } = await getJob(actor, id);
    const table = nodesTable(sortRows(progress?.nodes ?? [], JOB_NODE_VALUES, order));
    const stillAllowed = () => isAllowedNow(actor, 'instance.read', instanceId ?? '');
    return tableDownload(table, { name: `${listFileName('job-nodes')}-${id}`, format, signal, stillAllowed });
  },
);

const nodesTable = (nodes: Progress['nodes']): ReportTable =>
  tableOf(nodes, [
    ['node', 'text', ({ address }) => address],
    ['database', 'number', ({ db }) => db],
    ['state', 'text', ({ state }) => state],
    ['restarts', 'number', ({ restarts }) => restarts],
    ['progress', 'share', JOB_NODE_VALUES.progress],
    ['done', 'number', ({ done }) => done],
    ['of', 'number', ({ total }) => total],
    ['probe latency', 'ms', ({ latencyMs }) => latencyMs],
  ]);
