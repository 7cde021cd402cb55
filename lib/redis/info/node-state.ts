import { parseInfo, readInfoNumber } from './parse-info';

/** Facts about a node that must be known before and during writes to it; null = the server does not report it. */
export interface NodeState {
  role: string | null;
  runId: string | null;
  loading: boolean;
  /** A background save or rewrite is running: each write would copy memory. */
  saving: boolean;
  lazyfreePending: number | null;
  replicas: number | null;
  usedMemory: number | null;
  maxMemory: number | null;
  evictionPolicy: string | null;
}

export function parseNodeState(text: string): NodeState {
  const info = parseInfo(text);
  const readFlag = (name: string) => info.get(name) === '1';
  return {
    role: info.get('role') ?? null,
    runId: info.get('run_id') ?? null,
    loading: readFlag('loading'),
    saving: readFlag('rdb_bgsave_in_progress') || readFlag('aof_rewrite_in_progress'),
    lazyfreePending: readInfoNumber(info, 'lazyfree_pending_objects'),
    replicas: readInfoNumber(info, 'connected_slaves'),
    usedMemory: readInfoNumber(info, 'used_memory'),
    maxMemory: readInfoNumber(info, 'maxmemory'),
    evictionPolicy: info.get('maxmemory_policy') ?? null,
  };
}
