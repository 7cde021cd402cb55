import { verb } from '@/lib/access/auth/verb';
import { everywhere } from '@/lib/access/auth/verb-scopes';
import { userState } from '@/lib/model/accounts/user-state';
import type { Actor } from '@/lib/model/actor';
import type { DownloadFile } from '@/lib/model/download-file';
import type { FileShape } from '@/lib/model/reports/file-formats';
import { USER_VALUES } from '@/lib/model/reports/list-values';
import { momentText, tableOf } from '@/lib/model/reports/table';
import { type RowOrder, sortRows } from '@/lib/model/reports/table-order';
import { listFileName, tableDownload } from '@/lib/snapshots/table-files/table-download';
import { listUsers } from '../list-users';
import { grantsText } from './grants-text';

/**
 * Returns everyone with an account, in the order of the page, as a download. It has no password, no hash and no
 * one-time link.
 */
export const exportUsers = verb(
  { needs: 'user.manage', on: everywhere },
  async (actor: Actor, { format, signal, ...order }: FileShape & RowOrder): Promise<DownloadFile> => {
    const table = tableOf(sortRows(await listUsers(actor), USER_VALUES, order), [
      ['name', 'text', (user) => user.name],
      ['role', 'text', (user) => user.role],
      ['grants', 'text', (user) => grantsText(user.grants)],
      ['state', 'text', userState],
      ['identity provider', 'text', (user) => user.provider],
      ['last sign-in (UTC)', 'text', (user) => momentText(user.lastSignInAt)],
      ['created (UTC)', 'text', (user) => momentText(user.createdAt)],
      ['id', 'text', (user) => user.id],
    ]);
    return tableDownload(table, { name: listFileName('users'), format, signal });
  },
);
