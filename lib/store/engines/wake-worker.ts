import { tellParent } from '@/lib/parent-process';

let isDue = false;

/** The transaction that runs now leaves something for the worker. PostgreSQL tells workers by itself. */
export function wakeWorker(): void {
  isDue = true;
}

/** Transactions of one process come one after the other. After a rollback the worker may look once for nothing. */
export function wakeAfterCommit(): void {
  if (isDue) tellParent('wake');
  isDue = false;
}
