import { verb } from '@/lib/access/auth/verb';
import { own } from '@/lib/access/auth/verb-scopes';
import type { Actor } from '@/lib/model/actor';
import type { DownloadFile } from '@/lib/model/download-file';
import type { FileShape } from '@/lib/model/reports/file-formats';
import { TEAM_VALUES } from '@/lib/model/reports/list-values';
import { tableOf } from '@/lib/model/reports/table';
import { type RowOrder, sortRows } from '@/lib/model/reports/table-order';
import { listFileName, tableDownload } from '@/lib/snapshots/table-files/table-download';
import { listTeams } from '../teams/list-teams';
import { grantsText } from './grants-text';

/**
 * Returns the teams in the order of the page, as a download. Members and grants are empty for those who may not see
 * them.
 */
export const exportTeams = verb(
  { needs: 'account.use', on: own },
  async (actor: Actor, { format, signal, ...order }: FileShape & RowOrder): Promise<DownloadFile> => {
    const table = tableOf(sortRows(await listTeams(actor), TEAM_VALUES, order), [
      ['team', 'text', (team) => team.name],
      ['members', 'text', ({ members }) => members?.map(({ name }) => name).join(', ') ?? null],
      ['grants', 'text', ({ grants }) => grants && grantsText(grants)],
      ['mine', 'text', (team) => (team.mine ? 'yes' : 'no')],
      ['id', 'text', (team) => team.id],
    ]);
    return tableDownload(table, { name: listFileName('teams'), format, signal });
  },
);
