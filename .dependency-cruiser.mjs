/**
 * The import plan of architecture.mjs, turned into rules. Tests and benches may look behind the doors (they compare
 * with the real thing), product code may never import them.
 */
import { doors, rooms, subRooms } from './architecture.mjs';

const OURS = '^(app|components|lib|cli|messages|instrumentation|proxy|test|e2e|bench|scripts)(/|[.])';
const TESTS = '([.](test|itest|spec|bench)[.]tsx?$)|^(test|e2e|bench|scripts)/';
const literal = (text) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

/**
 * `lib/config` is lib/config.ts or lib/config/…; `components/*` is any folder of components that has no line of its
 * own.
 */
const namedComponents = Object.keys(rooms).filter((room) => room.startsWith('components/') && room !== 'components/*');
function placeOf(room) {
  if (room !== 'components/*') return `^${literal(room)}(/|[.])`;
  const named = namedComponents.map((name) => `${literal(name.slice('components/'.length))}/`).join('|');
  return `^components/(?!${named})([^/]+)/`;
}

const roomRules = Object.entries(rooms).map(([room, mayImport]) => ({
  name: `room ${room}`,
  comment: `${room} may import ${mayImport.join(', ') || 'nothing of ours'}`,
  severity: 'error',
  from: { path: placeOf(room), pathNot: TESTS },
  to: {
    path: OURS,
    // A domain folder of components may import itself, not its neighbour.
    pathNot: [room === 'components/*' ? '^components/$1/' : placeOf(room), ...mayImport.map(placeOf)],
  },
}));

/** '.' are the files directly in the house. */
const placeIn = (house, room) => (room === '.' ? `^${literal(house)}/[^/]+$` : `^${literal(house)}/${literal(room)}/`);

const subRoomRules = Object.entries(subRooms).flatMap(([house, inside]) =>
  Object.entries(inside).map(([room, mayImport]) => ({
    name: `room ${house}/${room}`,
    comment: `${house}/${room} may import ${mayImport.join(', ') || 'nothing'} of ${house}`,
    severity: 'error',
    from: { path: placeIn(house, room), pathNot: TESTS },
    to: { path: `^${literal(house)}/`, pathNot: [room, ...mayImport].map((each) => placeIn(house, each)) },
  })),
);

const doorRules = Object.entries(doors).map(([packageName, folders]) => ({
  name: `door ${packageName}`,
  comment: `${packageName} comes in through ${folders.join(', ')} only`,
  severity: 'error',
  from: { path: OURS, pathNot: [TESTS, ...folders.map((folder) => `^${literal(folder)}(/|[.])`)] },
  to: { path: `(^|/)node_modules/${literal(packageName)}(/|$)` },
}));

/** @type {import('dependency-cruiser').IConfiguration} */
export default {
  forbidden: [
    ...roomRules,
    ...subRoomRules,
    ...doorRules,
    {
      name: 'nouns import only zod',
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
