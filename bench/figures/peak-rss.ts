import { readFileSync } from 'node:fs';

/** The most memory that a process has had, MiB. null: it has ended, or the system does not say. */
export function rssPeakOf(pid: number): number | null {
  try {
    const kib = /VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
    return kib === undefined ? null : Math.round(Number(kib) / 1024);
  } catch {
    return null;
  }
}
