import { setTimeout as sleep } from 'node:timers/promises';

/** A client of the public HTTP API, which the demo uses like any other client. */
export class Colonnade {
  constructor(origin) {
    this.origin = origin;
  }

  async ask(method, path, body) {
    const headers = body === undefined ? {} : { 'content-type': 'application/json' };
    const response = await fetch(`${this.origin}${path}`, {
      method,
      headers: { origin: this.origin, 'x-colonnade': '1', ...headers },
      body: body === undefined ? undefined : JSON.stringify(body),
      signal: AbortSignal.timeout(30_000),
    });
    const answer = response.status === 204 ? null : await response.json();
    if (!response.ok) {
      const { code, details, message } = answer?.error ?? {};
      throw Object.assign(new Error(`${method} ${path}: ${message ?? response.status}`), { code, details });
    }
    return answer;
  }

  async waitUntilUp(isAlive) {
    for (let waited = 0; waited < 60_000; waited += 100) {
      if (!isAlive()) break;
      const up = await fetch(`${this.origin}/api/health`).then(
        (response) => response.ok,
        () => false,
      );
      if (up) return;
      await sleep(100);
    }
    throw new Error('Colonnade did not start; see colonnade.log in the demo folder.');
  }

  /** Registers an instance, or updates the one that an earlier demo registered under this name. Returns its id. */
  async register(settings) {
    const { instances } = await this.ask('GET', '/api/instances');
    const known = instances.find((instance) => instance.name === settings.name);
    if (!known) return (await this.ask('POST', '/api/instances', settings)).instance.id;
    if (JSON.stringify(known.endpoints) !== JSON.stringify(settings.endpoints)) {
      await this.ask('PATCH', `/api/instances/${known.id}`, settings);
    }
    return known.id;
  }

  /**
   * Starts a scan, or continues the one that was interrupted with an earlier demo, and reports the number of keys read
   * until it ends. Returns the job.
   */
  async scan(id, onProgress) {
    const job = await this.ask('POST', `/api/instances/${id}/scans`, {
      speed: 'balanced',
      values: 2000,
      // The reason is required because one of the instances is marked as production.
      valuesReason: 'Demo: show what sampling finds',
    }).then(
      (answer) => answer.job,
      (error) => {
        if (error.code === 'job_running' && error.details?.job) return { id: error.details.job };
        throw error;
      },
    );
    return this.#waitForJob(job, onProgress);
  }

  /** Deletes a key step by step, with an archive, so that it can be undone. Returns the job when it has ended. */
  async deleteKey(instanceId, name) {
    const { plan } = await this.ask('POST', '/api/deletions/plans', {
      task: 'delete',
      instanceId,
      selection: { by: 'keys', keys: [{ k: Buffer.from(name).toString('base64url'), db: 0 }] },
      options: { mode: 'archive', speed: 'fast' },
    });
    const { deletion } = await this.ask('POST', '/api/deletions', {
      planId: plan.id,
      confirm: plan.phrase,
      consents: plan.consents,
    });
    return this.#waitForJob(deletion.job);
  }

  async #waitForJob(job, onProgress = () => {}) {
    while (!['succeeded', 'failed', 'cancelled', 'paused'].includes(job.state)) {
      await sleep(300);
      ({ job } = await this.ask('GET', `/api/jobs/${job.id}`));
      onProgress(job.progress?.done ?? 0);
    }
    return job;
  }
}
