import { Readable } from 'node:stream';
import { recordAudit } from '@/lib/audit/record';
import { requireRole } from '@/lib/audit/require-role';
import type { Actor } from '@/lib/model/actor';
import { AppError } from '@/lib/model/errors';
import { listItems } from '@/lib/store/deletion-items';
import { transaction } from '@/lib/store/open-store';
import { exportKey } from '@/lib/vault/export-archive';
import { deletionOrThrow } from './get-deletion';
import { journalOf } from './item-journal';
import { VerifiedArchives } from './verified-archives';

/** What was archived, as JSON Lines: of one item, or of all. Every file is verified before its first line is sent. */
export async function exportArchive(
  actor: Actor,
  id: string,
  seq: number | null,
): Promise<{ stream: ReadableStream<Uint8Array>; filename: string; contentType: string }> {
  const { plan } = await deletionOrThrow(id);
  const entry = { action: 'deletion.export', subject: id, instanceId: plan.instanceId };
  // The elements themselves leave the house: more than looking.
  await requireRole(actor, 'operator', entry);
  const items = await listItems({ deletionId: id, limit: 1_000_000, ...(seq !== null && { seqs: [seq] }) });
  const held = items.filter((item) => (journalOf(item).archives?.length ?? 0) > 0);
  if (held.length === 0) throw new AppError('not_found', 'There is no archive of this any more.', { deletion: id });
  await transaction((tx) => recordAudit(tx, { ...entry, actor, details: { items: held.length } }));
  const archives = new VerifiedArchives(id);
  const [first] = held;
  for (const file of first ? (journalOf(first).archives ?? []) : []) await archives.get(file);
  async function* lines() {
    for (const item of held)
      for (const file of journalOf(item).archives ?? []) yield* exportKey(file, await archives.get(file), item.seq);
  }
  const stream = Readable.toWeb(Readable.from(lines()).map((text) => Buffer.from(text))) as ReadableStream<Uint8Array>;
  return { stream, filename: `colonnade-archive-${id}.jsonl`, contentType: 'application/x-ndjson; charset=utf-8' };
}
