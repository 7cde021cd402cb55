import { verb } from '@/lib/access/auth/verb';
import { own } from '@/lib/access/auth/verb-scopes';
import type { Actor } from '@/lib/model/actor';
import type { DownloadFile } from '@/lib/model/download-file';
import type { FileShape } from '@/lib/model/reports/file-formats';
import { momentText, tableOf } from '@/lib/model/reports/table';
import { listFileName, tableDownload } from '@/lib/snapshots/table-files/table-download';
import { listTokens } from '../list-tokens';
import { grantsText } from './grants-text';

/**
 * Returns the tokens that the actor may see, by name, as a download. It has neither the tokens themselves nor their
 * hashes.
 */
export const exportTokens = verb(
  { needs: 'account.manage', on: own },
  async (actor: Actor, shape: FileShape): Promise<DownloadFile> => {
    const table = tableOf(await listTokens(actor), [
      ['name', 'text', (token) => token.name],
      ['owner', 'text', ({ user }) => user.name],
      ['owner disabled', 'text', ({ user }) => (user.disabled ? 'yes' : 'no')],
      ['role', 'text', (token) => token.role],
      ['grants', 'text', (token) => grantsText(token.grants)],
      ['last used (UTC)', 'text', (token) => momentText(token.lastUsedAt)],
      ['from', 'text', (token) => token.lastAddress],
      ['created (UTC)', 'text', (token) => momentText(token.createdAt)],
      ['valid until (UTC)', 'text', (token) => momentText(token.expiresAt)],
      ['id', 'text', (token) => token.id],
    ]);
    return tableDownload(table, { name: listFileName('tokens'), ...shape });
  },
);
