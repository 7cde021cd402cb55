import { verb } from '@/lib/access/auth/verb';
import { own } from '@/lib/access/auth/verb-scopes';
import type { Actor } from '@/lib/model/actor';
import type { DownloadFile } from '@/lib/model/download-file';
import type { FileShape } from '@/lib/model/reports/file-formats';
import { tableOf } from '@/lib/model/reports/table';
import { listFileName, tableDownload } from '@/lib/snapshots/table-files/table-download';
import { listProviders } from '../providers/list-providers';

/**
 * Returns the identity providers as a download, with what everyone may know of them and nothing else of their settings.
 * Everyone may read the list, but a file costs work, so it requires an account.
 */
export const exportProviders = verb(
  { needs: 'account.use', on: own },
  async (_actor: Actor, shape: FileShape): Promise<DownloadFile> => {
    const table = tableOf(listProviders(), [
      ['identity provider', 'text', ({ id }) => id],
      ['label', 'text', ({ label }) => label],
    ]);
    return tableDownload(table, { name: listFileName('identity-providers'), ...shape });
  },
);
