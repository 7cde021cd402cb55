import { describe, expect, it } from 'vitest';
import { readText, strictYaml, strictYamls } from './deploy-files';
import { renderTemplate } from './render-template';

/**
 * Checks the chart for several processes against the one for a single process and against the settings that the program
 * reads.
 */
const CHART = 'deploy/helm/colonnade-fleet';
const own = JSON.parse(readText('package.json'));
const values = strictYaml(readText(`${CHART}/values.yaml`));
const chart = strictYaml(readText(`${CHART}/Chart.yaml`));
const single = strictYaml(
  renderTemplate(readText('deploy/helm/colonnade/templates/statefulset.yaml'), {
    Values: strictYaml(readText('deploy/helm/colonnade/values.yaml')),
    Release: { Name: 'try' },
  }),
).spec.template.spec;

interface Env {
  name: string;
  value?: string;
  valueFrom?: unknown;
}
function render(change: (given: typeof values) => void = () => {}) {
  const changed = structuredClone(values);
  change(changed);
  const all = ['web', 'workers', 'service', 'data'].flatMap((name) =>
    strictYamls(
      renderTemplate(readText(`${CHART}/templates/${name}.yaml`), { Values: changed, Release: { Name: 'try' } }),
    ),
  );
  const [web, ...more] = all;
  const workers = more.filter(({ kind }) => kind === 'StatefulSet');
  const [service, headless] = more.filter(({ kind }) => kind === 'Service');
  const [claim] = more.filter(({ kind }) => kind === 'PersistentVolumeClaim');
  return { all, web, workers, service, headless, claim };
}
const getPod = (set: { spec: { template: { spec: typeof single } } }) => set.spec.template.spec;
const getEnv = (set: Parameters<typeof getPod>[0]): Record<string, unknown> =>
  Object.fromEntries(
    getPod(set).containers[0].env.map(({ name, value, valueFrom }: Env) => [name, value ?? valueFrom]),
  );

describe('with the values it comes with', () => {
  const { all, web, workers, service, headless, claim } = render();
  const [worker] = workers;

  it('has servers, workers, their services and one claim, of this version', () => {
    expect(all.map(({ kind, metadata }) => `${kind} ${metadata.name}`)).toEqual([
      'Deployment try-web',
      'StatefulSet try-worker-default',
      'Service try',
      'Service try-workers',
      'PersistentVolumeClaim try-data',
    ]);
    expect([chart.version, chart.appVersion, values.image.tag]).toEqual(Array(3).fill(own.version));
    expect([web.spec.replicas, worker.spec.replicas]).toEqual([2, 2]);
  });

  it('leads the service to servers alone, and each set to its own pods', () => {
    for (const set of [web, worker]) expect(set.spec.selector.matchLabels).toEqual(set.spec.template.metadata.labels);
    expect(web.spec.template.metadata.labels).toEqual(service.spec.selector);
    expect(worker.spec.template.metadata.labels).toMatchObject(headless.spec.selector);
    expect(worker.spec.template.metadata.labels).not.toMatchObject(service.spec.selector);
    expect([headless.spec.clusterIP, worker.spec.serviceName]).toEqual(['None', headless.metadata.name]);
    expect(service.spec.ports).toEqual([{ name: 'http', port: 3000, targetPort: 'http' }]);
  });

  it('runs each as the chart of a single process does', () => {
    for (const set of [web, worker]) {
      const { securityContext, automountServiceAccountToken, enableServiceLinks, ...pod } = getPod(set);
      expect(securityContext).toEqual(single.securityContext);
      expect([automountServiceAccountToken, enableServiceLinks]).toEqual([false, false]);
      expect(pod.terminationGracePeriodSeconds).toBe(single.terminationGracePeriodSeconds);
      expect(pod.containers[0].securityContext).toEqual(single.containers[0].securityContext);
    }
    const [served] = getPod(web).containers;
    expect(served.ports).toEqual(single.containers[0].ports);
    for (const probe of ['livenessProbe', 'readinessProbe']) expect(served[probe]).toEqual(single.containers[0][probe]);
    expect(served.startupProbe.httpGet).toEqual(single.containers[0].startupProbe.httpGet);
    expect(getPod(worker).containers[0]).toMatchObject({ args: ['worker'] });
    const [works] = getPod(worker).containers;
    expect(works).not.toHaveProperty('ports');
    for (const probe of ['startupProbe', 'livenessProbe'])
      expect(works[probe].exec).toEqual({ command: ['node', 'colonnade.mjs', 'worker', '--healthy'] });
    expect(works.startupProbe.periodSeconds * works.startupProbe.failureThreshold).toBe(
      served.startupProbe.periodSeconds * served.startupProbe.failureThreshold,
    );
    expect(works.volumeMounts).toContainEqual({ name: 'tmp', mountPath: '/tmp' });
  });

  it('shares the folder and a database that a Secret names', () => {
    expect(claim.spec).toEqual({ accessModes: ['ReadWriteMany'], resources: { requests: { storage: '10Gi' } } });
    expect(claim.metadata.annotations).toEqual({ 'helm.sh/resource-policy': 'keep' });
    const secret = { secretKeyRef: { name: 'colonnade-settings', key: 'COLONNADE_DATABASE_URL' } };
    for (const set of [web, worker]) {
      expect(getPod(set).volumes).toContainEqual({
        name: 'data',
        persistentVolumeClaim: { claimName: claim.metadata.name },
      });
      expect(getPod(set).containers[0].volumeMounts).toEqual(single.containers[0].volumeMounts);
      expect(getPod(set).containers[0].envFrom).toEqual([{ secretRef: { name: 'colonnade-settings' } }]);
      expect(getEnv(set).COLONNADE_DATABASE_URL).toEqual(secret);
      expect(Object.keys(getEnv(set)).filter((name) => /S3|SNAPSHOT|SINGLE_USER/.test(name))).toEqual([]);
    }
    expect([getEnv(web).COLONNADE_ROLE, getEnv(worker).COLONNADE_ROLE]).toEqual(['web', 'worker']);
  });
});

it('with an object store each has a disk of its own for snapshots, which of a worker outlives its pod', () => {
  const { web, workers } = render((given) => {
    given.snapshots = { ...given.snapshots, store: 's3://bucket/colonnade', endpoint: 'https://minio.example.com' };
  });
  for (const set of [web, ...workers]) {
    expect(getEnv(set)).toMatchObject({
      COLONNADE_SNAPSHOT_STORE: 's3://bucket/colonnade',
      COLONNADE_S3_ENDPOINT: 'https://minio.example.com',
      COLONNADE_SNAPSHOTS: '/snapshots',
      COLONNADE_SNAPSHOT_CACHE_MB: '16384',
    });
    expect(getPod(set).containers[0].volumeMounts).toContainEqual({ name: 'snapshots', mountPath: '/snapshots' });
  }
  expect(getPod(web).volumes).toContainEqual({ name: 'snapshots', emptyDir: {} });
  expect(workers[0].spec.volumeClaimTemplates).toMatchObject([
    { metadata: { name: 'snapshots' }, spec: { accessModes: ['ReadWriteOnce'] } },
  ]);
});

it('every pool has its own workers with its own labels', () => {
  const { workers } = render((given) => {
    given.worker.pools = { eu: { replicas: 3, labels: 'eu,dmz' }, any: { replicas: 1, labels: '' } };
  });
  expect(workers.map((one) => [one.metadata.name, one.spec.replicas, getEnv(one).COLONNADE_WORKER_LABELS])).toEqual([
    ['try-worker-any', 1, ''],
    ['try-worker-eu', 3, 'eu,dmz'],
  ]);
  expect(new Set(workers.map((one) => JSON.stringify(one.spec.selector))).size).toBe(2);
});

it('a class of storage is named where one is given', () => {
  expect(render((given) => Object.assign(given.data, { storageClass: 'nfs' })).claim.spec.storageClassName).toBe('nfs');
});

it('every setting it names is in the table of the README', () => {
  const known = new Set(readText('README.md').match(/(?<=`)COLONNADE_[A-Z0-9_]+(?=`)/g));
  const texts = ['values', 'templates/web', 'templates/workers'].map((name) => readText(`${CHART}/${name}.yaml`));
  const named = texts.flatMap((text) => text.match(/\bCOLONNADE_[A-Z0-9_]+\b/g) ?? []);
  expect(named.length).toBeGreaterThan(10);
  // COLONNADE_PORT is a variable of the service links, which are turned off.
  expect(named.filter((name) => name !== 'COLONNADE_PORT' && !known.has(name))).toEqual([]);
});
