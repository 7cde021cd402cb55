/** One file per namespace and language: messages/<locale>/<namespace>.json. */
export const NAMESPACES = [
  'ui',
  'nav',
  'errors',
  'fleet',
  'instances',
  'warnings',
  'capabilities',
  'overview',
  'scans',
  'reasons',
  'jobs',
  'audit',
  'reports',
  'charts',
  'tree',
  'bigkeys',
  'ttl',
  'slots',
  'keys',
  'types',
  'patterns',
  'idle',
  'filters',
  'rules',
  'findings',
  'profiles',
  'policy',
  'serverAudit',
] as const;
export const LOCALES = ['en', 'zh-CN'] as const;
export type Locale = (typeof LOCALES)[number];
export const LOCALE_COOKIE = 'locale';
