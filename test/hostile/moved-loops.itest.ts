import { afterEach, beforeEach, expect, it } from 'vitest';
import { makePlan } from '@/lib/deletions/make-plan';
import { auditServer } from '@/lib/instances/audit-server';
import { previewLiveKey, readLiveKey } from '@/lib/instances/read-live-key';
import { readServerFacts } from '@/lib/instances/read-server-facts';
import { registerInstance } from '@/lib/instances/register-instance';
import { createRunner, type Runner } from '@/lib/jobs/loop/runner';
import { LOCAL_ADMIN } from '@/lib/model/actor';
import { PlanRequest } from '@/lib/model/deletions/plan-request';
import { encodeKey } from '@/lib/model/keys/key-id';
import { InstanceInput } from '@/lib/model/servers/instance';
import { ScanOptions } from '@/lib/model/snapshots/scan';
import { scanKind } from '@/lib/scans/scan-kind';
import { startScan } from '@/lib/scans/start-scan';
import { readManifest } from '@/lib/snapshots/folder/manifest';
import { getSnapshotFolder } from '@/lib/snapshots/folder/snapshot-folder';
import { getStoredJob } from '@/lib/store/jobs';
import { readRows } from '@/test/scans/scan';
import { until } from '@/test/servers/process';
import { array, bulk, type RogueHandler, type RogueServer, startRogue } from '@/test/servers/rogue';
import { temporaryData } from '@/test/temporary-data';

/**
 * Two nodes of a cluster list a key and then redirect each request about it to each other for ever (as two nodes with
 * different slot maps do). Every operation must end, say why, and not send a thousand commands.
 */
const SLOT = 12_182; // the slot of 'foo'
const FOO = encodeKey(Buffer.from('foo'));
const MAX_COMMANDS = 1500;
let data: ReturnType<typeof temporaryData>;
let nodes: RogueServer[] = [];
let runner: Runner | null = null;
beforeEach(() => {
  data = temporaryData();
});
afterEach(async () => {
  await runner?.stop();
  runner = null;
  await Promise.all(nodes.splice(0).map((node) => node.stop()));
  await data.remove();
});

const int = (n: number) => `:${n}\r\n`;
const OWN = new Set(['PING', 'AUTH', 'CLIENT', 'READONLY', 'SELECT', 'INFO', 'CLUSTER', 'SCAN', 'DBSIZE', 'HELLO']);

/** `refusal` returns the error of each node for any key; its argument is the address of the other node. */
async function startPair(refusal: (other: string) => string): Promise<string> {
  const ports: number[] = [];
  const slots = () =>
    array(
      ports.map((port, i) =>
        array([
          int(i === 0 ? 0 : 8192),
          int(i === 0 ? 8191 : 16_383),
          array([bulk('127.0.0.1'), int(port), bulk(`${i}`.repeat(40))]),
        ]),
      ),
    );
  const answerOf =
    (self: number): RogueHandler =>
    ([name = '', sub = '']) => {
      if (name === 'PING') return '+PONG\r\n';
      if (name === 'HELLO') return '-NOPROTO unsupported protocol version\r\n';
      if (name === 'SELECT' && sub !== '0') return '-ERR SELECT is not allowed in cluster mode\r\n';
      if (['AUTH', 'CLIENT', 'READONLY', 'SELECT'].includes(name)) return '+OK\r\n';
      if (name === 'INFO')
        return bulk(
          `redis_version:6.2.7\r\nredis_mode:cluster\r\nrun_id:run${self}\r\nrole:master\r\nused_memory:1\r\ncluster_enabled:1\r\ndb0:keys=1,expires=0\r\n`,
        );
      if (name === 'CLUSTER' && sub.toUpperCase() === 'SLOTS') return slots();
      if (name === 'CLUSTER' && sub.toUpperCase() === 'NODES') return bulk('');
      if (name === 'SCAN') return array([bulk('0'), array(self === 1 ? [bulk('foo')] : [])]);
      if (name === 'DBSIZE') return int(self);
      if (OWN.has(name) || ['COMMAND', 'CONFIG', 'ROLE', 'ACL', 'LATENCY', 'SLOWLOG', 'TIME'].includes(name))
        return '-ERR unknown command\r\n';
      return refusal(`127.0.0.1:${ports[1 - self]}`);
    };
  nodes = [await startRogue(answerOf(0)), await startRogue(answerOf(1))];
  ports.push(...nodes.map(({ port }) => port));
  const endpoints = ports.map((port) => ({ host: '127.0.0.1', port }));
  const input = { name: 'loop', topology: 'cluster', endpoints, readOnly: false };
  return (await registerInstance(LOCAL_ADMIN, InstanceInput.parse(input))).id;
}
const sent = () => nodes.reduce((sum, node) => sum + node.commands().length, 0);

it.each([
  ['MOVED to the other', (other: string) => `-MOVED ${SLOT} ${other}\r\n`],
  ['ASK the other', (other: string) => `-ASK ${SLOT} ${other}\r\n`],
  ['MOVED to nowhere', () => `-MOVED ${SLOT} :0\r\n`],
  ['MOVED without a slot', () => '-MOVED\r\n'],
  ['TRYAGAIN', () => '-TRYAGAIN Multiple keys request during rehashing of slot\r\n'],
  ['CLUSTERDOWN', () => '-CLUSTERDOWN Hash slot not served\r\n'],
])(
  '%s: everything ends and says why',
  async (_what, refusal) => {
    const id = await startPair(refusal);
    await readServerFacts(LOCAL_ADMIN, id);
    await auditServer(LOCAL_ADMIN, id);
    const problem = { message: expect.stringMatching(/slot|cluster|Cluster|again/) };
    await expect(readLiveKey(LOCAL_ADMIN, id, FOO, 0)).rejects.toMatchObject(problem);
    await expect(previewLiveKey(LOCAL_ADMIN, id, { k: FOO, db: 0, reason: null })).rejects.toMatchObject(problem);
    expect(sent()).toBeLessThan(MAX_COMMANDS);

    const selection = { by: 'keys', keys: [{ k: FOO }] };
    const plan = PlanRequest.parse({ task: 'delete', instanceId: id, selection, options: {} });
    const planned = await makePlan(LOCAL_ADMIN, plan).catch((error: Error) => error);
    if (planned instanceof Error) expect(planned).toMatchObject({ code: expect.any(String) });
    else expect(JSON.stringify(planned)).not.toContain('"keys":1,');
    expect(sent()).toBeLessThan(MAX_COMMANDS * 2);

    runner = createRunner({ kinds: [scanKind as never], concurrency: 1, tickMs: 50, pollMs: 50 });
    await runner.start();
    const { id: jobId } = await startScan(LOCAL_ADMIN, id, ScanOptions.parse({ speed: 'fast' }));
    const ended = async () => (await getStoredJob(jobId))?.job;
    await until(
      'the scan to end or ask',
      async () => !/queued|running/.test((await ended())?.state ?? 'queued'),
      120_000,
    );
    const job = await ended();
    if (job?.state === 'succeeded') {
      // The name was listed, but its facts are unknown: they are reported as unknown.
      const dir = getSnapshotFolder(job.snapshotId ?? '');
      const manifest = await readManifest(dir);
      const rows = await readRows(dir, manifest);
      if (rows.length > 0) expect(rows).toMatchObject([{ name: 'foo', type: null, bytes: null, length: null }]);
      else expect([manifest.coverage.partial, manifest.coverage.vanished > 0]).toContain(true);
    } else expect(job).toMatchObject({ state: expect.stringMatching(/waiting|paused|failed/) });
    expect(sent()).toBeLessThan(MAX_COMMANDS * 4);
  },
  240_000,
);
