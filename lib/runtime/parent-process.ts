import { config } from '@/lib/runtime/config';

/**
 * Messages between the programs of one machine: each program sends them to the parent that started it (cli/serve/),
 * which passes them on. `ready`: the program has started; `wake`: the worker should look for jobs.
 */
export type ProgramMessage = 'ready' | 'wake';

/** Without a parent, or after it has ended, the message is lost, so a receiver also polls from time to time. */
export function tellParent(message: ProgramMessage): void {
  if (config.isChildOfParent) process.send?.(message, undefined, undefined, () => {});
}

/** `gone` is called when the parent has ended, for whatever reason, so this process has to end too. */
export function listenToParent(heard: { wake?: () => void; gone?: () => void }): void {
  if (!config.isChildOfParent) return;
  const { wake, gone } = heard;
  if (wake) process.on('message', (message) => message === 'wake' && wake());
  if (gone) process.once('disconnect', gone);
}
