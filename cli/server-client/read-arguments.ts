import { type ParseArgsConfig, parseArgs } from 'node:util';
import { UsageError } from '@/cli/exit';
import { refuseTokenArguments, SERVER_OPTIONS } from './server-access';

export function readArguments<T extends NonNullable<ParseArgsConfig['options']>>(args: string[], options: T) {
  refuseTokenArguments(args);
  try {
    return parseArgs({ args, options: { ...SERVER_OPTIONS, ...options }, allowPositionals: true });
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
}
