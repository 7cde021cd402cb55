import { parseArgs } from 'node:util';
import { runSoak } from './soak/run-soak';
import { missedBars } from './soak/soak-bars';

/**
 * `npm run bench -- soak --minutes 10 --json`: everything at once for a while. With --json the last line has the
 * figures; invariants that broke and failures that no fault explains are named. Ends with 1 when a bar is missed:
 * broken invariants and unhandled rejections always, memory and page times from 10 minutes on.
 */
const { values } = parseArgs({ options: { minutes: { type: 'string', default: '10' }, json: { type: 'boolean' } } });
const minutes = Number(values.minutes);
if (!(minutes >= 0.5 && minutes <= 24 * 60)) {
  process.stderr.write('--minutes: a number from 0.5 to 1440\n');
  process.exit(2);
}
const measured = await runSoak({ minutes });
const missed = missedBars(measured, minutes);
const result = { ...measured, missed };
if (!values.json) for (const [name, value] of Object.entries(result)) console.log(name, JSON.stringify(value));
else console.log(JSON.stringify(result));
process.exit(missed.length > 0 ? 1 : 0);
