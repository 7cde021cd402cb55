import { setTimeout as sleep } from 'node:timers/promises';
import { isAllowedNow } from '@/lib/access/auth/is-allowed-now';
import { verb } from '@/lib/access/auth/verb';
import { scopeToSnapshot } from '@/lib/access/auth/verb-scopes';
import type { Actor } from '@/lib/model/actor';
import type {
  ComparedGroup,
  ComparedGroupsQuery,
  ComparedKeys,
  ComparedKeysQuery,
} from '@/lib/model/comparison/comparison';
import { buildComparedGroupsTable, buildComparedKeysTable } from '@/lib/model/comparison/comparison-tables';
import { isChosenByServer } from '@/lib/model/comparison/since';
import type { DownloadFile } from '@/lib/model/download-file';
import { AppError } from '@/lib/model/errors';
import type { FileShape } from '@/lib/model/reports/file-formats';
import { listComparedGroups, listComparedKeys } from '@/lib/scans/compare/compare-snapshots';
import { getSnapshot } from '@/lib/scans/get-snapshot';
import { createPagesDownload, createTableDownload } from '@/lib/snapshots/table-files/table-download';
import { buildExportName } from './build-export-name';
import { collectRows, PAGE_ROWS } from './collect-rows';

/** Exports the prefixes or templates that differ. Errors: those of `listComparedGroups`, `too_large`. */
export const exportComparedGroups = verb(
  { needs: 'instance.read', on: scopeToSnapshot },
  async (actor: Actor, id: string, query: ComparedGroupsQuery, file: FileShape): Promise<DownloadFile> => {
    const rows = await collectRows<ComparedGroup>((cursor) =>
      listComparedGroups(actor, id, { ...query, limit: PAGE_ROWS, cursor }, file.signal),
    );
    return createTableDownload(
      buildComparedGroupsTable(rows, query.by),
      await describe(actor, [id, query.with], query.by, file),
    );
  },
);

/** Exports all keys of one change, page by page. Errors: those of `listComparedKeys`; `busy` while it is computed. */
export const exportComparedKeys = verb(
  { needs: 'instance.read', on: scopeToSnapshot },
  async (actor: Actor, id: string, query: ComparedKeysQuery, file: FileShape): Promise<DownloadFile> => {
    const readPage = (cursor: string | undefined) =>
      listComparedKeys(actor, id, { ...query, limit: PAGE_ROWS, cursor }, file.signal);
    // The first page is read now, so that a failure is reported before anything is sent.
    const first = await waitForPage(() => readPage(undefined), file.signal);
    async function* pages() {
      for (let page = first; ; page = await readPage(page.nextCursor!)) {
        // Half a list must not pass for a whole one.
        if (page.waiting)
          throw new AppError('busy', 'The comparison was made anew meanwhile. Download the file again.');
        yield buildComparedKeysTable(page.rows);
        if (page.nextCursor === null) return;
      }
    }
    const part = `${query.change}-${query.big ? 'bigkeys' : 'keys'}`;
    return createPagesDownload(
      buildComparedKeysTable([]),
      pages(),
      await describe(actor, [id, query.with], part, file),
    );
  },
);

const POLL_MS = 250;
/** How long a download waits for the comparison, in ms: a browser requests it once and does not retry. */
const MAX_WAIT_MS = 60_000;

async function waitForPage(read: () => Promise<ComparedKeys>, signal: AbortSignal | undefined): Promise<ComparedKeys> {
  const until = performance.now() + MAX_WAIT_MS;
  for (let page = await read(); ; page = await read()) {
    if (!page.waiting) return page;
    if (performance.now() > until)
      throw new AppError('busy', 'The keys are still being compared. Try again in a moment.', { retryAfterSeconds: 5 });
    await sleep(POLL_MS, undefined, { signal });
  }
}

async function describe(actor: Actor, [id, since]: [string, string], part: string, { format, signal }: FileShape) {
  const manifest = await getSnapshot(actor, id);
  const other = isChosenByServer(since) ? manifest : await getSnapshot(actor, since);
  const instances = [...new Set([manifest, other].map(({ instanceId }) => instanceId ?? ''))];
  const stillAllowed = async () => {
    for (const instance of instances) if (!(await isAllowedNow(actor, 'instance.read', instance))) return false;
    return true;
  };
  return { name: buildExportName(manifest, `compared-${part}`), format, signal, stillAllowed };
}
