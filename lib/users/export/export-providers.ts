import { verb } from '@/lib/auth/verb';
import { own } from '@/lib/auth/verb-scopes';
import type { Actor } from '@/lib/model/actor';
import type { DownloadFile } from '@/lib/model/download-file';
import type { FileShape } from '@/lib/model/reports/file-formats';
import { tableOf } from '@/lib/model/reports/table';
import { listFileName, tableDownload } from '@/lib/table-files/table-download';
import { listProviders } from '../providers/list-providers';

/**
 * Identity providers as a download: what anybody may know of them, nothing else of their settings. Anybody may read the
 * list, but a file is work, which only people with an account may ask for.
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
