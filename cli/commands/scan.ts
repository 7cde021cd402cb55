import { rmSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { openChosenProfile } from '@/cli/chosen-profile';
import { EXIT, UsageError } from '@/cli/exit';
import { FINDINGS_OPTIONS, parseFailOn, parseFormat } from '@/cli/fail-on';
import { readInput } from '@/cli/input/read-input';
import { rewordForOptions } from '@/cli/input/reword-for-options';
import { printScan } from '@/cli/output/print-results';
import { ProgressLine } from '@/cli/output/progress-line';
import { parseArguments } from '@/cli/parse-arguments';
import { openFolder, requireFolder } from '@/cli/snapshot-source';
import { ScanOptions } from '@/lib/model/snapshots/scan';
import { config } from '@/lib/runtime/config';
import { scanToFolder } from '@/lib/scans/scan-to-folder';

const OPTIONS = {
  cluster: { type: 'boolean' },
  sentinel: { type: 'string' },
  speed: { type: 'string' },
  target: { type: 'string' },
  facts: { type: 'string' },
  db: { type: 'string' },
  match: { type: 'string' },
  out: { type: 'string' },
  counts: { type: 'string' },
  values: { type: 'string' },
  profile: { type: 'string' },
  ...FINDINGS_OPTIONS,
  since: { type: 'string' },
  ca: { type: 'string' },
  cert: { type: 'string' },
  key: { type: 'string' },
  servername: { type: 'string' },
  insecure: { type: 'boolean' },
  allow: { type: 'string' },
  map: { type: 'string' },
  'only-these': { type: 'boolean' },
  'ask-password': { type: 'boolean' },
} as const;

/** How long the command waits for a server that is unavailable during a scan. Later it can be resumed with --out. */
const RETRY_FOR_MS = 60_000;

/** `colonnade scan URL`: reads the keys of a server into a snapshot and prints the overview, with findings on request. */
export async function run(args: string[]): Promise<number> {
  const { values, positionals } = parseArguments({ args, options: OPTIONS, allowPositionals: true });
  const [url, ...more] = positionals;
  if (url === undefined || more.length > 0) throw new UsageError('Give exactly one URL.');
  const format = parseFormat(values);
  const fails = parseFailOn(values['fail-on']);
  const since = await requireFolder(values.since, fails);
  // Read before the scan, because a wrong profile must not waste an hour of reading.
  const profile =
    values.profile !== undefined || fails.strengths.length > 0 || values.since !== undefined || format === 'sarif'
      ? await openChosenProfile(values.profile)
      : null;
  const options = ScanOptions.safeParse({
    speed: values.speed,
    target: values.target,
    facts: values.facts,
    counts: values.counts,
    values: values.values === undefined ? undefined : parseWholeNumber('values', values.values),
    match: values.match ?? null,
    databases: values.db === undefined ? null : values.db.split(',').map((db) => parseWholeNumber('db', db)),
  });
  if (!options.success)
    throw new UsageError(
      options.error.issues
        .map(({ path: [name], message }) => `--${name === 'databases' ? 'db' : String(name)}: ${message}`)
        .join('; '),
    );
  const input = await readInput(url, values, {
    password: config.redisPassword,
    sentinelPassword: config.sentinelPassword,
  });
  // A database in the URL is treated like --db, so that a folder with a scan of another database is not continued.
  if (input.databases !== null) {
    if (options.data.databases !== null && options.data.databases.join() !== input.databases.join())
      throw new UsageError(
        `--db ${values.db} and the database ${input.databases.join()} of the URL exclude each other.`,
      );
    options.data.databases = input.databases;
  }
  const kept = values.out !== undefined;
  // An empty variable of a script, or the text that some languages print for a missing value, would name a folder where
  // nobody looks.
  if (kept && /^(undefined|null|)$/.test(values.out?.trim() ?? ''))
    throw new UsageError(`--out: "${values.out}" is not the name of a folder`);
  const dir = values.out === undefined ? await mkdtemp(join(tmpdir(), 'colonnade-')) : resolve(values.out);
  const abort = new AbortController();
  let scanned = false;
  const onSignal = () => {
    // The snapshot is complete, and its output can be requested again, so the command ends at once.
    if (scanned) {
      if (!kept) rmSync(dir, { recursive: true, force: true });
      process.exit(EXIT.interrupted);
    }
    abort.abort();
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, onSignal);
  const line = new ProgressLine(process.stderr);
  try {
    const manifest = await scanToFolder({
      input,
      options: options.data,
      profile,
      dir,
      allowedDestinations: config.allowDestinations,
      confirmedAddresses: values.allow?.split(/[\s,]+/).filter(Boolean) ?? [],
      signal: abort.signal,
      shouldStop: () => false,
      retryForMs: RETRY_FOR_MS,
      onReport: (update) => line.update(update),
    });
    scanned = true;
    line.end();
    if (manifest === null) {
      process.stderr.write(
        kept ? `Interrupted. The same command resumes.\n` : 'Interrupted. With --out DIR a scan can be resumed.\n',
      );
      return EXIT.interrupted;
    }
    const withFindings = profile !== null;
    const code = await printScan(openFolder(dir, profile), { format, fails, since, withFindings });
    if (kept && format === 'text') process.stderr.write(`\nSnapshot written to ${dir}\n`);
    return code;
  } catch (error) {
    throw rewordForOptions(error);
  } finally {
    line.end();
    if (!kept) await rm(dir, { recursive: true, force: true });
  }
}

/** Throws UsageError. Stricter than Number, which reads an empty text as 0. */
function parseWholeNumber(option: string, text: string): number {
  if (!/^-?\d{1,9}$/.test(text.trim())) throw new UsageError(`--${option}: "${text}" is not a whole number.`);
  return Number(text);
}
