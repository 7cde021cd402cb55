import { verb } from '@/lib/access/auth/verb';
import { own } from '@/lib/access/auth/verb-scopes';
import type { Actor } from '@/lib/model/actor';
import type { DownloadFile } from '@/lib/model/download-file';
import type { FileShape } from '@/lib/model/reports/file-formats';
import { PROFILE_VALUES } from '@/lib/model/reports/list-values';
import { momentText, tableOf } from '@/lib/model/reports/table';
import { type RowOrder, sortRows } from '@/lib/model/reports/table-order';
import { instancesOfProfile, rulesOfStrength } from '@/lib/model/rules/profile-facts';
import { listFileName, tableDownload } from '@/lib/snapshots/table-files/table-download';
import { listProfiles } from './list-profiles';

/**
 * Returns presets and the team's own profiles in the order of the page, as a download, with those of their instances
 * that the actor may see. All of one profile is a separate file, which can be imported.
 */
export const exportProfiles = verb(
  { needs: 'account.use', on: own },
  async (actor: Actor, { format, signal, ...order }: FileShape & RowOrder): Promise<DownloadFile> => {
    const table = tableOf(sortRows(await listProfiles(actor), PROFILE_VALUES, order), [
      ['profile', 'text', ({ body }) => body.name],
      ['description', 'text', ({ body }) => body.description],
      ['preset', 'text', ({ preset }) => (preset ? 'yes' : 'no')],
      ['mandatory', 'number', (profile) => rulesOfStrength(profile, 'mandatory')],
      ['recommended', 'number', (profile) => rulesOfStrength(profile, 'recommended')],
      ['advice', 'number', (profile) => rulesOfStrength(profile, 'advice')],
      ['used by', 'text', instancesOfProfile],
      ['changed (UTC)', 'text', ({ updatedAt }) => momentText(updatedAt)],
      ['id', 'text', ({ id }) => id],
    ]);
    return tableDownload(table, { name: listFileName('profiles'), format, signal });
  },
);
