/**
 * Signals about the load, computed from `INFO` every two seconds. They have no side effects, and each signal judges
 * only its own figure.
 */

import type { WaitReason } from '@/lib/model/job';
import { type Info, readInfoNumber } from '@/lib/redis/info/parse-info';

/** A replica that lags by more than one of these limits holds the work. */
const REPLICA_LAG_BYTES = 8 * 1024 * 1024;
const REPLICA_LAG_SECONDS = 1;
/** Share of one core above which the CPU signal holds. */
const SERVER_CPU = 0.8;
/**
 * A cache that evicts all day is not held forever: evictions that continue in this many updates during a hold are not
 * caused by Colonnade.
 */
const UPDATES_WHILE_HELD = 5;

export type Signal = { code: WaitReason['code']; params: WaitReason['params'] } | null;

/** Returns the replica that lags most if its lag exceeds the limit in bytes or seconds, else null. */
export function checkReplicaLag(info: Info): Signal {
  const offset = readInfoNumber(info, 'master_repl_offset');
  if (offset === null) return null;
  let worst: Signal = null;
  for (const [name, value] of info) {
    if (!/^slave\d+$/.test(name) || !/(?:^|,)state=online/.test(value)) continue;
    const bytes = offset - Number(/(?:^|,)offset=(\d+)/.exec(value)?.[1] ?? offset);
    const seconds = Number(/(?:^|,)lag=(\d+)/.exec(value)?.[1] ?? 0);
    if (bytes <= REPLICA_LAG_BYTES && seconds <= REPLICA_LAG_SECONDS) continue;
    if (worst === null || bytes > Number(worst.params.bytes))
      worst = { code: 'replica_lag', params: { bytes, seconds } };
  }
  return worst;
}

export function checkLoading(info: Info): Signal {
  return info.get('loading') === '1' ? { code: 'loading', params: {} } : null;
}

/**
 * Computes the CPU share since the previous update, which it stores. It uses the main thread if the server reports that
 * separately, because clients wait for the main thread.
 */
export class CpuSignal {
  private last: { at: number; seconds: number } | null = null;

  update(atMs: number, info: Info): Signal {
    const seconds = sumCpuSeconds(info);
    const { last } = this;
    this.last = seconds === null ? null : { at: atMs, seconds };
    if (seconds === null || last === null || atMs <= last.at) return null;
    const share = ((seconds - last.seconds) * 1000) / (atMs - last.at);
    return share > SERVER_CPU ? { code: 'server_cpu', params: { percent: Math.round(share * 100) } } : null;
  }
}

function sumCpuSeconds(info: Info): number | null {
  const main = readInfoNumber(info, 'used_cpu_sys_main_thread');
  const system = main ?? readInfoNumber(info, 'used_cpu_sys');
  const user = readInfoNumber(info, main === null ? 'used_cpu_user' : 'used_cpu_user_main_thread');
  return system === null || user === null ? null : system + user;
}

/**
 * Computes what one SCAN has cost the server since the previous update, as the server measured it (INFO commandstats).
 */
export class ScanCostSignal {
  private last: { calls: number; usec: number } | null = null;

  /**
   * Returns milliseconds per call, calls of other clients included; null if none ran or the server does not report it.
   */
  update(commandstats: string): number | null {
    const found = /^cmdstat_scan:calls=(\d+),usec=(\d+)/m.exec(commandstats);
    const { last } = this;
    this.last = found ? { calls: Number(found[1]), usec: Number(found[2]) } : null;
    // A counter that decreased was reset.
    if (this.last === null || last === null || this.last.calls <= last.calls || this.last.usec < last.usec) return null;
    return (this.last.usec - last.usec) / (this.last.calls - last.calls) / 1000;
  }
}

/**
 * Judges the evictions since the previous update. They hold the scan. If they continue at the same pace while it is
 * held, Colonnade does not cause them: that pace becomes the background, and only a higher one holds again.
 */
export class EvictionSignal {
  private last: { at: number; evicted: number } | null = null;
  /** Evictions per second that go on without Colonnade. */
  private background = 0;
  /** Evictions per second at each update of the present hold; null = there is no hold. */
  private held: number[] | null = null;

  update(atMs: number, info: Info): Signal {
    const evicted = readInfoNumber(info, 'evicted_keys');
    const { last } = this;
    if (evicted === null) return null;
    this.last = { at: atMs, evicted };
    // A counter that decreased means that the statistics were reset.
    if (last === null || evicted < last.evicted || atMs <= last.at) return null;
    const perSecond = ((evicted - last.evicted) * 1000) / (atMs - last.at);
    if (this.held === null) {
      if (perSecond <= this.background * 1.5) return null;
      this.held = [];
    } else {
      this.held.push(perSecond);
      if (perSecond === 0) {
        this.held = null;
        return null;
      }
      if (this.held.length >= UPDATES_WHILE_HELD) {
        this.background = Math.max(...this.held);
        this.held = null;
        return null;
      }
    }
    return { code: 'evicting', params: { perSecond: Math.round(perSecond) } };
  }
}
