/**
 * Runs one scan in a separate process, so that its peak memory can be measured: `tsx bench/scan-once.ts PORT DIR FACTS
 * SPEED`. Reading is timed from the first SCAN to the last page, as in wire-floor.ts, sealing from there to the sealed
 * file.
 */

import { InstanceInput } from '@/lib/model/servers/instance';
import { ScanOptions } from '@/lib/model/snapshots/scan';
import { RespChannel } from '@/lib/redis/protocol/resp-channel';
import { RespScanReply } from '@/lib/redis/scan/scan-reply';
import { scanToFolder } from '@/lib/scans/scan-to-folder';

const reading: { from: number; last: RespScanReply | null } = { from: Number.NaN, last: null };
const { queue } = RespChannel.prototype;
RespChannel.prototype.queue = function (command, expectation) {
  if (expectation instanceof RespScanReply) {
    if (reading.last === null) reading.from = performance.now();
    reading.last = expectation;
  }
  return queue.call(this, command, expectation) as typeof expectation;
};

const [port, dir, facts, speed] = process.argv.slice(2);
const began = performance.now();
const manifest = await scanToFolder({
  input: InstanceInput.parse({
    name: 'bench',
    topology: 'standalone',
    endpoints: [{ host: '127.0.0.1', port: Number(port) }],
  }),
  options: ScanOptions.parse({ facts, speed, target: 'primary' }),
  dir: dir ?? '',
  allowedDestinations: [],
  signal: new AbortController().signal,
  shouldStop: () => false,
  retryForMs: 10_000,
  onReport: () => {},
});
if (manifest === null || reading.last === null) throw new Error('the scan stopped');
const ended = performance.now();
const lastPage = reading.last.endedAt;
console.log(
  JSON.stringify({
    keys: manifest.keys,
    seconds: (ended - began) / 1000,
    readSeconds: (lastPage - reading.from) / 1000,
    sealSeconds: (ended - lastPage) / 1000,
    fileBytes: manifest.fileBytes,
    peakRssMiB: process.resourceUsage().maxRSS / 1024,
    commands: manifest.cost.commands,
    cpuSeconds: (process.cpuUsage().user + process.cpuUsage().system) / 1e6,
  }),
);
process.exit(0);
