import { isAllowedNow } from '@/lib/auth/allowed-now';
import { verb } from '@/lib/auth/verb';
import { ofSnapshot } from '@/lib/auth/verb-scopes';
import { withRules } from '@/lib/findings/with-rules';
import type { Actor } from '@/lib/model/actor';
import type { DownloadFile } from '@/lib/model/download-file';
import type { FileFormat } from '@/lib/model/reports/file-formats';
import { type ExportFilter, streamKeyExport as exportRows } from '@/lib/reports/export/stream-key-export';
import { getSnapshot } from '@/lib/scans/get-snapshot';
import { snapshotFolder } from '@/lib/scans/snapshot-folder';
import { bringKeys } from '@/lib/snapshot-store/bring-snapshot';
import { exportName } from './export-name';

/** A browser that downloads asks once. */
const DOWNLOAD_MAX_WAIT_MS = 60_000;

/** The key list under a filter as a download: CSV (safe in spreadsheets), JSON Lines or Parquet. */
export const exportSnapshotKeys = verb(
  { needs: 'instance.read', on: ofSnapshot },
  async (
    actor: Actor,
    id: string,
    filter: ExportFilter,
    format: FileFormat,
    signal?: AbortSignal,
  ): Promise<DownloadFile> => {
    const manifest = await getSnapshot(actor, id);
    await bringKeys(id, { signal, maxWaitMs: DOWNLOAD_MAX_WAIT_MS });
    const { stream, contentType } = await exportRows(
      await withRules({ dir: snapshotFolder(id), manifest, ...(signal && { signal }) }, filter),
      filter,
      format,
    );
    return {
      stream,
      contentType,
      filename: `${exportName(manifest, null)}.${format}`,
      stillAllowed: () => isAllowedNow(actor, 'instance.read', manifest.instanceId ?? ''),
    };
  },
);
