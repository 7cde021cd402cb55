import { existsSync } from 'node:fs';
import { expect, it } from 'vitest';
import { buildUsage } from '@/cli/usage';
import { readText, strictYaml } from './deploy-files';
import { renderTemplate } from './render-template';

/** Checks the files for container engines, Kubernetes and systemd against the code and files that they refer to. */
const own = JSON.parse(readText('package.json'));
const dockerfile = readText('Dockerfile');
const compose = strictYaml(readText('compose.yaml'));
const withPostgres = strictYaml(readText('compose.postgres.yaml'));
const fleet = strictYaml(readText('compose.fleet.yaml'));
const unit = readText('deploy/colonnade.service');
const CHART = 'deploy/helm/colonnade';
const values = strictYaml(readText(`${CHART}/values.yaml`));
const chart = strictYaml(readText(`${CHART}/Chart.yaml`));
const rendered = (name: string) =>
  renderTemplate(readText(`${CHART}/templates/${name}.yaml`), { Values: values, Release: { Name: 'try' } });
const pod = strictYaml(rendered('statefulset')).spec.template.spec;
const [container] = pod.containers;

it('every setting they name is in the table of the README', () => {
  const documented = new Set(readText('README.md').match(/`(COLONNADE_[A-Z_]+|PORT|HOST)`/g));
  const texts = ['Dockerfile', 'compose.yaml', 'compose.postgres.yaml', 'compose.fleet.yaml'];
  texts.push(`${CHART}/values.yaml`, 'docs/INSTALL.md');
  const named = [...texts.map(readText), unit, rendered('statefulset')]
    .flatMap((text) => text.replaceAll(/^\s*#.*$/gm, '').match(/\b(COLONNADE_[A-Z_]+|PORT|HOST)(?=[=:\s])/g) ?? [])
    .filter((name) => !documented.has(`\`${name}\``));
  expect(named).toEqual([]);
  expect(dockerfile).toContain('COLONNADE_DATA=/data');
});

it('the Dockerfile builds on a Node that package.json admits, with commands and files that exist', () => {
  const major = Number(/^ARG NODE_VERSION=(\d+)$/m.exec(dockerfile)?.[1]);
  expect(major).toBeGreaterThanOrEqual(Number(/^>=(\d+)/.exec(own.engines.node)?.[1]));
  for (const [, script] of dockerfile.matchAll(/npm run (\w+)/g)) expect(own.scripts).toHaveProperty(script as string);
  const needed = readText('scripts/ensure/build.mjs').match(/const SOURCES = \[([^\]]+)\]/)?.[1] ?? '';
  const admitted =
    readText('.dockerignore')
      .match(/^!.+$/gm)
      ?.map((line) => line.slice(1)) ?? [];
  for (const name of admitted) expect(existsSync(new URL(`../../${name}`, import.meta.url)), name).toBe(true);
  const sources = [...needed.matchAll(/'([^'/]+)[^']*'/g)].map(([, name]) => name);
  expect(sources.length).toBeGreaterThan(10);
  expect(sources.filter((name) => !admitted.includes(name as string))).toEqual([]);
});

it('what holds secrets or data never reaches the builder', () => {
  const [first] = readText('.dockerignore')
    .split('\n')
    .filter((line) => line && !line.startsWith('#'));
  expect(first).toBe('*');
  expect(readText('.dockerignore')).not.toMatch(/^!(data|\.env|\.git|\*)/m);
  expect(dockerfile).not.toMatch(/(KEY|PASSWORD|TOKEN)=/);
});

it('ports, folders, user and health route are the same everywhere', () => {
  expect(dockerfile).toMatch(/^EXPOSE 3000$/m);
  expect(compose.services.colonnade.ports).toEqual(['127.0.0.1:3000:3000']);
  expect(container.ports).toEqual([{ name: 'http', containerPort: 3000 }]);
  expect(compose.services.colonnade.volumes).toEqual(['data:/data']);
  expect(container.volumeMounts).toContainEqual({ name: 'data', mountPath: '/data' });
  expect(dockerfile).toMatch(/^USER 1000:1000$/m);
  expect(pod.securityContext).toMatchObject({ runAsNonRoot: true, runAsUser: 1000, fsGroup: 1000 });
  expect(dockerfile).toContain('/api/health`');
  for (const probe of ['startupProbe', 'livenessProbe', 'readinessProbe'])
    expect(container[probe].httpGet).toMatchObject({ path: '/api/health', port: 'http' });
  expect(readText('app/api/monitoring.ts')).toContain("handle('GET /api/health',");
});

it('nothing that is reached from elsewhere lets everybody in', () => {
  const composed = ['compose.yaml', 'compose.postgres.yaml', 'compose.fleet.yaml'].map(readText);
  for (const text of [dockerfile, ...composed, rendered('statefulset')])
    expect(text).not.toMatch(/COLONNADE_SINGLE_USER/);
});

it('the other control database is the one that Colonnade is sent to', () => {
  const { colonnade, postgres } = withPostgres.services;
  const { POSTGRES_USER, POSTGRES_DB, POSTGRES_PASSWORD } = postgres.environment;
  const address = `postgres://${POSTGRES_USER}:${POSTGRES_PASSWORD}@postgres/${POSTGRES_DB}?sslmode=disable`;
  expect(colonnade.environment.COLONNADE_DATABASE_URL).toBe(address);
  expect(postgres.ports).toBeUndefined();
  expect(Object.keys(colonnade.depends_on)).toEqual(['postgres']);
});

it('servers and workers for several machines share database, object store and data folder, and nothing else', () => {
  const { web1, web2, worker, postgres, store, bucket } = fleet.services;
  const all = [web1, web2, worker];
  for (const one of all) {
    expect(one).toMatchObject({ read_only: true, cap_drop: ['ALL'], volumes: ['data:/data', '/snapshots'] });
    expect(one.environment.COLONNADE_DATABASE_URL).toBe(
      withPostgres.services.colonnade.environment.COLONNADE_DATABASE_URL,
    );
    expect(one.environment.COLONNADE_SNAPSHOTS).toBe('/snapshots');
  }
  expect(dockerfile).toMatch(/^RUN install -d -o 1000 -g 1000 .*\/snapshots$/m);
  expect(all.map((one) => one.environment.COLONNADE_ROLE)).toEqual(['web', 'web', 'worker']);
  expect([worker.command, worker.deploy.replicas]).toEqual([['worker'], 3]);
  expect([web1.ports, web2.ports]).toEqual([['127.0.0.1:3000:3000'], ['127.0.0.1:3001:3000']]);
  for (const behind of [worker, postgres, store, bucket]) expect(behind.ports).toBeUndefined();
  const { COLONNADE_SNAPSHOT_STORE, COLONNADE_S3_ENDPOINT, COLONNADE_S3_SECRET_KEY } = worker.environment;
  const name = /^s3:\/\/([^/]+)/.exec(COLONNADE_SNAPSHOT_STORE)?.[1];
  expect(bucket.entrypoint.at(-1)).toContain(`store/${name};`);
  expect(COLONNADE_S3_ENDPOINT).toBe('http://store:9000');
  expect(COLONNADE_S3_SECRET_KEY).toBe(store.environment.MINIO_ROOT_PASSWORD);
});

it('a worker, which has no port, is asked by the command whether it runs', () => {
  const { worker } = fleet.services;
  const [entry] = dockerfile.match(/^ENTRYPOINT .+$/m) ?? [];
  expect(entry).toBe('ENTRYPOINT ["node", "colonnade.mjs"]');
  expect(worker.healthcheck.test).toEqual(['CMD', 'node', 'colonnade.mjs', 'worker', '--healthy']);
  expect(buildUsage()).toContain('colonnade worker --healthy');
  // The worker writes its heartbeat file to /tmp.
  expect(worker).toMatchObject({ read_only: true, tmpfs: ['/tmp'] });
});

it('containers run read-only, without capabilities', () => {
  expect(compose.services.colonnade).toMatchObject({ read_only: true, cap_drop: ['ALL'] });
  expect(container.securityContext).toMatchObject({ readOnlyRootFilesystem: true, allowPrivilegeEscalation: false });
});

it('the chart is of this version, and the service leads to the pod', () => {
  expect([chart.version, chart.appVersion, values.image.tag]).toEqual([own.version, own.version, own.version]);
  const set = strictYaml(rendered('statefulset'));
  const service = strictYaml(rendered('service'));
  expect(service.spec.selector).toEqual(set.spec.template.metadata.labels);
  expect(set.spec.selector.matchLabels).toEqual(set.spec.template.metadata.labels);
  expect(set.spec.serviceName).toBe(service.metadata.name);
  expect(set.spec.replicas).toBe(1);
});
