import { combineMarks } from '@/lib/model/servers/protection-marks';
import { getInstanceRow, type InstanceRow } from '../instances';
import { getDb, runTransaction, type Tx } from '../open-store';

export interface InstanceNode {
  /** `host:port` in lower case. */
  address: string;
  /** null = the server does not report it, or was not asked yet. */
  runId: string | null;
}

/**
 * `isOnlyNamed` = a server named this address, but nobody connected to it. It is stored only if it was known before.
 */
type SeenNode = InstanceNode & { isOnlyNamed?: boolean };

/** Nodes of an instance, sorted by address. */
async function listInstanceNodes(instanceId: string, tx?: Tx): Promise<InstanceNode[]> {
  const db = await getDb(tx);
  const rows = await db
    .selectFrom('instance_nodes')
    .select(['address', 'run_id as runId'])
    .where('instance_id', '=', instanceId)
    .orderBy('address')
    .execute();
  return rows.toSorted((a, b) => (a.address < b.address ? -1 : 1));
}

/**
 * Replaces the known nodes of an instance. If a run id is hidden now, the last known one is kept. It writes only if
 * something differs, because it is called with every connection.
 */
export async function noteInstanceNodes(instanceId: string, seen: readonly SeenNode[], tx?: Tx): Promise<void> {
  const before = await listInstanceNodes(instanceId, tx);
  const runIds = new Map(before.map(({ address, runId }) => [address, runId]));
  const merged = new Map<string, string | null>();
  for (const { address, runId, isOnlyNamed = false } of seen) {
    const key = address.toLowerCase();
    if (isOnlyNamed && !runIds.has(key)) continue;
    merged.set(key, runId ?? merged.get(key) ?? runIds.get(key) ?? null);
  }
  const after = [...merged].map(([address, runId]) => ({ address, runId }));
  after.sort((a, b) => (a.address < b.address ? -1 : 1));
  if (JSON.stringify(before) === JSON.stringify(after)) return;
  const write = async (within: Tx) => {
    // The instance may have been removed in the meantime; then no nodes are stored.
    if (!(await getInstanceRow(instanceId, within))) return;
    await forgetInstanceNodes(instanceId, within);
    for (const { address, runId } of after)
      await within.insertInto('instance_nodes').values({ instance_id: instanceId, address, run_id: runId }).execute();
  };
  await (tx ? write(tx) : runTransaction(write));
}

/**
 * Adds addresses that an instance names from now on. The nodes known before stay its own until it is connected to
 * again, because otherwise other instances could use them in the meantime.
 */
export async function addInstanceNodes(instanceId: string, addresses: readonly string[], tx: Tx): Promise<void> {
  const named = addresses.map((address) => ({ address, runId: null }));
  await noteInstanceNodes(instanceId, [...(await listInstanceNodes(instanceId, tx)), ...named], tx);
}

export async function forgetInstanceNodes(instanceId: string, tx: Tx): Promise<void> {
  await tx.deleteFrom('instance_nodes').where('instance_id', '=', instanceId).execute();
}

/** Those of `addresses` that are nodes of another instance. */
export async function findForeignNodes(instanceId: string, addresses: readonly string[], tx: Tx): Promise<string[]> {
  if (addresses.length === 0) return [];
  const rows = await tx
    .selectFrom('instance_nodes')
    .select('address')
    .distinct()
    .where('instance_id', '!=', instanceId)
    .where('address', 'in', [...new Set(addresses.map((address) => address.toLowerCase()))])
    .execute();
  return rows.map(({ address }) => address);
}

/** Instances that have one of these nodes, by address or by run id, sorted by name. */
export async function findInstancesAt(
  nodes: readonly InstanceNode[],
  exceptId: string | null,
  tx?: Tx,
): Promise<InstanceRow[]> {
  const addresses = [...new Set(nodes.map(({ address }) => address.toLowerCase()))];
  const runIds = [...new Set(nodes.flatMap(({ runId }) => runId ?? []))];
  if (addresses.length === 0) return [];
  const db = await getDb(tx);
  const rows = await db
    .selectFrom('instance_nodes')
    .select('instance_id as id')
    .distinct()
    .where((eb) => eb.or([eb('address', 'in', addresses), ...(runIds.length > 0 ? [eb('run_id', 'in', runIds)] : [])]))
    .where('instance_id', '!=', exceptId ?? '')
    .execute();
  const found = (await Promise.all(rows.map(({ id }) => getInstanceRow(id, tx)))).filter((row) => row !== null);
  return found.toSorted((a, b) => (a.settings.name < b.settings.name ? -1 : 1));
}

/**
 * An instance with the marks that protect its keys: the strictest of all instances that share a node with it. Use it to
 * decide whether an action is allowed; forms and lists show the instance's own settings (`getInstanceRow`).
 */
export async function getProtectedInstance(id: string, tx?: Tx): Promise<InstanceRow | null> {
  const row = await getInstanceRow(id, tx);
  if (row === null) return null;
  const others = await findInstancesAt(await listInstanceNodes(id, tx), id, tx);
  if (others.length === 0) return row;
  return { ...row, settings: { ...row.settings, ...combineMarks(row.settings, ...others.map((one) => one.settings)) } };
}
