import { lookAtKeys } from './look-at-key';
import { parseTrashName, type TrashKind } from './trash-name';
import type { RedisSession } from './types';
import { openWritingChannel } from './writing-channel';

export interface FoundLeftover {
  name: Buffer;
  db: number;
  address: string;
  kind: TrashKind;
  deletionId: string;
  seq: number;
  type: string | null;
  bytes: number | null;
}

const COUNT = '500';

/** Every key of ours on every master, found by looking only. `databases` per address; [0] in a cluster. */
export async function* findLeftovers(
  session: RedisSession,
  databasesOf: (address: string) => Promise<number[]>,
): AsyncGenerator<FoundLeftover> {
  for (const node of session.nodes) {
    if (node.role !== 'master' || session.problems?.has(node.address)) continue;
    for (const db of await databasesOf(node.address)) {
      const channel = await openWritingChannel(session, node.address, db);
      try {
        for (let cursor = '0'; ; ) {
          const page = await channel.call(['SCAN', cursor, 'MATCH', 'colonnade:*:{*}:*', 'COUNT', COUNT]);
          const [next, names] = Array.isArray(page) ? page : [];
          const ours = (Array.isArray(names) ? names : []).flatMap((name) => {
            const parsed = Buffer.isBuffer(name) ? parseTrashName(name) : null;
            return parsed && Buffer.isBuffer(name) ? [{ name, ...parsed }] : [];
          });
          const looks = await lookAtKeys(
            channel,
            ours.map(({ name }) => name),
          );
          for (const [index, found] of ours.entries()) {
            const look = looks[index];
            if (look?.type) yield { ...found, db, address: node.address, type: look.type, bytes: look.bytes };
          }
          cursor = Buffer.isBuffer(next) ? next.toString('latin1') : '0';
          if (cursor === '0') break;
        }
      } finally {
        channel.close();
      }
    }
  }
}
