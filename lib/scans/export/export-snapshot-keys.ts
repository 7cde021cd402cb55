import { isAllowedNow } from '@/lib/access/auth/is-allowed-now';
import { verb } from '@/lib/access/auth/verb';
import { scopeToSnapshot } from '@/lib/access/auth/verb-scopes';
import type { Actor } from '@/lib/model/actor';
import type { DownloadFile } from '@/lib/model/download-file';
import type { FileFormat } from '@/lib/model/reports/file-formats';
import { CHECKED_WITHIN_MS } from '@/lib/rules/findings/wait-for-evaluation';
import { withRules } from '@/lib/rules/findings/with-rules';
import { getSnapshot } from '@/lib/scans/get-snapshot';
import { getSnapshotFolder } from '@/lib/snapshots/folder/snapshot-folder';
import { filtersByRules } from '@/lib/snapshots/key-query/filter-where';
import { findFilterPrefix } from '@/lib/snapshots/key-query/find-filter-prefix';
import { bringKeysBelow } from '@/lib/snapshots/remote/bring-snapshot';
import { type ExportFilter, streamKeyExport as exportRows } from '@/lib/snapshots/reports/export/stream-key-export';
import { buildExportName } from './build-export-name';

/**
 * How long a download waits for files from the object store, in ms. A browser requests a download once and does not
 * retry.
 */
const DOWNLOAD_MAX_WAIT_MS = 60_000;

/** Exports the list of keys under a filter: CSV (safe in spreadsheets), JSON Lines or Parquet. */
export const exportSnapshotKeys = verb(
  { needs: 'instance.read', on: scopeToSnapshot },
  async (
    actor: Actor,
    id: string,
    filter: ExportFilter,
    format: FileFormat,
    signal?: AbortSignal,
  ): Promise<DownloadFile> => {
    await getSnapshot(actor, id);
    // A filter by rules may need all keys to be evaluated first.
    const neededPrefix = filtersByRules(filter) ? undefined : findFilterPrefix(filter, filter.delimiter);
    const manifest = await bringKeysBelow(id, neededPrefix, { signal, maxWaitMs: DOWNLOAD_MAX_WAIT_MS });
    const { stream, contentType } = await exportRows(
      await withRules(
        { dir: getSnapshotFolder(id), manifest, checkedWithinMs: CHECKED_WITHIN_MS, ...(signal && { signal }) },
        filter,
      ),
      filter,
      format,
    );
    return {
      stream,
      contentType,
      filename: `${buildExportName(manifest, null)}.${format}`,
      stillAllowed: () => isAllowedNow(actor, 'instance.read', manifest.instanceId ?? ''),
    };
  },
);
