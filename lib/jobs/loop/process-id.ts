/**
 * The id of a process that shares the store is a text `machine/pid/start/random`. The holder of a lease is such an id.
 * The start time distinguishes the process from a later one with the same number, which is common in a container (pid
 * 1). The lease of a process that is known to be dead is taken over at once; that of a process on another machine has
 * to expire.
 */

import { randomBytes } from 'node:crypto';
import { readFileSync, readlinkSync } from 'node:fs';
import { hostname } from 'node:os';
import { config } from '@/lib/runtime/config';

/** Returns when a process started, in ticks since boot as a text; null: unknown (no Linux, no such process). */
function readStartTime(pid: number): string | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    // The name in parentheses may hold spaces and parentheses; the fields after the last one are numbers. The start
    // time is field 22 of all, which is field 20 of those after the name.
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? null;
  } catch {
    return null;
  }
}

const hostName = hostname().replaceAll('/', '_');

/** Cached: it never changes in this process, and each lease that is checked needs it. */
let cachedMachineId: string | undefined;

/**
 * Returns what identifies the machine. On a database that other machines reach, the hostname is not enough: two
 * containers may share it, and process numbers repeat.
 */
function getMachineId(): string {
  if (config.databaseUrl === null) return hostName;
  cachedMachineId ??= readMachineId();
  return cachedMachineId;
}

/**
 * Returns the hostname with the id of the boot and of the namespace of process numbers; without Linux, the hostname.
 */
function readMachineId(): string {
  try {
    const bootId = readFileSync('/proc/sys/kernel/random/boot_id', 'latin1').trim();
    return `${hostName}+${bootId}+${readlinkSync('/proc/self/ns/pid')}`;
  } catch {
    return hostName;
  }
}

export const createProcessId = (): string =>
  [getMachineId(), process.pid, readStartTime(process.pid) ?? 'unknown', randomBytes(5).toString('hex')].join('/');

/** Whether a process is certainly dead. False if it runs on another machine or cannot be found out. */
export function isProcessDead(processId: string): boolean {
  const [machine, pidText, start] = processId.split('/');
  const pid = Number(pidText);
  if (machine !== getMachineId() || !Number.isSafeInteger(pid) || pid <= 0) return false;
  try {
    process.kill(pid, 0);
  } catch (error) {
    // EPERM: the process is alive and belongs to another user.
    return (error as NodeJS.ErrnoException).code === 'ESRCH';
  }
  const startNow = readStartTime(pid);
  return start !== 'unknown' && startNow !== null && startNow !== start;
}
