import { UsageError } from './exit';

/** `colonnade worker [--healthy]`: runs jobs, or checks whether the workers here are alive. */
export async function run(args: string[]): Promise<number> {
  const [option, ...more] = args;
  if (option !== undefined && (option !== '--healthy' || more.length > 0))
    throw new UsageError('The worker command takes no option but --healthy; settings are environment variables.');
  // Health checks call this every few seconds, so only the needed part of the program is loaded.
  return option === undefined ? (await import('./run-worker')).run() : (await import('./worker-health')).run();
}
