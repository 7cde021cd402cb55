import { parseArgs } from 'node:util';
import { missedFleetBars } from './fleet/fleet-bars';
import { runFleet } from './fleet/run-fleet';

/**
 * `npm run bench -- fleet --json`: four worker processes (COLONNADE_JOBS=8 each) and two web servers on one PostgreSQL,
 * 2,000 short jobs and 24 scans of 12 servers, while workers are killed 30 times and the database twice. All of it is
 * spread over the whole time, so that kills and restarts also interrupt scans. Half of the workers pretend to run on
 * other machines, so that takeovers on one host and between hosts are both measured. Scans occupy at most 12 of 32
 * slots, so short jobs wait because of the queue and not for a slot. Exits with 1 if a limit is missed. `--together`:
 * all servers are scanned from the beginning, each one scan after the other. `--embedded`: the same with one process
 * and one server on SQLite, for comparison.
 */
const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '6' },
    jobs: { type: 'string', default: '2000' },
    scans: { type: 'string', default: '24' },
    servers: { type: 'string', default: '12' },
    keys: { type: 'string', default: '60000' },
    kills: { type: 'string', default: '30' },
    restarts: { type: 'string', default: '2' },
    places: { type: 'string' },
    together: { type: 'boolean', default: false },
    embedded: { type: 'boolean', default: false },
    json: { type: 'boolean' },
  },
});
const { embedded, together } = values;
const workers = embedded ? 1 : 4;
const number = (name: 'minutes' | 'jobs' | 'scans' | 'servers' | 'keys' | 'kills' | 'restarts' | 'places') => {
  // One process gets as many slots as four together.
  const value = Number(values[name] ?? 32 / workers);
  if (Number.isFinite(value) && value >= 0) return value;
  process.stderr.write(`--${name}: a number\n`);
  return process.exit(2);
};
const measured = await runFleet({
  embedded,
  together,
  minutes: number('minutes'),
  workers,
  places: number('places'),
  jobs: number('jobs'),
  scans: number('scans'),
  servers: number('servers'),
  keysPerServer: number('keys'),
  kills: number('kills'),
  databaseRestarts: number('restarts'),
});
const missed = missedFleetBars(measured);
const result = { ...measured, missed };
if (!values.json) for (const [name, value] of Object.entries(result)) console.log(name, JSON.stringify(value));
else console.log(JSON.stringify(result));
process.exit(missed.length > 0 ? 1 : 0);
