#!/usr/bin/env node
import { logOnStandardError } from '@/lib/log';
import { COMMANDS, SERVER_COMMANDS } from './command-table';
import { CommandFailed, EXIT, UsageError } from './exit';
import { guardOutput } from './output/guard-output';
import { meantForServer } from './server-client/meant-for-server';
import { safe } from './units';
import { usage } from './usage';
import { versionLine } from './version';

async function main(): Promise<number> {
  guardOutput();
  const [name, ...args] = process.argv.slice(2);
  const options = args.slice(0, args.includes('--') ? args.indexOf('--') : args.length);
  const asked = name === 'help' || [name, ...options].some((arg) => arg === '--help' || arg === '-h');
  if (name === 'version' || name === '--version' || name === '-v') {
    process.stdout.write(versionLine());
    return EXIT.fine;
  }
  if (name === undefined || asked) {
    process.stdout.write(usage());
    return name === undefined ? EXIT.usage : EXIT.fine;
  }
  const command = meantForServer(name, args) ? SERVER_COMMANDS[name] : COMMANDS[name];
  if (command === undefined) throw new UsageError(`There is no command "${name}".`);
  // A pipeline parses what a command answers; a server's log is its answer.
  if (name !== 'serve' && name !== 'worker') logOnStandardError();
  return (await command()).run(args);
}

// Should nothing be left to wait for before there is an answer, that is no success.
process.exitCode = EXIT.failed;

/** What a server or a file says may be in it. */
const reported = (error: unknown) =>
  (error instanceof Error ? error.message : String(error)).split('\n').map(safe).join('\n');

// Node itself would end with 1, which a pipeline takes for findings.
process.on('uncaughtException', (error) => {
  process.stderr.write(`colonnade: ${reported(error)}\n`);
  process.exit(EXIT.failed);
});

main()
  .catch((error: unknown) => {
    if (error instanceof UsageError) {
      // All of the usage would push the sentence off the screen.
      process.stderr.write(`colonnade: ${reported(error)}\nSee colonnade --help.\n`);
      return EXIT.usage;
    }
    process.stderr.write(`colonnade: ${reported(error)}\n`);
    if (error instanceof CommandFailed) return error.exit;
    const code = error instanceof Error && 'code' in error ? String(error.code) : '';
    if (code.startsWith('redis_')) return EXIT.connection;
    // A profile that does not fit, an unknown rule: what was asked for is wrong, not what was done.
    return code === 'bad_request' ? EXIT.usage : EXIT.failed;
  })
  // A report piped into `head` closes early; what is left unsaid is not an error, but the answer stays what it is.
  .then(async (code) => {
    await saidOrNot();
    process.exit(code);
  });

/** Whether what was said last could be written is known a moment later. */
function saidOrNot(): Promise<void> {
  return new Promise((done) => process.stdout.write('', () => setImmediate(done)));
}

process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') return;
  process.stderr.write(`colonnade: The output cannot be written: ${reported(error)}\n`);
  process.exit(EXIT.failed);
});
// Nobody listens to what is said on the side.
process.stderr.on('error', () => {});
