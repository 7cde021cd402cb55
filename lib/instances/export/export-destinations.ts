import { isAllowedNow } from '@/lib/access/auth/allowed-now';
import { verb } from '@/lib/access/auth/verb';
import { ofInstance } from '@/lib/access/auth/verb-scopes';
import { getDestinations } from '@/lib/instances/destinations';
import type { Actor } from '@/lib/model/actor';
import type { DownloadFile } from '@/lib/model/download-file';
import type { FileShape } from '@/lib/model/reports/file-formats';
import { momentText, tableOf } from '@/lib/model/reports/table';
import { listFileName, tableDownload } from '@/lib/snapshots/table-files/table-download';

/** The confirmed announced addresses as a download. Errors: `not_found`. */
export const exportDestinations = verb(
  { needs: 'instance.read', on: ofInstance },
  async (actor: Actor, instanceId: string, { format, signal }: FileShape): Promise<DownloadFile> => {
    const table = tableOf(await getDestinations(actor, instanceId), [
      ['address', 'text', ({ address }) => address],
      ['confirmed by', 'text', ({ confirmedBy }) => confirmedBy],
      ['confirmed (UTC)', 'text', ({ confirmedAt }) => momentText(confirmedAt)],
    ]);
    const stillAllowed = () => isAllowedNow(actor, 'instance.read', instanceId);
    return tableDownload(table, { name: listFileName('destinations'), format, signal, stillAllowed });
  },
);
