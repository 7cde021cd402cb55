import { config } from '@/lib/runtime/config';

/**
 * A message between the programs of one machine: each program sends it to the parent that started it (cli/serve/),
 * which passes it on. `ready`: the program has started; `wake`: the worker should look for jobs.
 */
type ProgramMessage = 'ready' | 'wake';

/**
 * Sends a message to the parent. Without a parent, or after it has ended, the message is lost, so a receiver also polls
 * from time to time.
 */
export function tellParent(message: ProgramMessage): void {
  if (config.isChildOfParent) process.send?.(message, undefined, undefined, () => {});
}

/** Calls `wake` for that message, and `gone` when the parent has ended, so that this process has to end too. */
export function listenToParent({ wake, gone }: { wake?: () => void; gone?: () => void }): void {
  if (!config.isChildOfParent) return;
  if (wake) process.on('message', (message) => message === 'wake' && wake());
  if (gone) process.once('disconnect', gone);
}
