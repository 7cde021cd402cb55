/**
 * The registry of reports, one row each. It is read by the API and the command line (names), the menu (order, icon),
 * the pages (export) and the browser tests (every page is opened). The title of a report is `<name>.title` in
 * messages/. The shape of a report is next to its tables (name-, key-, time-, value-reports.ts), its queries are in
 * lib/snapshots/reports/.
 */

import type { ReportQuery } from './query';
import type { ReportName } from './reports';

/** Icons of menu entries; components/layout/navigation/places.ts draws them. */
export type ReportIcon =
  | 'activity'
  | 'chart'
  | 'clock'
  | 'folder-tree'
  | 'gauge'
  | 'grid'
  | 'hourglass'
  | 'key'
  | 'layers'
  | 'letters'
  | 'overview'
  | 'regex'
  | 'shapes'
  | 'weight';

export const TABLE_NAMES = [
  'characters',
  'databases',
  'encodings',
  'expiry',
  'frameworks',
  'idle',
  'idlePrefixes',
  'keys',
  'lengths',
  'level',
  'nodes',
  'noExpiry',
  'patterns',
  'prefixes',
  'savings',
  'segments',
  'sizes',
  'sizesByType',
  'slots',
  'storms',
  'styles',
  'tags',
  'types',
] as const;
export type TableName = (typeof TABLE_NAMES)[number];

interface ReportRow {
  /** Address below /instances/:id; null = it has no page of its own, but a card on another one. */
  page: `/${string}` | '' | null;
  icon: ReportIcon;
  /**
   * Added to the common filter to select the keys that the report lists and that can be downloaded. null = it lists no
   * keys.
   */
  exportFilter: Partial<ReportQuery> | null;
  /** The table on the page shows more about its keys than the downloaded file. */
  listSaysMore?: true;
  /** The names of its tables, in their order: they name the files, and readers see `filters.table.<name>`. */
  tableNames: readonly TableName[];
}

/** Rows in the order of the menu. */
export const REPORT_ROWS: { readonly [N in ReportName]: ReportRow } = {
  overview: { page: '', icon: 'overview', exportFilter: null, tableNames: ['types', 'prefixes', 'nodes', 'databases'] },
  tree: { page: '/tree', icon: 'folder-tree', exportFilter: null, tableNames: ['level'] },
  bigkeys: { page: '/bigkeys', icon: 'weight', exportFilter: { big: true }, listSaysMore: true, tableNames: ['keys'] },
  ttl: { page: '/ttl', icon: 'hourglass', exportFilter: null, tableNames: ['expiry', 'storms', 'noExpiry'] },
  slots: { page: '/slots', icon: 'grid', exportFilter: null, tableNames: ['nodes', 'slots', 'tags'] },
  keys: { page: '/keys', icon: 'key', exportFilter: {}, tableNames: ['keys'] },
  types: { page: '/types', icon: 'shapes', exportFilter: null, tableNames: ['encodings', 'types', 'savings'] },
  sizes: { page: '/sizes', icon: 'chart', exportFilter: null, tableNames: ['sizes', 'sizesByType'] },
  names: {
    page: '/names',
    icon: 'letters',
    exportFilter: null,
    tableNames: ['lengths', 'segments', 'characters', 'styles'],
  },
  patterns: { page: '/patterns', icon: 'regex', exportFilter: null, tableNames: ['patterns'] },
  frameworks: { page: null, icon: 'layers', exportFilter: null, tableNames: ['frameworks'] },
  idle: { page: '/idle', icon: 'clock', exportFilter: null, tableNames: ['idle', 'idlePrefixes'] },
};

export const REPORTS = Object.keys(REPORT_ROWS) as ReportName[];
