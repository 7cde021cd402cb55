#!/usr/bin/env node
import { escapeOutput } from '@/lib/model/text/escape-foreign';
import { logOnStandardError } from '@/lib/runtime/log';
import { findCommand } from './command-table';
import { CommandFailed, EXIT, UsageError } from './exit';
import { takeOptions } from './parse-arguments';
import { safe } from './units';
import { buildUsage } from './usage';
import { formatVersionLine } from './version';

/** Goes to the beginning of the line and clears it (progress-line.ts). */
const REDRAW = '\r\u001b[2K';

async function main(): Promise<number> {
  guardOutput();
  const [name, ...args] = process.argv.slice(2);
  const wantsHelp = name === 'help' || [name, ...takeOptions(args)].some((arg) => arg === '--help' || arg === '-h');
  if (name === 'version' || name === '--version' || name === '-v') {
    process.stdout.write(formatVersionLine());
    return EXIT.fine;
  }
  if (name === undefined || wantsHelp) {
    process.stdout.write(buildUsage());
    return name === undefined ? EXIT.usage : EXIT.fine;
  }
  const command = findCommand(name, args);
  if (command === undefined) throw new UsageError(`There is no command "${name}".`);
  // A pipeline parses the standard output of a command, so logs go to standard error. The output of a server is its
  // log.
  if (name !== 'serve' && name !== 'worker') logOnStandardError();
  return (await command()).run(args);
}

// Until there is a result, the exit code is that of a failure: Node also exits when nothing is left to wait for.
process.exitCode = EXIT.failed;

/**
 * Escapes all text that the process writes from now on, so that no name of a key moves the cursor or is taken for a
 * command by the pipeline that runs this. Standard error still passes the characters that redraw a progress line.
 */
function guardOutput(): void {
  guard(process.stdout, escapeOutput);
  guard(process.stderr, (text) => text.split(REDRAW).map(escapeOutput).join(REDRAW));
}

function guard(stream: NodeJS.WriteStream, change: (text: string) => string): void {
  const write = stream.write.bind(stream) as (chunk: unknown, ...rest: unknown[]) => boolean;
  stream.write = ((chunk: unknown, ...rest: unknown[]) =>
    write(typeof chunk === 'string' ? change(chunk) : chunk, ...rest)) as typeof stream.write;
}

/** The text of an error, safe for a terminal, because it may contain text from a server or a file. */
const formatError = (error: unknown) =>
  (error instanceof Error ? error.message : String(error)).split('\n').map(safe).join('\n');

// Node itself would exit with 1, the exit code of findings.
process.on('uncaughtException', (error) => {
  process.stderr.write(`colonnade: ${formatError(error)}\n`);
  process.exit(EXIT.failed);
});

main()
  .catch((error: unknown) => {
    if (error instanceof UsageError) {
      // The whole usage text would push this sentence off the screen.
      process.stderr.write(`colonnade: ${formatError(error)}\nSee colonnade --help.\n`);
      return EXIT.usage;
    }
    process.stderr.write(`colonnade: ${formatError(error)}\n`);
    if (error instanceof CommandFailed) return error.exit;
    const code = error instanceof Error && 'code' in error ? String(error.code) : '';
    if (code.startsWith('redis_')) return EXIT.connection;
    // A profile that is not valid or an unknown rule: the arguments are wrong, the work did not fail.
    return code === 'bad_request' ? EXIT.usage : EXIT.failed;
  })
  // A report piped into `head` is closed early. The unwritten rest is not an error, and the exit code stays.
  .then(async (code) => {
    await waitForOutput();
    process.exit(code);
  });

/** Waits until it is known whether the last output could be written. */
function waitForOutput(): Promise<void> {
  return new Promise((done) => process.stdout.write('', () => setImmediate(done)));
}

process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') return;
  process.stderr.write(`colonnade: The output cannot be written: ${formatError(error)}\n`);
  process.exit(EXIT.failed);
});
// Errors of standard error are ignored, because there is no other place to report them.
process.stderr.on('error', () => {});
