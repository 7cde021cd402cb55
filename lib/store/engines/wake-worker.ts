import { tellParent } from '@/lib/runtime/parent-process';

let isDue = false;

/**
 * Call it in a transaction that creates work: the worker is woken after the commit. On PostgreSQL a trigger notifies
 * workers.
 */
export function wakeWorker(): void {
  isDue = true;
}

/**
 * Transactions of one process run one after the other, so one flag is enough. After a rollback the worker may be woken
 * for nothing.
 */
export function wakeAfterCommit(): void {
  if (isDue) tellParent('wake');
  isDue = false;
}
