import { recordAudit } from '@/lib/access/audit/record';
import { verifyAudit } from '@/lib/access/audit/verify-audit';
import type { Actor } from '@/lib/model/actor';
import { AppError } from '@/lib/model/errors';
import { ACTIVE_STATES } from '@/lib/model/job-states';
import { config } from '@/lib/runtime/config';
import { type PostgresAddress, parsePostgresUrl } from '@/lib/store/engines/postgres-url';
import { generateId } from '@/lib/store/generate-id';
import { findStoredJobs } from '@/lib/store/jobs';
import { migrateWithin } from '@/lib/store/migrate';
import { copyTables, type MoveProgress, type RowsOfTables } from '@/lib/store/move/copy-tables';
import { openMoveSource } from '@/lib/store/move/open-move-source';
import { findFillingMove, MOVED_FROM, openMoveTarget, prepareTarget } from '@/lib/store/move/open-move-target';
import { type MoveMark, readMoveMark, writeMoveMark } from '@/lib/store/move-mark';
import type { Store, Tx } from '@/lib/store/open-store';
import { setSetting } from '@/lib/store/settings/settings';

interface StoreMove {
  to: string;
  /** The rows that were copied; null = an earlier attempt had already copied everything. */
  rows: RowsOfTables | null;
}

/**
 * Copies the embedded database of the data folder into the configured PostgreSQL, in one transaction there: after any
 * interruption, either nothing or everything is copied. The file is marked just before the commit and again after it,
 * so that two servers can never start from both databases. The other files of the data folder stay where they are.
 * Errors: `bad_request`, `conflict`, `job_running` and those of the databases.
 */
export async function moveStore(actor: Actor, onProgress: (progress: MoveProgress) => void): Promise<StoreMove> {
  const url = config.databaseUrl;
  if (url === null)
    throw new AppError(
      'bad_request',
      'Set COLONNADE_DATABASE_URL to the empty PostgreSQL that shall hold the database: postgres://user:password@host:5432/database',
    );
  const address = parsePostgresUrl(url.reveal());
  const source = await openMoveSource();
  const target = openMoveTarget(address);
  try {
    const mark = await readMoveMark(source);
    if (mark && (await isCommitted(mark, address, target))) {
      await writeMoveMark(source, { ...mark, state: 'moved' });
      return { to: address.display, rows: null };
    }
    if (mark) await writeMoveMark(source, null);
    const id = generateId();
    const rows = await target.transaction().execute((to) => copyAll({ actor, id, address, source, to, onProgress }));
    await writeMoveMark(source, { state: 'moved', id, to: address.display });
    return { to: address.display, rows };
  } finally {
    await Promise.all([source.destroy(), target.destroy()]);
  }
}

/**
 * Whether the move that left this mark was committed. Errors: `conflict` (the configuration names another database, or
 * that database has been replaced).
 */
async function isCommitted(mark: MoveMark, address: PostgresAddress, target: Store): Promise<boolean> {
  if (mark.to !== address.display)
    throw new AppError(
      'conflict',
      `A move of this data folder to ${mark.to} was ${mark.state === 'moved' ? 'done' : 'begun'}; COLONNADE_DATABASE_URL names ${address.display}. Name that one.`,
      { database: mark.to },
    );
  const committed = (await target.transaction().execute(findFillingMove)) === mark.id;
  if (!committed && mark.state === 'moved')
    throw new AppError(
      'conflict',
      `This data folder was moved to ${mark.to}, and what is there now is something else. Restore that database.`,
      { database: mark.to },
    );
  return committed;
}

interface Move {
  actor: Actor;
  id: string;
  address: PostgresAddress;
  source: Store;
  to: Tx;
  onProgress: (progress: MoveProgress) => void;
}

async function copyAll({ actor, id, address, source, to, onProgress }: Move): Promise<RowsOfTables> {
  const rows = await source.transaction().execute(async (from) => {
    await migrateWithin(from, null);
    await refuseActiveJobs(from);
    await assertChain(from, 'here');
    await prepareTarget(address, to);
    return copyTables(from, to, onProgress);
  });
  await assertChain(to, 'there');
  await recordAudit(to, { actor, action: 'store.move', subject: address.display, details: { ...rows } });
  await setSetting(MOVED_FROM, id, to);
  await writeMoveMark(source, { state: 'moving', id, to: address.display });
  return rows;
}

async function refuseActiveJobs(from: Tx): Promise<void> {
  const active = await findStoredJobs({ states: ACTIVE_STATES, limit: 1000 }, from);
  if (active.length === 0) return;
  const [first] = active;
  throw new AppError(
    'job_running',
    `${active.length} jobs have not come to their end (${first?.job.kind} of ${first?.job.instanceName ?? 'all'}: ${first?.job.state}). Start the server once more without COLONNADE_DATABASE_URL, pause or cancel them, stop it, and try again.`,
    { job: first?.job.id ?? null, kind: first?.job.kind ?? '', state: first?.job.state ?? '', instance: '' },
  );
}

async function assertChain(tx: Tx, where: 'here' | 'there'): Promise<void> {
  const { ok, firstBad } = await verifyAudit(tx);
  if (ok) return;
  const bad = `at row ${firstBad?.seq} (${firstBad?.problem})`;
  throw new AppError(
    'conflict',
    where === 'here'
      ? `The audit log of this data folder does not hold ${bad}, so nothing is moved. Is it the right key (vault.key, COLONNADE_KEY)? See colonnade audit verify.`
      : `The audit log did not arrive whole: ${bad}. Nothing was moved. Try again, and report it if it stays.`,
    { seq: firstBad?.seq ?? null },
  );
}
