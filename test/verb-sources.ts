import { join, posix } from 'node:path';
import ts from 'typescript';

/** Lists what a source text imports and passes on. It is found in the syntax, so that formatting does not matter. */
export interface Reach {
  /** The file it comes from, relative to the root and without its ending. */
  path: string;
  /** The imported names as the imported file declares them. */
  names: string[];
}
export interface Reaches {
  imports: Reach[];
  /** Constructs that hide what is imported: a name computed at run time, a whole module, a name passed on. */
  hidden: string[];
}

const parse = (file: string, text: string) =>
  ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true, /x$/.test(file) ? ts.ScriptKind.TSX : ts.ScriptKind.TS);
const isExported = (node: ts.Node) =>
  ts.canHaveModifiers(node) && ts.getModifiers(node)?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword) === true;

function resolve(file: string, from: ts.Node | undefined): string | null {
  if (!from || !ts.isStringLiteralLike(from)) return null;
  const path = from.text.replace(/\.[jt]sx?$/, '');
  if (path.startsWith('@/')) return path.slice(2);
  return path.startsWith('.') ? posix.normalize(join(posix.dirname(file), path)) : '';
}

/** `within` returns whether a file is one of those that are checked. */
export function findReaches(file: string, text: string, within: (path: string) => boolean): Reaches {
  const found: Reaches = { imports: [], hidden: [] };
  const mine = new Set<string>();
  const hide = (node: ts.Node) => found.hidden.push(node.getText().replace(/\s+/g, ' ').slice(0, 200));
  const source = parse(file, text);
  const note = (node: ts.ImportDeclaration) => {
    const path = resolve(file, node.moduleSpecifier) ?? '';
    const clause = node.importClause;
    if (!within(path) || clause?.isTypeOnly) return;
    const bound = clause?.namedBindings;
    if (!clause || clause.name || !bound || !ts.isNamedImports(bound)) return void hide(node);
    const values = bound.elements.filter((one) => !one.isTypeOnly);
    found.imports.push({ path, names: values.map((one) => (one.propertyName ?? one.name).text) });
    for (const { name } of values) mine.add(name.text);
  };
  for (const node of source.statements) if (ts.isImportDeclaration(node)) note(node);
  const isMine = (node: ts.Node | undefined) => node !== undefined && ts.isIdentifier(node) && mine.has(node.text);
  const look = (node: ts.Node): void => {
    if (ts.isCallExpression(node)) {
      const calls = node.expression.kind === ts.SyntaxKind.ImportKeyword || node.expression.getText() === 'require';
      const path = calls ? resolve(file, node.arguments[0]) : '';
      // A name that cannot be read from the source may be any.
      if (calls && (path === null || within(path))) hide(node);
    }
    if (ts.isImportEqualsDeclaration(node) && ts.isExternalModuleReference(node.moduleReference)) hide(node);
    if (ts.isExportDeclaration(node) && !node.isTypeOnly) {
      const names = node.exportClause && ts.isNamedExports(node.exportClause) ? node.exportClause.elements : [];
      const from = node.moduleSpecifier && within(resolve(file, node.moduleSpecifier) ?? '');
      if (from || names.some((one) => isMine(one.propertyName ?? one.name))) hide(node);
    }
    if (ts.isExportAssignment(node) && isMine(node.expression)) hide(node);
    if (ts.isVariableStatement(node) && isExported(node))
      for (const one of node.declarationList.declarations) if (isMine(one.initializer)) hide(node);
    ts.forEachChild(node, look);
  };
  look(source);
  return found;
}

const takes = ({ parameters }: ts.SignatureDeclaration) =>
  parameters.some(({ type }) => type !== undefined && type.getText() === 'Actor');

/**
 * Returns the exported functions that take an actor, however they are written. Verbs are not included, because `verb`
 * makes them.
 */
export function takingActor(text: string): string[] {
  const found: string[] = [];
  for (const node of parse('x.ts', text).statements) {
    if (!isExported(node)) continue;
    if (ts.isFunctionDeclaration(node) && takes(node)) found.push(node.name?.text ?? 'default');
    if (!ts.isVariableStatement(node)) continue;
    for (const { name, initializer } of node.declarationList.declarations)
      if (
        initializer &&
        (ts.isArrowFunction(initializer) || ts.isFunctionExpression(initializer)) &&
        takes(initializer)
      )
        found.push(name.getText());
  }
  return found;
}
