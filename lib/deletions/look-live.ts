import { lookAtKeys } from '@/lib/redis/look-at-key';
import type { RedisSession } from '@/lib/redis/types';
import { openWritingChannel } from '@/lib/redis/writing-channel';
import type { Candidate } from './candidate';
import { masterOf } from './desks';

const AT_ONCE = 100;

/** Asks the server what the keys are now. Only looks: idle times of collections are renewed by counting them. */
export async function lookLive(session: RedisSession, keys: readonly Candidate[]): Promise<void> {
  const places = new Map<string, Candidate[]>();
  for (const key of keys) {
    key.address = masterOf(session, key.slot).address;
    const place = `${key.address} ${key.db}`;
    places.set(place, [...(places.get(place) ?? []), key]);
  }
  for (const group of places.values()) {
    const [first] = group;
    if (!first) continue;
    const channel = await openWritingChannel(session, first.address, first.db);
    try {
      for (let from = 0; from < group.length; from += AT_ONCE) {
        const some = group.slice(from, from + AT_ONCE);
        const looks = await lookAtKeys(
          channel,
          some.map(({ raw }) => raw),
        );
        some.forEach((key, index) => {
          const look = looks[index];
          if (!look) return;
          key.live = true;
          key.gone = look.type === null;
          if (!key.gone) Object.assign(key, look);
        });
      }
    } finally {
      channel.close();
    }
  }
}
