import { randomBytes } from 'node:crypto';
import { readFileSync, readlinkSync } from 'node:fs';
import { hostname } from 'node:os';
import { config } from '@/lib/config';

/**
 * Who holds a lease: `host/pid/start/chance`. The start time of the process (Linux: ticks since boot, from /proc)
 * tells a process from a later one with the same number, which in a container is the rule (pid 1). A holder that is
 * known to be dead is taken over at once; of one on another machine we wait for the lease to run out.
 */
function startOf(pid: number): string | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    // The name in parentheses may hold spaces and parentheses; the fields after the last one are numbers.
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? null;
  } catch {
    return null;
  }
}

const host = hostname().replaceAll('/', '_');

/** Of this process for ever, and asked for each lease that is looked at. */
let amongOthers: string | undefined;

/** On a database that others reach: two containers may share a hostname, and the number of a process tells nothing. */
function place(): string {
  if (config.databaseUrl === null) return host;
  amongOthers ??= readPlace();
  return amongOthers;
}

function readPlace(): string {
  try {
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'latin1').trim();
    return `${host}+${boot}+${readlinkSync('/proc/self/ns/pid')}`;
  } catch {
    return host;
  }
}

export const newOwner = (): string =>
  [place(), process.pid, startOf(process.pid) ?? 'unknown', randomBytes(5).toString('hex')].join('/');

/** True only when certain. */
export function isDead(owner: string): boolean {
  const [ownerHost, pidText, start] = owner.split('/');
  const pid = Number(pidText);
  if (ownerHost !== place() || !Number.isSafeInteger(pid) || pid <= 0) return false;
  try {
    process.kill(pid, 0);
  } catch (error) {
    // EPERM: it lives, under another user.
    return (error as NodeJS.ErrnoException).code === 'ESRCH';
  }
  const now = startOf(pid);
  return start !== 'unknown' && now !== null && now !== start;
}
