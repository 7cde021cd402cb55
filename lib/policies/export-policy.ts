import { isAllowedNow } from '@/lib/access/auth/allowed-now';
import { verb } from '@/lib/access/auth/verb';
import { ofInstance, own } from '@/lib/access/auth/verb-scopes';
import type { Actor } from '@/lib/model/actor';
import type { DownloadFile } from '@/lib/model/download-file';
import type { FileShape } from '@/lib/model/reports/file-formats';
import { momentText, tableOf } from '@/lib/model/reports/table';
import { englishTitle } from '@/lib/rules/catalogue';
import { listFileName, tableDownload } from '@/lib/snapshots/table-files/table-download';
import { getChecklist } from './checklist';
import { listExemptions } from './exemptions';
import { listOwners } from './owners';

/** null = every instance. */
const scopeOf = ({ instanceId }: { instanceId: string | null }) =>
  instanceId === null ? 'every instance' : instanceId;

/** Returns the exemptions that the actor may see, expired ones too, as a download. */
export const exportExemptions = verb(
  { needs: 'account.use', on: own },
  async (actor: Actor, instanceId: string | null, shape: FileShape): Promise<DownloadFile> => {
    const table = tableOf(await listExemptions(actor, instanceId), [
      ['rule', 'text', (row) => row.rule],
      ['title', 'text', (row) => englishTitle(row.rule)],
      ['prefix', 'name', (row) => row.prefix],
      ['pattern', 'name', (row) => row.pattern],
      ['instance', 'text', scopeOf],
      ['until (UTC)', 'text', (row) => momentText(row.expiresAt)],
      ['owner', 'text', (row) => row.owner],
      ['reason', 'text', (row) => row.reason],
      ['by', 'text', (row) => row.createdBy],
      ['added (UTC)', 'text', (row) => momentText(row.createdAt)],
    ]);
    return tableDownload(table, { name: listFileName('exemptions'), ...shape });
  },
);

/** Returns the owners of prefixes that the actor may see, as a download. */
export const exportOwners = verb(
  { needs: 'account.use', on: own },
  async (actor: Actor, instanceId: string | null, shape: FileShape): Promise<DownloadFile> => {
    const table = tableOf(await listOwners(actor, instanceId), [
      ['prefix', 'name', (row) => row.prefix],
      ['team', 'text', (row) => row.team],
      ['instance', 'text', scopeOf],
    ]);
    return tableDownload(table, { name: listFileName('owners'), ...shape });
  },
);

/** Returns the checklist of an instance as a download. */
export const exportChecklist = verb(
  { needs: 'instance.read', on: ofInstance },
  async (actor: Actor, instanceId: string, shape: FileShape): Promise<DownloadFile> => {
    const table = tableOf(await getChecklist(actor, instanceId), [
      ['rule', 'text', (row) => row.rule],
      ['title', 'text', (row) => englishTitle(row.rule)],
      ['state', 'text', (row) => row.state],
      ['owner', 'text', (row) => row.owner],
      ['date (UTC)', 'text', (row) => momentText(row.date)],
      ['note', 'text', (row) => row.note],
      ['by', 'text', (row) => row.updatedBy],
      // An open rule has not been answered.
      ['answered (UTC)', 'text', (row) => (row.updatedAt === 0 ? null : momentText(row.updatedAt))],
    ]);
    const stillAllowed = () => isAllowedNow(actor, 'instance.read', instanceId);
    return tableDownload(table, { name: listFileName('checklist'), ...shape, stillAllowed });
  },
);
