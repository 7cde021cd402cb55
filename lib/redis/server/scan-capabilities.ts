import type { KeyType } from '@/lib/model/keys/key-types';

/** What the hot loop may send on this node, from the capability probe. */
export interface ScanCapabilities {
  /** Without it nothing is read; the others only tell more or less of a key. */
  scan: boolean;
  memoryUsage: boolean;
  objectEncoding: boolean;
  objectIdle: boolean;
  objectFreq: boolean;
  objectRefcount: boolean;
  /** Strings 0…9999 of all keys are the same few objects: not under an LRU or LFU policy with a memory limit. */
  sharedIntegers: boolean;
  pexpiretime: boolean;
  pttl: boolean;
  type: boolean;
  /** Length commands that are allowed, by type. */
  lengths: Partial<Record<KeyType, boolean>>;
  noTouch: boolean;
  denied: string[];
}
