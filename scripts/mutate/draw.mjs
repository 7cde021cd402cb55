/** Draws places of product code where a small mistake could be, each with the code that replaces it. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { root } from '../run.mjs';
import { Chance } from '../seed/chance.mjs';

const AREAS = {
  scan: ['lib/redis/scan', 'lib/scans'],
  drain: ['lib/redis/drain', 'lib/redis/write', 'lib/deletions/executor', 'lib/deletions/steps'],
  restore: ['lib/redis/restore', 'lib/deletions/undo', 'lib/deletions/journal'],
  plan: ['lib/deletions/plan', 'lib/deletions/approval', 'lib/deletions/batches'],
  filter: ['lib/snapshots/key-query', 'lib/snapshots/query', 'lib/snapshots/reports'],
  rules: ['lib/rules', 'lib/rules/findings'],
};
const FLIPPED = {
  '<': '<=',
  '<=': '<',
  '>': '>=',
  '>=': '>',
  '===': '!==',
  '!==': '===',
  '&&': '||',
  '||': '&&',
  '-': '+',
  '*': '/',
};
const IN_SQL = [
  [' >= ', ' > '],
  [' <= ', ' < '],
  [' AND ', ' OR '],
  [' OR ', ' AND '],
];

/** Returns every place of a file that can be mutated: the original code and its replacement. */
function findMutations(file) {
  const text = readFileSync(join(root, file), 'utf8');
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  const found = [];
  const add = (node, kind, instead) =>
    found.push({
      file,
      kind,
      line: source.getLineAndCharacterOfPosition(node.getStart()).line + 1,
      start: node.getStart(),
      end: node.getEnd(),
      instead,
    });
  const visit = (node) => {
    if (ts.isTypeNode(node) || ts.isImportDeclaration(node) || ts.isEnumDeclaration(node)) return;
    if (ts.isBinaryExpression(node)) {
      const operator = node.operatorToken.getText();
      if (FLIPPED[operator])
        add(
          node,
          `${operator} to ${FLIPPED[operator]}`,
          `${node.left.getText()} ${FLIPPED[operator]} ${node.right.getText()}`,
        );
    }
    const condition = ts.isIfStatement(node)
      ? node.expression
      : ts.isConditionalExpression(node)
        ? node.condition
        : null;
    if (condition) add(condition, 'condition negated', `!(${condition.getText()})`);
    const returned =
      ts.isReturnStatement(node) || (ts.isArrowFunction(node) && !ts.isBlock(node.body))
        ? (node.expression ?? node.body)
        : null;
    if (returned) add(returned, 'return emptied', 'undefined');
    if (ts.isTemplateExpression(node) || ts.isStringLiteral(node) || ts.isNoSubstitutionTemplateLiteral(node))
      for (const [from, to] of IN_SQL)
        if (node.getText().includes(from)) add(node, `SQL${from}to${to}`.trimEnd(), node.getText().replace(from, to));
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

/** Draws the same number of mutations from each area; none is inside another one. The same seed draws the same ones. */
export function draw(count, seed) {
  const chance = new Chance(seed);
  const drawn = [];
  for (const [area, folders] of Object.entries(AREAS)) {
    const files = folders
      .flatMap((folder) => readdirSync(join(root, folder), { recursive: true }).map((name) => `${folder}/${name}`))
      .filter((file) => file.endsWith('.ts') && !/\.i?test\.ts$/.test(file));
    const candidates = files.sort().flatMap(findMutations);
    const wanted = Math.ceil(count / Object.keys(AREAS).length);
    for (let taken = 0; taken < wanted; ) {
      const mutation = chance.pick(candidates);
      if (drawn.some(({ file, start, end }) => file === mutation.file && start < mutation.end && mutation.start < end))
        continue;
      drawn.push({ area, ...mutation });
      taken++;
    }
  }
  return drawn.slice(0, count).map((mutation, n) => ({ n, ...mutation }));
}
