import { BIG_CLUSTER, BIG_STANDALONE, writeBigkey } from './bigkeys.mjs';
import { Chance } from './chance.mjs';
import { fillFamily } from './fill.mjs';
import { HOSTILE_NAMES } from './hostile-names.mjs';
import { CLUSTER, STANDALONE } from './keyspace.mjs';
import { computeSlot } from './slot.mjs';
import { Wire } from './wire.mjs';

const HOSTILE_DATABASE = 5;

/** Returns how many keys each family gets, so that together they are about `keys`, and at least one each. */
function computeShares(families, keys) {
  const allParts = families.reduce((sum, family) => sum + family.parts, 0);
  return families.map((family) => Math.max(1, Math.ceil((family.parts / allParts) * keys)));
}

/** Factor for the size of bigkeys: 1 from 100,000 keys on, smaller below. */
const computeScale = (keys) => Math.min(1, Math.max(0.01, keys / 100_000));

/** Fills an empty standalone server. Returns its number of keys by DBSIZE. */
export async function seedStandalone(port, { keys, seed = 1, hostile = true }) {
  const wire = await Wire.open(port);
  const g = new Chance(seed);
  const startedMs = Date.now();
  const counts = computeShares(STANDALONE, keys);
  const databases = [...new Set(STANDALONE.map((family) => family.db ?? 0))];
  for (const db of databases) {
    await wire.command('SELECT', db);
    for (const [index, family] of STANDALONE.entries()) {
      if ((family.db ?? 0) === db) await fillFamily(() => wire, family, counts[index], g, startedMs);
    }
    for (const big of BIG_STANDALONE) {
      if ((big.db ?? 0) === db) await writeBigkey(wire, big, g, computeScale(keys));
    }
  }
  if (hostile) {
    await wire.command('SELECT', HOSTILE_DATABASE);
    for (const [index, name] of HOSTILE_NAMES.entries()) wire.push(['SET', name, `hostile ${index}`]);
    databases.push(HOSTILE_DATABASE);
  }
  await wire.drain();
  let total = 0;
  for (const db of databases) {
    await wire.command('SELECT', db);
    total += Number(await wire.command('DBSIZE'));
  }
  wire.close();
  return total;
}

/** Fills an empty cluster whose nodes own equal ranges of slots in the given order. */
export async function seedCluster(ports, { keys, seed = 2 }) {
  const wires = await Promise.all(ports.map((port) => Wire.open(port)));
  const pickWire = (name) => wires[Math.floor((computeSlot(name) * ports.length) / 16384)];
  const g = new Chance(seed);
  const startedMs = Date.now();
  const counts = computeShares(CLUSTER, keys);
  for (const [index, family] of CLUSTER.entries()) await fillFamily(pickWire, family, counts[index], g, startedMs);
  for (const big of BIG_CLUSTER) await writeBigkey(pickWire(big.name), big, g, computeScale(keys));
  let total = 0;
  for (const wire of wires) {
    await wire.drain();
    total += Number(await wire.command('DBSIZE'));
    wire.close();
  }
  return total;
}
