import ts from 'typescript';

export interface Comment {
  start: number;
  end: number;
}

/**
 * Returns every comment of a file, found by the parser, so that a string or a template that looks like a comment is not
 * one.
 */
export function findComments(file: string, text: string): Comment[] {
  const kind = file.endsWith('x') ? ts.ScriptKind.TSX : ts.ScriptKind.TS;
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true, kind);
  const found = new Map<number, Comment>();
  const add = (ranges: ts.CommentRange[] | undefined) => {
    for (const { pos, end } of ranges ?? []) found.set(pos, { start: pos, end });
  };
  const visit = (node: ts.Node): void => {
    if (ts.isJsxText(node)) return;
    const children = node.getChildren(source);
    if (children.length > 0) for (const child of children) visit(child);
    else {
      add(ts.getLeadingCommentRanges(text, node.getFullStart()));
      // Text after a tag is text of the page, not code.
      if (!ts.isJsxElement(node.parent.parent ?? node)) add(ts.getTrailingCommentRanges(text, node.getEnd()));
    }
  };
  visit(source);
  return [...found.values()].sort((a, b) => a.start - b.start);
}
