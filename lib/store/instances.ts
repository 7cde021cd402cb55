import type { Selectable } from 'kysely';
import type { GrantTarget } from '@/lib/model/access';
import { replaceHalfCharacters } from '@/lib/model/replace-half-characters';
import { Instance, InstanceSettings } from '@/lib/model/servers/instance';
import { getDb, type Tx } from './open-store';
import type { InstancesTable } from './tables';

/** A registered instance as stored: settings are plain, secrets are sealed. */
export interface InstanceRow {
  id: string;
  settings: InstanceSettings;
  sealed: SealedSecrets;
  createdAt: number;
  updatedAt: number;
}
export interface SealedSecrets {
  password: string | null;
  sentinelPassword: string | null;
  writePassword: string | null;
  tlsKey: string | null;
}

const fromRow = (row: Selectable<InstancesTable>): InstanceRow => ({
  id: row.id,
  settings: parseSettings(row.name, row.settings),
  sealed: {
    password: row.password,
    sentinelPassword: row.sentinel_password,
    writePassword: row.write_password,
    tlsKey: row.tls_key,
  },
  createdAt: row.created_at,
  updatedAt: row.updated_at,
});

/** Whether the instance has a separate write user whose password was not given or was withdrawn. */
export const isWriteUserMissing = ({ settings, sealed }: Pick<InstanceRow, 'settings' | 'sealed'>): boolean =>
  settings.separateWriteUser && sealed.writePassword === null;

/** An instance as pages may see it, without its secrets. */
export const toInstance = (row: InstanceRow): Instance =>
  buildInstance(row.settings, {
    id: row.id,
    hasPassword: row.sealed.password !== null,
    hasSentinelPassword: row.sealed.sentinelPassword !== null,
    hasWritePassword: row.sealed.writePassword !== null,
    hasTlsKey: row.sealed.tlsKey !== null,
    createdAt: row.createdAt,
    updatedAt: row.updatedAt,
  });

const toColumns = (row: InstanceRow) => ({
  name: row.settings.name,
  settings: JSON.stringify(InstanceSettings.parse(row.settings)),
  password: row.sealed.password,
  sentinel_password: row.sealed.sentinelPassword,
  write_password: row.sealed.writePassword,
  tls_key: row.sealed.tlsKey,
  updated_at: row.updatedAt,
});

export async function insertInstanceRow(row: InstanceRow, tx?: Tx): Promise<void> {
  const db = await getDb(tx);
  await db
    .insertInto('instances')
    .values({ ...toColumns(row), id: row.id, created_at: row.createdAt })
    .execute();
}

export async function updateInstanceRow(row: InstanceRow, tx?: Tx): Promise<void> {
  const db = await getDb(tx);
  await db.updateTable('instances').set(toColumns(row)).where('id', '=', row.id).execute();
}

export async function getInstanceRow(id: string, tx?: Tx): Promise<InstanceRow | null> {
  const db = await getDb(tx);
  const row = await db.selectFrom('instances').selectAll().where('id', '=', id).executeTakeFirst();
  return row ? fromRow(row) : null;
}

/** All instances, sorted by name, which is unique. */
export async function listInstanceRows(tx?: Tx): Promise<InstanceRow[]> {
  const db = await getDb(tx);
  return (await db.selectFrom('instances').selectAll().orderBy('name').execute()).map(fromRow);
}

/**
 * The fields that grants depend on, of all instances or of those in `ids`. Lists call it often, so other settings are
 * not parsed.
 */
export async function listGrantTargets(ids?: readonly string[]): Promise<GrantTarget[]> {
  if (ids?.length === 0) return [];
  const db = await getDb(undefined);
  const all = db.selectFrom('instances').select(['id', 'settings']);
  const rows = await (ids === undefined ? all : all.where('id', 'in', [...ids])).execute();
  return rows.map(({ id, settings }) => {
    const { tags = [], environment = '' } = JSON.parse(replaceHalfCharacters(settings));
    return { id, tags, environment };
  });
}

export async function deleteInstanceRow(id: string, tx?: Tx): Promise<boolean> {
  const db = await getDb(tx);
  const done = await db.deleteFrom('instances').where('id', '=', id).executeTakeFirst();
  return done.numDeletedRows > 0n;
}

/** Number of cached settings; more than a company has instances. Each takes a few KiB. */
const MAX_CACHED = 5_000;

const settingsByText = new Map<string, InstanceSettings>();
/** Settings that were parsed from a text, so they have no unknown fields. */
const parsedSettings = new WeakSet<object>();

/**
 * Parses the settings of an instance. Every page reads the same text, and parsing costs more than the query, so the
 * result is cached and frozen.
 */
function parseSettings(name: string, text: string): InstanceSettings {
  const key = `${name}\n${text}`;
  const known = settingsByText.get(key);
  if (known) return known;
  // A text with half a character must not make all instances unreadable.
  const settings = makeReadOnly(InstanceSettings.parse({ ...JSON.parse(replaceHalfCharacters(text)), name }));
  if (settingsByText.size >= MAX_CACHED) settingsByText.clear();
  settingsByText.set(key, settings);
  parsedSettings.add(settings);
  return settings;
}

type StoredFields = Omit<Instance, keyof InstanceSettings>;

/** An instance as pages may see it. Settings that were not parsed here are parsed now, which drops unknown fields. */
const buildInstance = (settings: InstanceSettings, stored: StoredFields): Instance =>
  parsedSettings.has(settings) ? { ...settings, ...stored } : Instance.parse({ ...settings, ...stored });

function makeReadOnly<T extends object>(value: T): T {
  for (const part of Object.values(value)) if (typeof part === 'object' && part !== null) makeReadOnly(part);
  return Object.freeze(value);
}
