import pg from 'pg';
import { config } from '@/lib/runtime/config';
import { buildClientSettings } from './postgres';
import { parsePostgresUrl } from './postgres-url';
import { QUERY_MS } from './query-deadline';

/** Wait before a lost connection is opened again. */
const RECONNECT_MS = 1_000;

/**
 * Calls `onJob` when a job is queued or released by any process. It uses a separate connection, which is opened again
 * when it is lost. Notifications during the loss are missed; the periodic look for jobs finds those. null = not
 * PostgreSQL.
 */
export function listenToJobs(onJob: () => void): { stop(): Promise<void> } | null {
  const url = config.databaseUrl;
  if (url === null) return null;
  const address = parsePostgresUrl(url.reveal());
  let client: pg.Client | null = null;
  let timer: NodeJS.Timeout | undefined;
  let stopped = false;

  const reconnectLater = () => {
    client = null;
    clearTimeout(timer);
    if (stopped) return;
    timer = setTimeout(() => void connect(), RECONNECT_MS);
    timer.unref();
  };
  const connect = async () => {
    const mine = new pg.Client({ ...buildClientSettings(address), query_timeout: QUERY_MS });
    client = mine;
    const onLost = () => {
      if (client === mine) reconnectLater();
    };
    mine.on('error', onLost);
    mine.on('end', onLost);
    try {
      await mine.connect();
      const { rows } = await mine.query('select current_schema() as own');
      mine.on('notification', ({ payload }) => {
        if (payload === rows[0]?.own) onJob();
      });
      await mine.query('listen colonnade_jobs');
      // Notifications may have been sent before this connection listened.
      onJob();
    } catch {
      await mine.end().catch(() => {});
      onLost();
    }
  };
  void connect();
  return {
    async stop() {
      stopped = true;
      clearTimeout(timer);
      const open = client;
      client = null;
      await open?.end().catch(() => {});
    },
  };
}
