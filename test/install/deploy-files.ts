import { readFileSync } from 'node:fs';
import { parseAllDocuments, parseDocument } from 'yaml';

const root = new URL('../../', import.meta.url);
export const readText = (file: string): string => readFileSync(new URL(file, root), 'utf8');

const STRICT = { strict: true, uniqueKeys: true, merge: true } as const;

function certain(document: ReturnType<typeof parseDocument>) {
  const doubts = [...document.errors, ...document.warnings];
  if (doubts.length > 0) throw new Error(doubts.map((doubt) => doubt.message).join('\n'));
  return document.toJS();
}

/** Parses YAML; any warning of the parser, such as a key given twice, is an error. */
export const strictYaml = (text: string) => certain(parseDocument(text, STRICT));

/** Parses a YAML file with several documents; empty ones are skipped. */
export const strictYamls = (text: string) =>
  [...parseAllDocuments(text, STRICT)].map((one) => certain(one as never)).filter((one) => one !== null);
