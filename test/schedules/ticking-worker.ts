import { queueScan } from '@/lib/scans/start-scan';
import { insertDueRuns } from '@/lib/schedules/insert-due-runs';
import { tickSchedules } from '@/lib/schedules/tick';

/**
 * Ticks at a time (epoch ms), many times. `dies`: it is killed after it has written the due runs (`due`), or after it
 * has queued a scan, before that is committed (`queued`).
 */
const [now, dies] = process.argv.slice(2);
const die = () => process.kill(process.pid, 'SIGKILL');

if (dies === 'due') {
  await insertDueRuns(Number(now));
  die();
}
for (let i = 0; i < 10; i++)
  await tickSchedules(async (...args) => {
    const job = await queueScan(...args);
    if (dies === 'queued') die();
    return job;
  }, Number(now));
process.exit(0);
