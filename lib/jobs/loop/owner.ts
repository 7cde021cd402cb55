/**
 * The holder of a lease is a text `host/pid/start/random`. The start time of the process distinguishes it from a later
 * one with the same number, which is common in a container (pid 1). The lease of a holder that is known to be dead is
 * taken over at once; that of one on another machine has to expire.
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

const host = hostname().replaceAll('/', '_');

/** Cached: it never changes in this process, and each lease that is checked needs it. */
let uniqueMachine: string | undefined;

/**
 * Returns what identifies the machine. On a database that other machines reach, the hostname is not enough: two
 * containers may share it, and process numbers repeat.
 */
function getMachine(): string {
  if (config.databaseUrl === null) return host;
  uniqueMachine ??= readUniqueMachine();
  return uniqueMachine;
}

/**
 * Returns the hostname with the id of the boot and of the namespace of process numbers; without Linux, the hostname.
 */
function readUniqueMachine(): string {
  try {
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'latin1').trim();
    return `${host}+${boot}+${readlinkSync('/proc/self/ns/pid')}`;
  } catch {
    return host;
  }
}

export const createOwner = (): string =>
  [getMachine(), process.pid, readStartTime(process.pid) ?? 'unknown', randomBytes(5).toString('hex')].join('/');

/** Whether the process of a holder is certainly dead. False if it runs on another machine or cannot be found out. */
export function isDead(owner: string): boolean {
  const [ownerHost, pidText, start] = owner.split('/');
  const pid = Number(pidText);
  if (ownerHost !== getMachine() || !Number.isSafeInteger(pid) || pid <= 0) return false;
  try {
    process.kill(pid, 0);
  } catch (error) {
    // EPERM: the process is alive and belongs to another user.
    return (error as NodeJS.ErrnoException).code === 'ESRCH';
  }
  const now = readStartTime(pid);
  return start !== 'unknown' && now !== null && now !== start;
}
