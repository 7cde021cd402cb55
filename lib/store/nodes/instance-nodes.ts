import { combineMarks } from '@/lib/model/servers/protection-marks';
import { getInstanceRow, type InstanceRow } from '../instances';
import { getDb, runTransaction, type Tx } from '../open-store';

export interface InstanceNode {
  /** `host:port` in lower case. */
  address: string;
  /** null = the server does not report it, or was not asked yet. */
  runId: string | null;
  /** The address that a connected replica reports as that of its master; absent = none. */
  masterAddress?: string | null;
}

/**
 * `isOnlyNamed` = a server named this address, but nobody connected to it. It is stored only if it was known before.
 */
type SeenNode = InstanceNode & { isOnlyNamed?: boolean };

/** Nodes of an instance, sorted by address. */
export async function listInstanceNodes(instanceId: string, tx?: Tx): Promise<Required<InstanceNode>[]> {
  const db = await getDb(tx);
  const rows = await db
    .selectFrom('instance_nodes')
    .select(['address', 'run_id as runId', 'master as masterAddress'])
    .where('instance_id', '=', instanceId)
    .execute();
  return rows.toSorted(compareAddresses);
}

/**
 * The master of each instance that has replicas only, by instance id: its servers were connected to, and each of them
 * reported a master.
 */
export async function listMastersOfReplicas(): Promise<Map<string, string>> {
  const db = await getDb(undefined);
  const rows = await db
    .selectFrom('instance_nodes')
    .select(['instance_id as id', (eb) => eb.fn.min('master').as('master')])
    .where('run_id', 'is not', null)
    .groupBy('instance_id')
    .having((eb) => eb(eb.fn.count('master'), '=', eb.fn.countAll()))
    .execute();
  return new Map(rows.flatMap(({ id, master }) => (master === null ? [] : [[id, master] as const])));
}

const compareAddresses = (a: { address: string }, b: { address: string }) => (a.address < b.address ? -1 : 1);

export const hasInstanceNode = async (instanceId: string, address: string): Promise<boolean> =>
  (await listInstanceNodes(instanceId)).some((node) => node.address === address);

/**
 * Replaces the known nodes of an instance. Of a node that does not report its run id now, because INFO is refused, the
 * last known run id and master are kept. It writes only if something differs, because it is called with every
 * connection.
 */
export async function noteInstanceNodes(instanceId: string, seen: readonly SeenNode[], tx?: Tx): Promise<void> {
  const before = await listInstanceNodes(instanceId, tx);
  const known = new Map(before.map((node) => [node.address, node]));
  const merged = new Map<string, Required<InstanceNode>>();
  for (const { isOnlyNamed = false, ...node } of seen) {
    const address = node.address.toLowerCase();
    if (isOnlyNamed && !known.has(address)) continue;
    const last = merged.get(address) ?? (node.runId === null ? known.get(address) : undefined);
    const reported = node.masterAddress?.toLowerCase() ?? null;
    // A node that gives its run id and no master has none.
    const masterAddress = node.runId === null ? (reported ?? last?.masterAddress ?? null) : reported;
    merged.set(address, { address, runId: node.runId ?? last?.runId ?? null, masterAddress });
  }
  const after = [...merged.values()].toSorted(compareAddresses);
  if (JSON.stringify(before) === JSON.stringify(after)) return;
  const write = async (within: Tx) => {
    // The instance may have been removed in the meantime; then no nodes are stored.
    if (!(await getInstanceRow(instanceId, within))) return;
    await forgetInstanceNodes(instanceId, within);
    for (const { address, runId, masterAddress } of after)
      await within
        .insertInto('instance_nodes')
        .values({ instance_id: instanceId, address, run_id: runId, master: masterAddress })
        .execute();
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

/**
 * Instances that have one of these nodes, by address or by run id, or the master of one, sorted by name. It is not
 * mutual: a replica has the keys of its master, but may only claim to be one, so the instance of the master is not
 * found by its replicas.
 */
export async function findInstancesAt(
  nodes: readonly InstanceNode[],
  exceptId: string | null,
  tx?: Tx,
): Promise<InstanceRow[]> {
  const named = nodes.flatMap(({ address, masterAddress }) => [address, masterAddress ?? address]);
  const addresses = [...new Set(named.map((address) => address.toLowerCase()))];
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
