import type { KeyFilter } from '../filter';

/** An estimate; each limit holds what the lower ones hold. */
export interface SettingSaving {
  type: 'hash' | 'zset' | 'set';
  /** As the server calls it. */
  setting: string;
  limit: number;
  keys: number;
  bytes: number;
  savedBytes: number;
  /** These keys, beside whatever else the question asked. */
  filter: Pick<KeyFilter, 'type' | 'encoding' | 'lengthMin' | 'lengthMax' | 'elementBytesMax'>;
  /** Only of sets whose members are integers, which a scan does not read. */
  ifIntegers?: true;
}
/** In the report of types, where `savings` asks for it. */
export interface SettingSavings {
  /** In a full table. */
  keys: number;
  /** Of these: without known memory or number of elements. */
  unknown: number;
  savings: SettingSaving[];
}
