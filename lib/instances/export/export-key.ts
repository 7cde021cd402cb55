import { areValuesAllowedNow, isAllowedNow } from '@/lib/access/auth/allowed-now';
import { verb } from '@/lib/access/auth/verb';
import { ofInstance } from '@/lib/access/auth/verb-scopes';
import { previewLiveKey, readLiveKey } from '@/lib/instances/read-live-key';
import type { Actor } from '@/lib/model/actor';
import type { DownloadFile } from '@/lib/model/download-file';
import { AppError } from '@/lib/model/errors';
import type { FileShape } from '@/lib/model/reports/file-formats';
import { listFileName, tableDownload } from '@/lib/snapshots/table-files/table-download';
import { factsOfKeyTable, previewTable } from './key-tables';

interface OneKey extends FileShape {
  k: string;
  db: number;
}

/** The facts of a key on the live server, as a download. Without a row: the key does not exist. */
export const exportKeyFacts = verb(
  { needs: 'instance.read', on: ofInstance },
  async (actor: Actor, instanceId: string, { k, db, format, signal }: OneKey): Promise<DownloadFile> => {
    const table = factsOfKeyTable(await readLiveKey(actor, instanceId, k, db), Date.now());
    const stillAllowed = () => isAllowedNow(actor, 'instance.read', instanceId);
    return tableDownload(table, { name: listFileName('key'), format, signal, stillAllowed });
  },
);

/**
 * A bounded part of a key's value, as a download. It is written to the audit log, and on production it needs a reason.
 * Errors: those of the preview; `not_found` if no part of the value can be shown.
 */
export const exportKeyPreview = verb(
  { needs: 'value.read', on: ofInstance, action: 'value.preview' },
  async (
    actor: Actor,
    instanceId: string,
    { k, db, reason, format, signal }: OneKey & { reason: string | null },
  ): Promise<DownloadFile> => {
    const { preview } = await previewLiveKey(actor, instanceId, { k, db, reason });
    if (preview === null || preview.kind === 'unsupported')
      throw new AppError('not_found', 'No part of the value of this key can be shown, or the key is gone.', { k });
    const stillAllowed = () => areValuesAllowedNow(actor, instanceId, reason);
    return tableDownload(previewTable(preview), { name: listFileName('value'), format, signal, stillAllowed });
  },
);
