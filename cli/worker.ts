import { UsageError } from './exit';

/** `colonnade worker [--healthy]`: runs jobs, or says whether what runs them here does. */
export async function run(args: string[]): Promise<number> {
  const [option, ...more] = args;
  if (option !== undefined && (option !== '--healthy' || more.length > 0))
    throw new UsageError('The worker command takes no option but --healthy; settings are environment variables.');
  // Asked every few seconds, so it reads no more of the program than it needs.
  return option === undefined ? (await import('./run-worker')).run() : (await import('./worker-health')).run();
}
