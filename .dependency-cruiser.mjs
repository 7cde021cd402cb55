/**
 * The import plan of architecture.mjs, turned into rules. Tests and benches may import anything, because they
 * compare with the real thing; product code may never import them.
 */
import { folders, inside, packages } from './architecture.mjs';

const OURS = '^(app|components|lib|cli|messages|instrumentation|proxy|test|e2e|bench|scripts)(/|[.])';
const TESTS = '([.](test|itest|spec|bench)[.]tsx?$)|^(test|e2e|bench|scripts)/';
const literal = (text) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

/**
 * `lib/runtime/config` is lib/runtime/config.ts or lib/config/…; `components/*` is any folder of components that has no line of its
 * own.
 */
const namedComponents = Object.keys(folders).filter(
  (name) => name.startsWith('components/') && name !== 'components/*',
);
function toPattern(folder) {
  if (folder !== 'components/*') return `^${literal(folder)}(/|[.])`;
  const named = namedComponents.map((name) => `${literal(name.slice('components/'.length))}/`).join('|');
  return `^components/(?!${named})([^/]+)/`;
}

const folderRules = Object.entries(folders).map(([folder, mayImport]) => ({
  name: `folder ${folder}`,
  comment: `${folder} may import ${mayImport.join(', ') || 'nothing of ours'}`,
  severity: 'error',
  from: { path: toPattern(folder), pathNot: TESTS },
  to: {
    path: OURS,
    // A folder of components may import itself, not its neighbour.
    pathNot: [folder === 'components/*' ? '^components/$1/' : toPattern(folder), ...mayImport.map(toPattern)],
  },
}));

/** '.' are the files directly in the folder. */
const patternIn = (folder, name) =>
  name === '.' ? `^${literal(folder)}/[^/]+$` : `^${literal(folder)}/${literal(name)}/`;

const insideRules = Object.entries(inside).flatMap(([folder, plan]) =>
  Object.entries(plan).map(([name, mayImport]) => ({
    name: `folder ${folder}/${name}`,
    comment: `${folder}/${name} may import ${mayImport.join(', ') || 'nothing'} of ${folder}`,
    severity: 'error',
    from: { path: patternIn(folder, name), pathNot: TESTS },
    to: { path: `^${literal(folder)}/`, pathNot: [name, ...mayImport].map((each) => patternIn(folder, each)) },
  })),
);

const packageRules = Object.entries(packages).map(([packageName, importers]) => ({
  name: `package ${packageName}`,
  comment: `only ${importers.join(', ')} may import ${packageName}`,
  severity: 'error',
  from: { path: OURS, pathNot: [TESTS, ...importers.map((folder) => `^${literal(folder)}(/|[.])`)] },
  to: { path: `(^|/)node_modules/${literal(packageName)}(/|$)` },
}));

/** @type {import('dependency-cruiser').IConfiguration} */
export default {
  forbidden: [
    ...folderRules,
    ...insideRules,
    ...packageRules,
    {
      name: 'shapes import only zod',
      severity: 'error',
      from: { path: '^lib/model/', pathNot: TESTS },
      to: { dependencyTypes: ['npm', 'npm-dev', 'core'], pathNot: 'node_modules/zod/' },
    },
    {
      name: 'no cycle',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    {
      name: 'not found',
      severity: 'error',
      // next-env.d.ts points at types that only a build writes.
      from: { pathNot: '^next-env[.]d[.]ts$' },
      to: { couldNotResolve: true },
    },
    {
      name: 'clients import only types of the routes',
      severity: 'error',
      from: { path: '^(components|cli)/', pathNot: TESTS },
      to: { path: '^app/', dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'product code imports no test',
      severity: 'error',
      from: { path: '^(app|components|lib|cli|instrumentation|proxy)(/|[.])', pathNot: TESTS },
      to: { path: TESTS },
    },
    {
      name: 'product code imports no development dependency',
      severity: 'error',
      from: { path: '^(app|components|lib|cli|instrumentation|proxy)(/|[.])', pathNot: TESTS },
      to: { dependencyTypes: ['npm-dev'], dependencyTypesNot: ['type-only'] },
    },
  ],
  options: {
    tsConfig: { fileName: 'tsconfig.json' },
    tsPreCompilationDeps: true,
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '^([.]next|[.]demo|data|dist|test-results)/' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'require', 'node', 'default', 'types'],
      extensions: ['.ts', '.tsx', '.mjs', '.js', '.json', '.d.ts'],
    },
  },
};
