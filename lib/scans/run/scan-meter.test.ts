import { expect, it } from 'vitest';
import { ScanOptions } from '@/lib/model/snapshots/scan';
import { createCheckpoint } from './scan-checkpoint';
import { ScanMeter } from './scan-meter';

const NODE = { address: '10.0.0.1:6379', runId: null, role: 'master' as const, slots: [] };

it('tells the share of sealing while it seals, and what was read before and after', () => {
  const checkpoint = createCheckpoint('snapshot1', ScanOptions.parse({}));
  checkpoint.nodes = [NODE];
  const counts = { keysAtStart: 900, keysAtEnd: 900, keys: 1000, vanished: 0, restarts: 0 };
  checkpoint.partitions = [{ node: 0, db: 0, cursor: '0', runId: null, done: true, parts: [], ...counts }];
  const meter = new ScanMeter(checkpoint);
  meter.phase = 'scanning';
  expect(meter.getProgress()).toMatchObject({ phase: 'scanning', done: 1000, total: 1000 });
  meter.noteSealing({ stage: 'sorting', done: 250, total: 1000 });
  expect(meter.getProgress()).toMatchObject({ phase: 'sorting', done: 250, total: 1000, ratePerSecond: null });
  meter.noteSealing({ stage: 'sealing', done: 0, total: 1000 });
  expect(meter.getProgress()).toMatchObject({ phase: 'sealing', done: 0, total: 1000 });
  // The progress of the nodes still shows what was read.
  expect(meter.getProgress().nodes).toMatchObject([{ done: 1000, state: 'done' }]);
  meter.phase = 'done';
  expect(meter.getProgress()).toMatchObject({ phase: 'done', done: 1000, total: 1000 });
});
