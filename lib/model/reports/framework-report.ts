import { buildTable } from './table';
import { type TablesOf, type Totals, toMemoryCell, toShareCell } from './totals';

export interface FrameworkFound extends Totals {
  /** `id` of the catalogue (lib/model/names/frameworks.ts). */
  id: string;
  name: string;
  url: string;
  /** Rules of the catalogue that its names violate by nature. */
  violates: readonly string[];
  example: string;
  /** Where its keys are, most keys first: at most 20 of `placeCount`. */
  places: FrameworkPlace[];
  placeCount: number;
}

export interface FrameworkPlace {
  /** A folded path (KeyFilter.template). */
  path: string;
  /** The names end at the path. */
  end: boolean;
  keys: number;
  /** The pattern that selects these keys; null = it can be derived from the path. */
  glob: string | null;
}

/** Keys that known frameworks have named, among the keys of the query (`keys`, `bytes`, `bytesUnknown`). */
export interface FrameworksReport extends Totals {
  /** Most keys first. */
  frameworks: FrameworkFound[];
}

export interface FrameworkReports {
  frameworks: FrameworksReport;
}

export const FRAMEWORK_TABLES: TablesOf<FrameworkReports> = {
  frameworks: ({ frameworks, keys }) => [
    buildTable(frameworks, [
      ['framework', 'text', (found) => found.name],
      ['keys', 'number', (found) => found.keys],
      ['share of keys', 'share', (found) => toShareCell(found.keys, keys)],
      ['memory', 'bytes', toMemoryCell],
      ['example', 'name', (found) => found.example],
      ['prefixes', 'text', (found) => found.places.map(({ path }) => path).join(' ')],
      ['rules', 'text', (found) => found.violates.join(' ')],
      ['documentation', 'text', (found) => found.url],
    ]),
  ],
};
