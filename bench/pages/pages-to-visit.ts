import { encodeKey } from '@/lib/model/keys/key-id';
import { WIDE } from './wide-level';

export interface Subjects {
  instanceId: string;
  /** The job of the scan. */
  jobId: string;
  /** A plan that was not confirmed; undefined if the build could make none. */
  planId?: string;
  /** A deletion that has run; undefined as above. */
  deletionId?: string;
}

/** A large hash in the demo's keyspace. */
const KEY = 'mall:index:sku';

/** Returns the address of each page, by name. */
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

/** Forms, whose first HTML is only the frame. */
export const ASKED_BY_BROWSER: ReadonlySet<string> = new Set(['edit', 'register']);

/** Pages with text and no figures as long as there are no users. */
export const WITHOUT_FIGURES: ReadonlySet<string> = new Set(['users', 'account']);

/** Pages that show bars or lines over time at once. */
export const WITH_CHARTS: ReadonlySet<string> = new Set([
  ...['ttl', 'sizes', 'names', 'idle'],
  ...['deletionPlan', 'deletion', 'job'],
]);

/** Pages whose tree is used with pointer and keyboard. */
export const TREES = ['tree', 'wideLevel'] as const;

/** The ways into a level, each with the page to whose figures it counts. `node`: the first that opens, unless named. */
export function drillDowns(pages: Record<string, string>): { page: string; path: string; node?: string }[] {
  return [
    { page: 'tree', path: pages.tree! },
    { page: 'wideLevel', path: `${pages.tree}?match=${encodeURIComponent(WIDE.slice(0, -1))}`, node: WIDE },
    { page: 'wideLevel', path: pages.wideLevel! },
  ];
}
