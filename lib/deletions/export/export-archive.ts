import { Readable } from 'node:stream';
import { areValuesAllowedNow } from '@/lib/access/auth/is-allowed-now';
import { recordValueRead } from '@/lib/access/auth/value-reads';
import { verb } from '@/lib/access/auth/verb';
import { scopeToDeletion } from '@/lib/access/auth/verb-scopes';
import { exportKey } from '@/lib/access/vault/export-archived-key';
import { VerifiedArchives } from '@/lib/deletions/executor/verified-archives';
import { getDeletionOrThrow } from '@/lib/deletions/get-deletion';
import { type ArchivePart, listArchiveParts } from '@/lib/deletions/journal/archive-parts';
import type { Actor } from '@/lib/model/actor';
import type { DownloadFile } from '@/lib/model/download-file';
import { AppError } from '@/lib/model/errors';
import { FILE_TYPES } from '@/lib/model/reports/file-formats';
import { isSameRegistration, type ServerIdentity } from '@/lib/model/servers/server-identity';
import { toRegistration } from '@/lib/redis/server/read-identity';
import { listItems } from '@/lib/store/deletions/deletion-items';
import { getInstanceRow } from '@/lib/store/instances';

const ITEMS_PER_PAGE = 1000;

/**
 * Returns what was archived as JSON Lines: of one item (`seq`), or of all. Every file is verified before its first line
 * is sent. The export is recorded in the audit log, and requires a reason on production. Errors: `values_forbidden`,
 * `reason_needed`, `not_found`.
 */
export const exportArchive = verb(
  { needs: 'value.read', on: scopeToDeletion, action: 'value.export' },
  async (
    actor: Actor,
    id: string,
    { seq, reason }: { seq: number | null; reason: string | null },
  ): Promise<DownloadFile> => {
    const { plan, server } = await getDeletionOrThrow(id);
    const items = walkArchivedItems(id, seq);
    const first = await items.next();
    if (first.done) throw new AppError('not_found', 'The archive no longer exists.', { deletion: id });
    // The elements themselves leave Colonnade, which is more than reading. An archive made at another address is linked
    // to this instance only by what a server reports, so rights on the instance are not enough.
    const needsOwnRole = plan.claimedElsewhere === true || (await isElsewhere(plan.instanceId, server));
    const details = { item: seq ?? 'all' };
    await recordValueRead(actor, {
      action: 'value.export',
      instanceId: plan.instanceId,
      subject: id,
      reason,
      rules: plan.values,
      needsOwnRole,
      details,
    });
    const archives = new VerifiedArchives(id);
    for (const { file, upTo } of first.value.parts) await archives.getIndex(file, upTo);
    async function* streamLines() {
      for (let next = first; !next.done; next = await items.next())
        for (const { file, upTo } of next.value.parts)
          yield* exportKey(file, await archives.getIndex(file, upTo), next.value.seq);
    }
    const stream = Readable.toWeb(
      Readable.from(streamLines()).map((text) => Buffer.from(text)),
    ) as ReadableStream<Uint8Array>;
    return {
      stream,
      filename: `colonnade-archive-${id}.jsonl`,
      contentType: FILE_TYPES.jsonl,
      stillAllowed: () => areValuesAllowedNow(actor, plan.instanceId, reason, plan.values),
    };
  },
);

/** Whether the deletion was made at another address than that of its instance today. */
async function isElsewhere(instanceId: string, server: ServerIdentity | null): Promise<boolean> {
  const instance = await getInstanceRow(instanceId);
  return instance !== null && server !== null && !isSameRegistration(server, toRegistration(instance.settings));
}

/** Reads a page at a time: a deletion may have a million keys. */
async function* walkArchivedItems(
  deletionId: string,
  seq: number | null,
): AsyncGenerator<{ seq: number; parts: ArchivePart[] }, undefined> {
  for (let afterSeq = -1; ; ) {
    const page = await listItems({ deletionId, afterSeq, limit: ITEMS_PER_PAGE, ...(seq !== null && { seqs: [seq] }) });
    for (const item of page) {
      const parts = await listArchiveParts(item);
      if (parts.length > 0) yield { seq: item.seq, parts };
    }
    if (page.length < ITEMS_PER_PAGE) return undefined;
    afterSeq = page.at(-1)?.seq ?? afterSeq;
  }
}
