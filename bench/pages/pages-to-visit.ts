import { encodeKey } from '@/lib/model/keys/key-id';
import { WIDE } from './wide-level';

export interface Subjects {
  instanceId: string;
  /** Of the scan. */
  jobId: string;
  /** That nobody has confirmed; none where the build could make none. */
  planId?: string;
  /** That has run; none as above. */
  deletionId?: string;
}

/** Of the demo's keyspace: a large hash. */
const KEY = 'mall:index:sku';

/** Name → address. */
export function pagesToVisit({ instanceId, jobId, planId, deletionId }: Subjects): Record<string, string> {
  const at = (page: string) => `/instances/${instanceId}${page}`;
  return {
    fleet: '/',
    overview: at(''),
    findings: at('/findings'),
    rule: at('/findings/N8'),
    tree: at('/tree'),
    wideLevel: at(`/tree?prefix=${encodeURIComponent(WIDE)}`),
    bigkeys: at('/bigkeys'),
    ttl: at('/ttl'),
    slots: at('/slots'),
    keys: at('/keys'),
    key: at(`/keys/${encodeKey(Buffer.from(KEY))}?db=0`),
    types: at('/types'),
    sizes: at('/sizes'),
    names: at('/names'),
    patterns: at('/patterns'),
    idle: at('/idle'),
    server: at('/server'),
    policy: at('/policy'),
    deletions: at('/deletions'),
    ...(planId && { deletionPlan: at(`/deletions/${planId}`) }),
    ...(deletionId && { deletion: at(`/deletions/${deletionId}`) }),
    edit: at('/edit'),
    register: '/instances/new',
    jobs: '/jobs',
    job: `/jobs/${jobId}`,
    profiles: '/profiles',
    profile: '/profiles/S2',
    audit: '/audit',
    users: '/users',
    account: '/account',
  };
}

/** Forms: their first HTML is the frame. */
export const ASKED_BY_BROWSER: ReadonlySet<string> = new Set(['edit', 'register']);

/** Without users there is nothing to count: words are their content. */
export const WITHOUT_FIGURES: ReadonlySet<string> = new Set(['users', 'account']);

/** Their first drawing has bars or lines over time. */
export const WITH_CHARTS: ReadonlySet<string> = new Set([
  ...['ttl', 'sizes', 'names', 'idle'],
  ...['deletionPlan', 'deletion', 'job'],
]);

/** Where the tree is hovered over and walked through. */
export const TREES = ['tree', 'wideLevel'] as const;

/** The way into a level, on which page of the figures it counts. `node`: the first that opens, unless named. */
export function drillDowns(pages: Record<string, string>): { page: string; path: string; node?: string }[] {
  return [
    { page: 'tree', path: pages.tree! },
    { page: 'wideLevel', path: `${pages.tree}?match=${encodeURIComponent(WIDE.slice(0, -1))}`, node: WIDE },
    { page: 'wideLevel', path: pages.wideLevel! },
  ];
}
