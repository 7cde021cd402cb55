import { keepAlerting } from '@/lib/alerts/keep-alerting';

/** A separate process that delivers messages, for tests that kill it or give it another set of trusted certificates. */
keepAlerting(`worker-${process.pid}`);
setInterval(() => {}, 60_000);
process.stdout.write('ready\n');
