// Written by scripts/page-messages.mjs.
import type { Messages, NamespaceKeys, NestedKeyOf } from 'use-intl';

type Namespace = NamespaceKeys<Messages, NestedKeyOf<Messages>>;

/** What the frame of all pages draws with. */
export const FRAME_MESSAGES: readonly Namespace[] = ['account', 'deletions.stop', 'errors', 'filters', 'nav', 'ui'];

/** What each page draws with beside that. */
export const PAGE_MESSAGES = {
  '/account': ['users.grant'],
  '/audit': ['audit'],
  '/instances/[id]/bigkeys': ['bigkeys', 'deletions', 'keys', 'scans', 'warnings'],
  '/instances/[id]/deletions/[deletion]': [
    'deletions',
    'instances',
    'jobs.failure',
    'jobs.kind',
    'jobs.phase',
    'jobs.state',
    'keys.values',
    'reasons',
    'scans',
  ],
  '/instances/[id]/deletions': ['deletions', 'jobs.state'],
  '/instances/[id]/edit': ['capabilities', 'instances', 'warnings'],
  '/instances/[id]/findings/[rule]': [
    'findings',
    'keys.values',
    'profiles.custom',
    'profiles.unit',
    'rules',
    'scans',
    'serverAudit',
    'warnings',
  ],
  '/instances/[id]/findings': ['findings', 'keys.values', 'profiles.default', 'rules', 'scans', 'warnings'],
  '/instances/[id]/idle': ['idle', 'keys.values', 'scans', 'warnings'],
  '/instances/[id]/keys/[k]': [
    'deletions',
    'findings.key',
    'keys.page',
    'keys.values',
    'rules.strength',
    'scans.speed',
  ],
  '/instances/[id]/keys': ['deletions', 'keys', 'scans', 'warnings'],
  '/instances/[id]/names': ['keys.values', 'names', 'scans', 'warnings'],
  '/instances/[id]': [
    'findings',
    'instances',
    'jobs.failure',
    'jobs.kind',
    'jobs.phase',
    'jobs.state',
    'keys.values',
    'overview',
    'reasons',
    'scans',
    'warnings',
  ],
  '/instances/[id]/patterns': ['keys.values', 'patterns', 'scans', 'warnings'],
  '/instances/[id]/policy': ['policy', 'profiles.default', 'rules.exempt', 'rules.owner', 'rules.source'],
  '/instances/[id]/server': ['capabilities', 'instances', 'rules', 'serverAudit', 'warnings'],
  '/instances/[id]/sizes': ['keys.values', 'scans', 'sizes', 'warnings'],
  '/instances/[id]/slots': ['keys.values', 'scans', 'slots', 'warnings'],
  '/instances/[id]/tree': ['deletions', 'keys.values', 'rules.exempt', 'rules.owner', 'scans', 'tree', 'warnings'],
  '/instances/[id]/ttl': ['deletions', 'keys.values', 'scans', 'ttl', 'warnings'],
  '/instances/[id]/types': ['keys.values', 'scans', 'types', 'warnings'],
  '/instances/new': ['capabilities', 'instances', 'warnings'],
  '/jobs/[id]': ['instances', 'jobs', 'overview', 'reasons', 'scans'],
  '/jobs': ['jobs', 'reasons', 'scans.live', 'scans.speed'],
  '/': ['fleet', 'instances.mark', 'instances.topology', 'jobs.state', 'keys.values', 'reasons', 'scans', 'warnings'],
  '/profiles/[id]': ['profiles', 'rules'],
  '/profiles': ['profiles', 'rules.strength'],
  '/users': ['users'],
} as const satisfies Record<string, readonly Namespace[]>;
