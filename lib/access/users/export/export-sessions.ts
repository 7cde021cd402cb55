import { verb } from '@/lib/access/auth/verb';
import { own } from '@/lib/access/auth/verb-scopes';
import type { Actor } from '@/lib/model/actor';
import type { DownloadFile } from '@/lib/model/download-file';
import type { FileShape } from '@/lib/model/reports/file-formats';
import { momentText, tableOf } from '@/lib/model/reports/table';
import { listFileName, tableDownload } from '@/lib/snapshots/table-files/table-download';
import { listOwnSessions } from '../own-sessions';

/**
 * Returns the actor's sessions, last used first, as a download. It has no cookie, and nothing that one could be made
 * from.
 */
export const exportOwnSessions = verb(
  { needs: 'account.manage', on: own },
  async (actor: Actor, shape: FileShape): Promise<DownloadFile> => {
    const table = tableOf(await listOwnSessions(actor), [
      ['browser', 'text', (session) => session.agent],
      ['this one', 'text', ({ current }) => (current ? 'yes' : 'no')],
      ['address', 'text', (session) => session.address],
      ['signed in (UTC)', 'text', (session) => momentText(session.createdAt)],
      ['last used (UTC)', 'text', (session) => momentText(session.lastSeenAt)],
      ['valid until (UTC)', 'text', (session) => momentText(session.expiresAt)],
      ['id', 'text', (session) => session.id],
    ]);
    return tableDownload(table, { name: listFileName('sessions'), ...shape });
  },
);
