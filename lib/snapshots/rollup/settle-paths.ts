/**
 * The paths by which a roll-up is kept: names as the tree shows them. If a level has more than FOLD_ABOVE different ids
 * of a form, they are folded; otherwise they are kept as they are. A level with more than MAX_CHILDREN children is
 * wide: everything below it is one path that ends with CUT.
 *
 * Each range of a snapshot adds its own paths, with more literal ids than remain over all ranges. The order in which
 * paths are added does not matter: the same paths always settle in the same way.
 */

import { foldSegment } from '@/lib/model/names/fold-segment';
import { splitPieces } from '@/lib/model/names/written-segment';
import { joinPieceTexts } from '@/lib/snapshots/key-query/folded-path';

export const FOLD_ABOVE = 20;
export const MAX_CHILDREN = 2000;
/** Maximum number of paths on all levels together. If there are more, the widest levels are cut. */
const MAX_PATHS = 20_000;
/** Maximum number of segments, the same as in the tree. */
const MAX_DEPTH = 64;
/** Last segment of a path that is cut. No name contains it, because control characters are shown as \xHH. */
export const CUT = '\u0001';

interface Node {
  children: Map<string, Node>;
  /** True if names end at this node. */
  ends: boolean;
  cut: boolean;
}
const createNode = (): Node => ({ children: new Map(), ends: false, cut: false });

/** Returns the text that a written segment without ids stands for; null for a folded one. */
export function toLiteral(written: string): string | null {
  const pieces = splitPieces(written);
  return pieces.some((piece) => 'kind' in piece) ? null : joinPieceTexts(pieces);
}

/** Returns the form that a written segment folds to; null for a word and for a segment that is folded already. */
const toForm = (written: string): string | null => {
  const text = toLiteral(written);
  return text === null ? null : foldSegment(text);
};

export class SettledPaths {
  private readonly root = createNode();

  add(path: string): void {
    let node = this.root;
    const crowded: Node[] = [];
    for (const [depth, segment] of path.split(':', MAX_DEPTH + 1).entries()) {
      if (segment === CUT || depth === MAX_DEPTH) cut(node);
      if (node.cut) break;
      let child = node.children.get(segment);
      if (!child) {
        child = createNode();
        node.children.set(segment, child);
        if (node.children.size > 2 * MAX_CHILDREN) crowded.push(node);
      }
      node = child;
    }
    if (!node.cut) node.ends = true;
    // Settle crowded levels early, so that memory is bounded. Do it only after the whole path was added, because
    // settling may take the nodes on its way out of the tree.
    for (const level of crowded.reverse()) settleLevel(level);
  }

  /** Call this once, after all paths were added. */
  settle(): void {
    settleBelow(this.root);
    while (countPaths(this.root) > MAX_PATHS) cutWidest(this.root);
  }

  /** Returns what a path that was added has become. */
  getSettled(path: string): string {
    let node = this.root;
    const settled: string[] = [];
    for (const segment of path.split(':')) {
      if (node.cut) return [...settled, CUT].join(':');
      const known = node.children.has(segment) ? segment : toForm(segment);
      settled.push(known!);
      node = node.children.get(known!)!;
    }
    return settled.join(':');
  }
}

function settleBelow(node: Node): void {
  settleLevel(node);
  for (const child of node.children.values()) settleBelow(child);
}

function settleLevel(node: Node): void {
  const forms = new Map<string, string[]>();
  for (const segment of node.children.keys()) {
    const form = toForm(segment);
    if (form !== null) forms.set(form, [...(forms.get(form) ?? []), segment]);
  }
  for (const [form, segments] of forms) {
    const folded = node.children.get(form);
    if (!folded && segments.length <= FOLD_ABOVE) continue;
    const into = folded ?? createNode();
    node.children.set(form, into);
    for (const segment of segments) {
      mergeInto(into, node.children.get(segment)!);
      node.children.delete(segment);
    }
  }
  if (node.children.size > MAX_CHILDREN) cut(node);
}

function cut(node: Node): void {
  node.cut = true;
  node.children.clear();
}

function mergeInto(into: Node, from: Node): void {
  into.ends ||= from.ends;
  if (from.cut) cut(into);
  if (into.cut) return;
  for (const [segment, child] of from.children) {
    const known = into.children.get(segment);
    if (known) mergeInto(known, child);
    else into.children.set(segment, child);
  }
}

function countPaths(node: Node): number {
  let count = node.ends || node.cut ? 1 : 0;
  for (const child of node.children.values()) count += countPaths(child);
  return count;
}

function cutWidest(root: Node): void {
  let widest = root;
  const visit = (node: Node) => {
    if (node.children.size > widest.children.size) widest = node;
    for (const child of node.children.values()) visit(child);
  };
  visit(root);
  cut(widest);
}
