/**
 * One scan in a process of its own, so that its peak memory is its own: `tsx bench/scan-once.ts PORT DIR FACTS SPEED`.
 */

import { InstanceInput } from '@/lib/model/servers/instance';
import { ScanOptions } from '@/lib/model/snapshots/scan';
import { scanToFolder } from '@/lib/scans/scan-to-folder';

const [port, dir, facts, speed] = process.argv.slice(2);
const began = performance.now();
const reading = { from: Number.NaN, to: Number.NaN };
const manifest = await scanToFolder({
  input: InstanceInput.parse({
    name: 'bench',
    topology: 'standalone',
    endpoints: [{ host: '127.0.0.1', port: Number(port) }],
  }),
  options: ScanOptions.parse({ facts, speed, target: 'primary' }),
  dir: dir ?? '',
  allow: [],
  signal: new AbortController().signal,
  shouldStop: () => false,
  retryForMs: 10_000,
  onReport: ({ progress }) => {
    // The first report of each phase comes as it begins.
    if (progress?.phase === 'scanning' && Number.isNaN(reading.from)) reading.from = performance.now();
    if (progress?.phase === 'sealing' && Number.isNaN(reading.to)) reading.to = performance.now();
  },
});
if (manifest === null) throw new Error('the scan stopped');
const ended = performance.now();
const seconds = (ended - began) / 1000;
console.log(
  JSON.stringify({
    keys: manifest.keys,
    seconds,
    readSeconds: (reading.to - reading.from) / 1000,
    sealSeconds: (ended - reading.to) / 1000,
    fileBytes: manifest.fileBytes,
    peakRssMiB: process.resourceUsage().maxRSS / 1024,
    commands: manifest.cost.commands,
    cpuSeconds: (process.cpuUsage().user + process.cpuUsage().system) / 1e6,
  }),
);
process.exit(0);
