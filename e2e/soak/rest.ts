import { sleep } from '../../test/servers/process';

/** Waits, but not beyond the end of the run. */
export async function rest(ms: number, stopped: () => boolean): Promise<void> {
  for (const end = Date.now() + ms; Date.now() < end && !stopped(); ) await sleep(Math.min(200, end - Date.now()));
}
