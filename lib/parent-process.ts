import { config } from '@/lib/config';

/**
 * What the programs of one machine say to each other: each says it to the parent that has started it (cli/serve/), which
 * passes it on. `ready`: it has started; `wake`: there is something for the worker to look for.
 */
export type ProgramMessage = 'ready' | 'wake';

/** Where there is no parent, or it has gone, nobody hears it: whoever waits for it also looks from time to time. */
export function tellParent(message: ProgramMessage): void {
  if (config.isChildOfParent) process.send?.(message, undefined, undefined, () => {});
}

/** `gone`: the parent has ended, however it did, so this process is to end too. */
export function listenToParent(heard: { wake?: () => void; gone?: () => void }): void {
  if (!config.isChildOfParent) return;
  const { wake, gone } = heard;
  if (wake) process.on('message', (message) => message === 'wake' && wake());
  if (gone) process.once('disconnect', gone);
}
