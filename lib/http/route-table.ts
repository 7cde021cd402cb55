import type { Route } from './handle';

/** The routes of one path by method, and the decoded values of the parts in braces, in the order of the path. */
interface FoundPath {
  methods: ReadonlyMap<string, Route>;
  values: readonly string[];
}
export interface RouteTable {
  /** `pathname` is that of a URL, with its escapes. */
  find(pathname: string): FoundPath | null;
}

/** One place in the tree of paths: what may follow after the next slash. */
interface Branch {
  literals: Map<string, Branch>;
  part: Branch | null;
  methods: Map<string, Route>;
}
const createBranch = (): Branch => ({ literals: new Map(), part: null, methods: new Map() });

/**
 * Makes a tree of all paths, in which a request finds its route by one step per segment. A literal segment matches as
 * it is written and comes before a part in braces, which matches any segment that is not empty.
 */
export function buildRouteTable(routes: readonly Route[]): RouteTable {
  const root = createBranch();
  for (const route of routes) addRoute(root, route);
  return { find: (pathname) => findBelow(root, splitPath(pathname), []) };
}

const splitPath = (pathname: string): string[] => pathname.replace(/\/$/, '').split('/').slice(1);

function addRoute(root: Branch, route: Route): void {
  let branch = root;
  for (const segment of splitPath(route.path)) {
    const next = (segment.startsWith('{') ? branch.part : branch.literals.get(segment)) ?? createBranch();
    if (segment.startsWith('{')) branch.part = next;
    else branch.literals.set(segment, next);
    branch = next;
  }
  if (branch.methods.has(route.method)) throw new Error(`${route.method} ${route.path} is there twice.`);
  branch.methods.set(route.method, route);
  if (route.method === 'GET') branch.methods.set('HEAD', route);
}

function findBelow(branch: Branch, [segment, ...rest]: readonly string[], values: readonly string[]): FoundPath | null {
  if (segment === undefined) return branch.methods.size > 0 ? { methods: branch.methods, values } : null;
  const literal = branch.literals.get(segment);
  const found = literal ? findBelow(literal, rest, values) : null;
  if (found || !branch.part) return found;
  const value = decodeSegment(segment);
  return value === '' ? null : findBelow(branch.part, rest, [...values, value]);
}

/** Returns nothing for a segment with an invalid percent escape. */
function decodeSegment(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return '';
  }
}
