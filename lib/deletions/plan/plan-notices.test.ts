import { expect, it } from 'vitest';
import { listPlanCommands, listPlanNotices } from './plan-notices';
import type { ServerConstraints } from './server-constraints';

const about: ServerConstraints = {
  rename: 'allowed',
  scripts: true,
  deadlines: true,
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

it('names the commands in place, with a deadline only where scripts are permitted', () => {
  const named = (scripts: boolean) =>
    listPlanCommands('delete', new Set(['in_place']), new Set(['set']), { ...about, scripts }).slice(-1);
  expect(named(true)).toEqual(['EVAL "if its deadline has not passed, SREM <key> <members read>"']);
  expect(named(false)).toEqual(['SREM <key> <members read>']);
});
