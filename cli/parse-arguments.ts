import { type ParseArgsConfig, parseArgs } from 'node:util';
import { UsageError } from './exit';

/** The options and arguments of a command. Throws UsageError with the sentence of Node about what is wrong. */
export function parseArguments<T extends ParseArgsConfig>(config: T): ReturnType<typeof parseArgs<T>> {
  try {
    return parseArgs(config);
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
}

/** The arguments before `--`. What follows it is never an option. */
export const takeOptions = (args: readonly string[]): readonly string[] =>
  args.includes('--') ? args.slice(0, args.indexOf('--')) : args;
