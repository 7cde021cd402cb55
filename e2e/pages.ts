import { REPORT_ROWS, REPORTS } from '../lib/model/reports/registry';
import type { Scanned, Shared } from './fixtures';

/** Returns every page that a user can open, for an instance that has a snapshot. */
export function listPages({ mall, planId }: Pick<Shared, 'mall' | 'planId'>): { name: string; path: string }[] {
  const at = (page: string) => `/instances/${mall.id}${page}`;
  const key = Buffer.from('mall:index:sku').toString('base64url');
  return [
    { name: 'fleet', path: '/' },
    { name: 'jobs', path: '/jobs' },
    { name: 'schedules', path: '/schedules' },
    { name: 'alerts', path: '/alerts' },
    { name: 'channels', path: '/channels' },
    { name: 'profiles', path: '/profiles' },
    { name: 'profile', path: '/profiles/S2' },
    { name: 'audit log', path: '/audit' },
    { name: 'users', path: '/users' },
    { name: 'account', path: '/account' },
    { name: 'register', path: '/instances/new' },
    ...REPORTS.flatMap((name) => {
      const { page } = REPORT_ROWS[name];
      return page === null ? [] : [{ name, path: at(page) }];
    }),
    { name: 'edit', path: at('/edit') },
    { name: 'findings', path: at('/findings') },
    { name: 'rule', path: at('/findings/N8') },
    { name: 'compare', path: at('/compare') },
    { name: 'group rule', path: at('/findings/T4') },
    { name: 'trends', path: at('/trends') },
    { name: 'policy', path: at('/policy') },
    { name: 'key', path: at(`/keys/${key}?db=0`) },
    { name: 'server', path: at('/server') },
    { name: 'deletions', path: at('/deletions') },
    { name: 'deletion plan', path: at(`/deletions/${planId}`) },
  ];
}

/** Returns the same pages, and one that only a cluster has: each of them has a reference picture. */
export const listPictured = (shared: Pick<Shared, 'mall' | 'social' | 'planId'>) => [
  ...listPages(shared),
  { name: 'slots of a cluster', path: `/instances/${shared.social.id}/slots` },
];

export const buildPath = (instance: Scanned, page: string) => `/instances/${instance.id}${page}`;
