import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Wire } from '../seed/wire.mjs';
import { startChild } from './children.mjs';

/** Starts a server that persists nothing: the demo seeds it again at each start. Returns a connection to it. */
async function startServer(binary, name, port, folder, args, onExit) {
  const dir = join(folder, name);
  rmSync(dir, { recursive: true, force: true });
  mkdirSync(dir, { recursive: true });
  const options = ['--port', port, '--bind', '127.0.0.1', '--dir', dir, '--save', '', '--appendonly', 'no', ...args];
  startChild(name, binary, options.map(String), { folder, cwd: dir, onExit });
  for (let waited = 0; waited < 10_000; waited += 25) {
    try {
      const wire = await Wire.open(port);
      await wire.command('PING');
      return wire;
    } catch {
      await sleep(25);
    }
  }
  throw new Error(`${name} did not answer on port ${port}; see ${join(folder, `${name}.log`)}`);
}

export async function startStandalone(binary, port, folder, onExit) {
  const wire = await startServer(binary, 'standalone', port, folder, [], onExit);
  wire.close();
}

/** Starts three masters with equal ranges of slots. */
export async function startCluster(binary, ports, folder, onExit) {
  const args = ['--cluster-enabled', 'yes', '--cluster-node-timeout', '5000'];
  const wires = [];
  for (const [index, port] of ports.entries()) {
    wires.push(await startServer(binary, `cluster-${index + 1}`, port, folder, args, onExit));
  }
  for (const [index, wire] of wires.entries()) {
    const from = Math.ceil((index * 16384) / ports.length);
    const to = Math.ceil(((index + 1) * 16384) / ports.length) - 1;
    await wire.command('CLUSTER', 'SET-CONFIG-EPOCH', index + 1);
    // ADDSLOTSRANGE exists only since 7.0; ADDSLOTS works with every version.
    await wire.command('CLUSTER', 'ADDSLOTS', ...Array.from({ length: to - from + 1 }, (_, slot) => from + slot));
    if (index > 0) await wires[0].command('CLUSTER', 'MEET', '127.0.0.1', ports[index]);
  }
  for (let waited = 0; waited < 15_000; waited += 50) {
    const infos = await Promise.all(wires.map((wire) => wire.command('CLUSTER', 'INFO')));
    const formed = infos.every(
      (info) => info.includes('cluster_state:ok') && info.includes(`cluster_known_nodes:${ports.length}`),
    );
    if (formed) {
      for (const wire of wires) wire.close();
      return;
    }
    await sleep(50);
  }
  throw new Error('The three nodes did not form a cluster within 15 seconds.');
}
