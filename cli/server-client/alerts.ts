import { EXIT, UsageError } from '@/cli/exit';
import { print, printJson, printLine } from '@/cli/print';
import { formatPlainTable, safe } from '@/cli/units';
import { nameAlertRule } from '@/lib/model/alerts/alert-words';
import { askOnce, keepAsking } from './keep-asking';
import { readArguments, readServerAccess } from './server-access';

/**
 * `colonnade alerts --server URL` lists the open alerts, newest first; `--resolved` those that have ended; `colonnade
 * alerts acknowledge ID --server URL` acknowledges one. It lists at most 500.
 */
export async function run(args: string[]): Promise<number> {
  const { values, positionals } = readArguments(args, { resolved: { type: 'boolean' } });
  const [command, id, ...more] = positionals;
  const acknowledges = command === 'acknowledge' && id !== undefined && /^[A-Za-z0-9_-]{1,64}$/.test(id);
  if (more.length > 0 || (command !== undefined && !acknowledges))
    throw new UsageError(
      'The alerts command is: colonnade alerts --server URL, or colonnade alerts acknowledge ID --server URL',
    );
  const access = readServerAccess(values);
  if (acknowledges) {
    const unknown = 'Whether it was acknowledged is not known: see colonnade alerts.';
    const { alert } = await askOnce(access, 'POST /api/alerts/{id}/acknowledge', { id }, unknown);
    if (values.json) await printJson(alert);
    else printLine(`The alert ${alert.id} is acknowledged by ${safe(alert.acknowledgedBy ?? '')}.`);
    return EXIT.fine;
  }
  const state = values.resolved ? ('resolved' as const) : ('open' as const);
  const { alerts } = await keepAsking(access, 'GET /api/alerts', { query: { state, limit: 500 } });
  if (values.json) await printJson(alerts);
  else if (alerts.length === 0) process.stderr.write('There are no such alerts that the token sees.\n');
  else
    await print(
      formatPlainTable(
        ['id', 'severity', 'state', 'instance', 'rule', 'subject', 'since (UTC)', 'acknowledged'],
        alerts.map((alert) => [
          alert.id,
          alert.severity,
          alert.silencedBy === null ? alert.state : `${alert.state}, silenced`,
          alert.instanceName ?? '—',
          nameAlertRule(alert.ruleName, alert.kind, 'en'),
          alert.subject || '—',
          new Date(alert.since).toISOString().slice(0, 16).replace('T', ' '),
          alert.acknowledgedBy ?? '—',
        ]),
      ),
    );
  return EXIT.fine;
}
