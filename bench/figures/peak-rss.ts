import { readFileSync } from 'node:fs';

/** Returns the peak memory of a process, MiB; null if it has ended or the system does not report it. */
export function readRssPeak(pid: number): number | null {
  try {
    const kib = /VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
    return kib === undefined ? null : Math.round(Number(kib) / 1024);
  } catch {
    return null;
  }
}
