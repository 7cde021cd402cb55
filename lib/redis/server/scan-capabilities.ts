import type { KeyType } from '@/lib/model/keys/key-types';

/** The commands that the hot loop may send on this node, according to the capability probe. */
export interface ScanCapabilities {
  /** Without SCAN nothing can be read; the other commands only add facts about a key. */
  scan: boolean;
  memoryUsage: boolean;
  objectEncoding: boolean;
  objectIdle: boolean;
  objectFreq: boolean;
  objectRefcount: boolean;
  /** The strings 0…9999 are shared objects for all keys, unless an LRU or LFU policy with a memory limit is set. */
  sharedIntegers: boolean;
  pexpiretime: boolean;
  pttl: boolean;
  type: boolean;
  /** Permitted length commands, by type. */
  lengths: Partial<Record<KeyType, boolean>>;
  noTouch: boolean;
  denied: string[];
}
