import { AppError } from '@/lib/model/errors';

/** Phrases in errors that refer to fields of a page → phrases that name the option of the command. */
const OPTIONS: readonly (readonly [string, string])[] = [
  ['Correct the address map', 'Correct --map'],
  ['The name of the master is missing', 'Add --sentinel NAME: the name of the master is missing'],
  ['Register the instance as Cluster', 'Add --cluster'],
  ['Register the instance as Standalone', 'Omit --cluster and --sentinel'],
  ['Register the instance as Sentinel, with the name of the master', 'Add --sentinel NAME, the name of the master'],
  ['or register it as Standalone', 'or omit --sentinel'],
  ['Turn TLS off', 'Use redis://'],
  ['Turn TLS on', 'Use rediss://'],
  ['set it as TLS server name', 'give it as --servername'],
  ['Add the CA certificate of the server', 'Give the CA certificate of the server as --ca'],
  ['Add certificate and key', 'Give --cert and --key'],
];

/** Rewrites a connection error so that it names an option instead of a field of a form. */
export function rewordForOptions(error: unknown): unknown {
  if (!(error instanceof AppError)) return error;
  const message = OPTIONS.reduce((text, [words, option]) => text.replace(words, option), error.message);
  return message === error.message ? error : new AppError(error.code, message, error.details, { cause: error });
}
