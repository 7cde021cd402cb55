import { FRAMEWORK_TABLES } from './framework-report';
import { KEY_TABLES } from './key-reports';
import { NAME_TABLES } from './name-reports';
import type { ReportResults } from './reports';
import { TIME_TABLES } from './time-reports';
import type { TablesOf } from './totals';
import { VALUE_TABLES } from './value-reports';

/**
 * Reports as tables of plain cells, for files and the command line. Separate from registry.ts, which the menu of every
 * page loads.
 */
export const REPORT_TABLES: TablesOf<ReportResults> = {
  ...NAME_TABLES,
  ...FRAMEWORK_TABLES,
  ...KEY_TABLES,
  ...TIME_TABLES,
  ...VALUE_TABLES,
};
