import type { Redis } from 'ioredis';
import { sleep } from '../../test/servers/process';
import type { Person, SoakClient } from './soak-client';

interface Group {
  deletionId: string;
  keys: Map<string, Buffer>;
}
interface JobAnswer {
  job: { id: string; state: string; reason: { code: string } | null } | null;
}
const ENDED = ['succeeded', 'failed', 'cancelled'];
const KEEP = 2000;

/**
 * Plans keys of one group, deletes them, restores some at once and the others at the end, and compares every byte: keys
 * in no plan stay, deleted keys are restored.
 */
export class SoakDeletions {
  private readonly open: Group[] = [];
  private round = 0;
  deleted = 0;
  restored = 0;

  constructor(
    private readonly client: SoakClient,
    private readonly operator: Person,
    private readonly instance: { id: string; name: string },
    private readonly redis: Redis,
  ) {}

  async seed(): Promise<void> {
    const some = this.redis.pipeline();
    for (let i = 0; i < KEEP; i++) some.set(`keep:${this.instance.name}:${i}`, `value ${i}`);
    await some.exec();
  }

  async run(stopped: () => boolean): Promise<void> {
    while (!stopped()) {
      const group = await this.remove();
      if (group && Math.random() < 0.5) await this.restore(group);
      else if (group) this.open.push(group);
      await sleep(2000);
    }
  }

  /** Called after the last fault. */
  async finish(): Promise<void> {
    for (const group of this.open.splice(0)) await this.restore(group);
    let kept = 0;
    for (let i = 0; i < KEEP; i++)
      if ((await this.redis.get(`keep:${this.instance.name}:${i}`)) === `value ${i}`) kept++;
    if (kept !== KEEP) this.tell(`${KEEP - kept} keys that no plan named are lost or changed`);
  }

  private tell(what: string): void {
    this.client.totals.broken.push(`${this.instance.name}: ${what}`);
  }

  private async remove(): Promise<Group | null> {
    const prefix = `gone:${this.instance.name}:${this.round++}`;
    for (let i = 0; i < 20; i++) await this.redis.set(`${prefix}:s${i}`, `value ${i}`.repeat(20));
    for (let i = 0; i < 4; i++)
      await this.redis.hset(`${prefix}:h${i}`, Object.fromEntries(many(600, (n) => [`f${n}`, `v${n}`])));
    const names = [...many(20, (i) => `${prefix}:s${i}`), ...many(4, (i) => `${prefix}:h${i}`)];
    const keys = new Map<string, Buffer>();
    for (const name of names) keys.set(name, await this.readContent(name));
    const selection = {
      by: 'keys',
      keys: names.map((name) => ({ k: Buffer.from(name).toString('base64url'), db: 0 })),
    };
    const planned = { task: 'delete', instanceId: this.instance.id, selection, options: { speed: 'fast' } };
    try {
      const { plan } = await this.client.ask<{ plan: { id: string } }>(
        this.operator,
        'POST',
        '/api/deletions/plans',
        planned,
      );
      const confirm = { planId: plan.id, confirm: this.instance.name, consents: [] };
      await this.client.ask(this.operator, 'POST', '/api/deletions', confirm).catch((error: Error) => {
        // The server was killed after the deletion had started, and a second request says so.
        if (!/conflict|job_running|not planned/.test(error.message)) throw error;
      });
      const group = { deletionId: plan.id, keys };
      const state = await this.ended(plan.id);
      // A busy machine makes the throttle wait: an unfinished deletion is checked again at the end.
      if (state === null) return group;
      if (state !== 'succeeded') this.tell(`deletion ${plan.id} ended as ${state}: ${await this.describeEnd(plan.id)}`);
      const left = await this.redis.exists(...names);
      if (left > 0) this.tell(`${left} keys of a deletion that has succeeded are there`);
      this.deleted += names.length;
      return group;
    } catch (error) {
      // A plan needs the Redis server at this moment; with its connection cut there is no plan, and nothing was
      // started.
      this.client.note('deletion', { status: 599, text: String(error) });
      return null;
    }
  }

  private async restore({ deletionId, keys }: Group): Promise<void> {
    if ((await this.ended(deletionId)) === null) return this.tell(`deletion ${deletionId} does not end`);
    await this.client
      .ask(this.operator, 'POST', `/api/deletions/${deletionId}/undo`, { restoreExpired: false })
      .catch((error: Error) => {
        if (!/job_running|nothing_to_do|nothing_undone|conflict/.test(error.message))
          this.tell(`undo: ${error.message}`);
      });
    if ((await this.ended(deletionId)) === null) return this.tell(`the undo of ${deletionId} does not end`);
    let lost = 0;
    for (const [name, content] of keys) if (!(await this.readContent(name)).equals(content)) lost++;
    if (lost > 0) this.tell(`${lost} of ${keys.size} keys of ${deletionId} were not restored as they were`);
    this.restored += keys.size - lost;
    await this.redis.del(...keys.keys());
  }

  /** Returns the content, whatever the encoding has become meanwhile. */
  private async readContent(name: string): Promise<Buffer> {
    const hash = await this.redis.type(name);
    if (hash !== 'hash') return Buffer.from((await this.redis.get(name)) ?? '');
    return Buffer.from(JSON.stringify(Object.entries(await this.redis.hgetall(name)).toSorted()));
  }

  /** Returns why the deletion ended as it did, for the report. */
  private async describeEnd(deletionId: string): Promise<string> {
    const { deletion } = await this.client.ask<{ deletion: JobAnswer }>(
      this.operator,
      'GET',
      `/api/deletions/${deletionId}`,
    );
    const items = await this.client.send(this.operator, 'GET', `/api/deletions/${deletionId}/items?state=failed`);
    return `${JSON.stringify(deletion.job)} ${items.text.slice(0, 1500)}`;
  }

  /** Waits for the end of the job and resumes it if it asks for a confirmation. null: it still runs. */
  private async ended(deletionId: string): Promise<string | null> {
    for (const end = Date.now() + 240_000; Date.now() < end; await sleep(500)) {
      const { deletion } = await this.client.ask<{ deletion: JobAnswer }>(
        this.operator,
        'GET',
        `/api/deletions/${deletionId}`,
      );
      const job = deletion.job;
      if (job && ENDED.includes(job.state)) return job.state;
      if (job?.state === 'paused')
        await this.client.ask(this.operator, 'POST', `/api/jobs/${job.id}/resume`).catch(() => undefined);
    }
    return null;
  }
}

const many = <T>(count: number, one: (i: number) => T): T[] => Array.from({ length: count }, (_, i) => one(i));
