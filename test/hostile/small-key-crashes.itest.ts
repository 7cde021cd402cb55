import { expect, it } from 'vitest';
import { digestOfAll } from '../deletions/digest';
import { type Kind, SMALL_HASH, SMALL_STRING } from '../deletions/faults/kinds';
import { crashAt, finishWithWorker, openWithWorkers } from '../deletions/faults/worker-process';

/** Our process ends by SIGKILL in the middle of many small keys, whose journal is written after what it tells. */
const small = (keys: number) =>
  Array.from({ length: keys }, (_, i): [string, Kind] => [`small:${i}`, i % 2 ? SMALL_HASH : SMALL_STRING]);

it.each(['unlink', 'drain'])(
  '%s: what was removed as our process ended is done, and what the application makes anew stays',
  async (mode) => {
    const fixture = await openWithWorkers(small(100));
    const { client, keys } = fixture;
    const id = await fixture.plan({ mode });
    const job = await fixture.stand.start(id);
    await crashAt(fixture, { word: 'UNLINK', after: 99, act: 'mute' });
    await expect.poll(async () => (await client.keys('colonnade:trash:*')).length).toBe(0);
    const again = keys.slice(0, 40);
    for (const { kind, name } of again) await kind.seed(client, name);
    const theirs = await digestOfAll(client);
    await finishWithWorker(fixture, job);
    expect(await digestOfAll(client)).toBe(theirs);
    for (const item of await fixture.stand.items(id)) expect(item).toMatchObject({ state: 'done', undoUntil: null });
  },
);
