import { randomBytes } from 'node:crypto';
import { readdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { commitFile } from '@/lib/runtime/files/fsync-and-rename';
import { toDiskError } from '@/lib/snapshots/folder/durable';
import { type Connection, queryRows, quote, quoteFiles } from '@/lib/snapshots/query/duckdb';
import { type FileBounds, readFileBounds } from '@/lib/snapshots/query/file-bounds';
import { SORTED_FORMAT, writeSorted } from './write-sorted';

const GROUP_ROWS = 65_536;
/**
 * A file has two row groups. A query about a prefix then reads few other rows, and a copy from an object store
 * downloads few.
 */
const GROUPS_PER_FILE = 2;
/** One group is held in memory while it is written, however long the names are; usual rows fill half of this. */
const GROUP_BYTES = '32MB';
/**
 * Characters of all cuts together, at most, because the manifest is read with every query. If the cuts are longer, the
 * manifest has none, and queries about a prefix read all files.
 */
const MAX_CUTS_LENGTH = 100_000;

/** The name of the folder in which files are written begins with this. */
const FOLDER = 'sealing-';

export interface SealedFiles {
  /** The files in the order of names. All rows of one name are in one file. */
  files: string[];
  /** A beginning of names between each file and the next one. Absent where names are too long for it. */
  cuts?: string[];
}

/**
 * Writes the rows of `select`, which come in the order of names, as `keys-NNNN.parquet`. The files are written into a
 * folder of their own first, because two processes may seal after a lease was lost, and are renamed when all of them
 * are complete.
 */
export async function writeSealedFiles(
  connection: Connection,
  dir: string,
  select: string,
  groupRows = GROUP_ROWS,
): Promise<SealedFiles> {
  const name = `${FOLDER}${randomBytes(4).toString('hex')}`;
  const folder = path.join(dir, name);
  try {
    const sizes = `ROW_GROUP_SIZE ${groupRows}, ROW_GROUP_SIZE_BYTES '${GROUP_BYTES}', ROW_GROUPS_PER_FILE ${GROUPS_PER_FILE}`;
    await queryRows(connection, `COPY (${select}) TO ${quote(folder)} (${SORTED_FORMAT}, ${sizes})`);
    const all = await listWritten(folder);
    await keepNamesTogether(connection, folder, all, groupRows);
    const bounds = await readBounds(connection, folder, all);
    // An empty keyspace is one empty file.
    const written = bounds.length > 0 ? bounds.map(({ file }) => file) : all.slice(0, 1);
    const files = written.map((_, index) => `keys-${String(index).padStart(4, '0')}.parquet`);
    for (const [index, file] of files.entries())
      await commitFile(path.join(folder, written[index]!), path.join(dir, file));
    const cuts = findCuts(bounds);
    return { files, ...(cuts && { cuts }) };
  } catch (error) {
    throw await toDiskError(error, dir);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Removes sealed files of an earlier attempt, which no manifest lists. */
export async function removeSealedFiles(dir: string): Promise<void> {
  const names = (await readdir(dir)).filter((name) => /^keys-\d+\.parquet$/.test(name));
  await Promise.all(names.map((name) => rm(path.join(dir, name), { force: true })));
  await removeUnfinished(dir);
}

/** Removes the folders that a killed process wrote its files in. */
export async function removeUnfinished(dir: string): Promise<void> {
  const names = (await readdir(dir)).filter((name) => name.startsWith(FOLDER));
  await Promise.all(names.map((name) => rm(path.join(dir, name), { recursive: true, force: true })));
}

/** The database numbers its files as it writes them: `data_0.parquet`, `data_1.parquet`, … */
async function listWritten(folder: string): Promise<string[]> {
  const parseFileNumber = (file: string) => Number(/\d+/.exec(file)![0]);
  return (await readdir(folder)).sort((a, b) => parseFileNumber(a) - parseFileNumber(b));
}

/** Returns the bounds of the files that have rows; the last file may have none. */
async function readBounds(connection: Connection, folder: string, files: readonly string[]): Promise<FileBounds[]> {
  const fromStatistics = await readFileBounds((sql) => queryRows(connection, sql), folder, files);
  const bounds: FileBounds[] = [];
  for (const [index, file] of files.entries()) {
    const known = fromStatistics[index];
    const found = known?.isExact ? known : await computeBounds(connection, folder, file);
    if (found) bounds.push(found);
  }
  return bounds;
}

/**
 * Computes the bounds of a file whose statistics are not exact, because its first or last name is long. null: the file
 * has no rows.
 */
async function computeBounds(connection: Connection, folder: string, file: string): Promise<FileBounds | null> {
  const [row] = await queryRows<{ from: string | null; to: string | null }>(
    connection,
    `SELECT min(name) AS "from", max(name) AS "to" FROM read_parquet(${quote(path.join(folder, file))})`,
  );
  const { from, to } = row!;
  return from === null || to === null ? null : { file, from: Buffer.from(from), to: Buffer.from(to) };
}

/**
 * A file ends with a row group, and the rows of one name (in several databases, or of other bytes) may be on both sides
 * of that end. Such rows are moved to the later file, so that a query about a name reads one file.
 */
async function keepNamesTogether(
  connection: Connection,
  folder: string,
  files: readonly string[],
  groupRows: number,
): Promise<void> {
  const bounds = await readBounds(connection, folder, files);
  for (const [index, { file, to }] of bounds.entries()) {
    const next = bounds[index + 1];
    if (next === undefined || Buffer.compare(to, next.from) !== 0) continue;
    const name = [to.toString()];
    const rows = (some: string[], where: string) =>
      `SELECT * FROM read_parquet([${quoteFiles(folder, some)}]) WHERE ${where}
       ORDER BY name, db, raw NULLS FIRST, sha256 NULLS FIRST, name_bytes`;
    await writeSorted(connection, folder, next.file, rows([file, next.file], 'name >= $1'), { groupRows }, name);
    await writeSorted(connection, folder, file, rows([file], 'name < $1'), { groupRows }, name);
  }
}

/**
 * Returns the cuts between the files; undefined: they are too long. Throws when the files are not in the order of
 * names, because every answer from such a snapshot would be wrong.
 */
function findCuts(bounds: readonly FileBounds[]): string[] | undefined {
  const cuts = bounds.slice(1).map(({ from }, index) => {
    const { to } = bounds[index]!;
    if (Buffer.compare(to, from) >= 0) throw new Error('The sealed files are not in the order of names.');
    return findCutBetween(to.toString(), from.toString());
  });
  return cuts.reduce((sum, cut) => sum + cut.length, 0) <= MAX_CUTS_LENGTH ? cuts : undefined;
}

/**
 * Returns the shortest beginning of `name` that is greater than `before`. The cuts between all files are written in the
 * manifest, and names may be long.
 */
export function findCutBetween(before: string, name: string): string {
  const [earlier, later] = [Array.from(before), Array.from(name)];
  const at = later.findIndex((character, index) => character !== earlier[index]);
  return at < 0 ? name : later.slice(0, at + 1).join('');
}
