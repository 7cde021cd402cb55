import { expect, it } from 'vitest';
import { listPlanNotices } from './plan-notices';
import type { ServerConstraints } from './server-constraints';

const about: ServerConstraints = {
  rename: 'allowed',
  removeGuard: 'deadline',
  evictsSoon: false,
  lazyExpire: true,
  commands: { freeCommand: 'unlink', memoryUsage: true, pexpiretime: true, trimsById: true, dumps: true },
  replicas: 0,
  keys: 1,
  roundTripMs: null,
};
const ofReplicas = (replicas: number | null) =>
  listPlanNotices('delete', new Set(['unlink']), new Set(['hash']), { ...about, replicas }).filter(({ code }) =>
    code.startsWith('replicas'),
  );

// The masters of a cluster are known from its slots, even to a user who may not ask a master for its replicas.
it('says how many replicas follow, and that it is unknown', () => {
  expect(ofReplicas(0)).toEqual([]);
  expect(ofReplicas(2)).toEqual([{ code: 'replicas', params: { replicas: 2 } }]);
  expect(ofReplicas(null)).toEqual([{ code: 'replicas_unknown', params: {} }]);
});
