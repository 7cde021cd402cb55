import type { KeyFilter } from '../filter';

/** An estimate for one limit; the keys of a higher limit include those of lower ones. */
export interface SettingSaving {
  type: 'hash' | 'zset' | 'set';
  /** The name of the setting on the server. */
  setting: string;
  limit: number;
  keys: number;
  bytes: number;
  savedBytes: number;
  /** Selects these keys, in addition to the filter of the request. */
  filter: Pick<KeyFilter, 'type' | 'encoding' | 'lengthMin' | 'lengthMax' | 'elementBytesMax'>;
  /** Valid only for sets whose members are integers; a scan does not read members. */
  ifIntegers?: true;
}
/** Part of the report of types if `savings` is requested. */
export interface SettingSavings {
  /** Keys that are stored in a full table. */
  keys: number;
  /** How many of these have no known memory or number of elements. */
  unknown: number;
  /** The server, if its tables are built otherwise than the estimate assumes; there are no savings then. */
  notEstimatedFor?: string;
  savings: SettingSaving[];
}
