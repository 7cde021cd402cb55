import { useEffect, useRef, useState } from 'react';
import { api } from '@/components/data/api';
import { useRefresh } from '@/components/data/query-api';
import type { Instance } from '@/lib/model/servers/instance';
import type { ListedInstance } from '@/lib/model/servers/listed-instance';
import type { ConnectionReport } from '@/lib/model/servers/server-facts';

/** Connections that are tested at the same time. */
const AT_ONCE = 4;

export type RowState =
  | { is: 'waiting' | 'testing' | 'registering' }
  | { is: 'reached'; report: ConnectionReport }
  | { is: 'registered'; instance: Instance }
  | { is: 'failed'; error: unknown };
export interface ImportRow {
  row: number;
  listed: ListedInstance;
  /** null: the list has a problem in this row. */
  state: RowState | null;
}

/**
 * Reads a list of instances, tests each connection, and registers those that were reached, some at a time. The server
 * reads the list again for each row, so that no password is sent back to the browser.
 */
export function useImport() {
  const [rows, setRows] = useState<ImportRow[] | null>(null);
  const text = useRef('');
  const refresh = useRefresh('GET /api/instances', 'GET /api/fleet');
  const ended = useRef(false);
  useEffect(() => {
    ended.current = false;
    return () => {
      ended.current = true;
    };
  }, []);
  const setState = (row: number, state: RowState) =>
    setRows((before) => before?.map((one) => (one.row === row ? { ...one, state } : one)) ?? null);

  async function handleRow(row: number, register: boolean): Promise<void> {
    setState(row, { is: register ? 'registering' : 'testing' });
    try {
      const body = { text: text.current, row, register };
      const { report, instance } = await api('POST /api/instances/import/row', { body });
      setState(row, instance ? { is: 'registered', instance } : { is: 'reached', report });
    } catch (error) {
      setState(row, { is: 'failed', error });
    }
  }

  async function handleRows(wanted: readonly ImportRow[], register: boolean): Promise<void> {
    const waiting = [...wanted];
    const work = async () => {
      for (let next = waiting.shift(); next && !ended.current; next = waiting.shift())
        await handleRow(next.row, register);
    };
    await Promise.all(Array.from({ length: AT_ONCE }, work));
  }

  return {
    rows,
    /** Throws if the text is no list. */
    async check(list: string): Promise<void> {
      text.current = list;
      const answer = await api('POST /api/instances/import', { body: { text: list } });
      const read = answer.rows.map((listed, row) => ({
        row,
        listed,
        state: listed.problem === null ? ({ is: 'waiting' } as const) : null,
      }));
      setRows(read);
      void handleRows(
        read.filter(({ state }) => state !== null),
        false,
      );
    },
    async register(): Promise<void> {
      await handleRows(rows?.filter(({ state }) => state?.is === 'reached') ?? [], true);
      await refresh();
    },
    back: () => setRows(null),
  };
}
