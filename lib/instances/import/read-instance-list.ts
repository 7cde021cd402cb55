import { CsvError, parse } from 'csv-parse/sync';
import { z } from 'zod';
import { AppError } from '@/lib/model/errors';
import { InstanceInput, Topology } from '@/lib/model/servers/instance';
import { type ListedInstance, MAX_LISTED } from '@/lib/model/servers/listed-instance';
import { parseRedisUrl } from '@/lib/model/servers/redis-url';
import { readYaml } from '@/lib/runtime/read-yaml';

/** An empty cell of a table means that the field is not given. */
const emptyToUndefined = (value: unknown) => (value === '' || value === null ? undefined : value);
const text = z.preprocess(emptyToUndefined, z.string().optional());
const texts = (separator: RegExp) =>
  z.preprocess(
    (value) =>
      typeof value === 'string'
        ? value
            .split(separator)
            .map((part) => part.trim())
            .filter(Boolean)
        : emptyToUndefined(value),
    z.array(z.string()).optional(),
  );
const yesOrNo = z.preprocess((value) => {
  const given = emptyToUndefined(value);
  if (typeof given !== 'string') return given;
  return { true: true, yes: true, '1': true, false: false, no: false, '0': false }[given.toLowerCase()] ?? given;
}, z.boolean({ error: 'write true or false' }).optional());

/** The columns of a CSV list, and the fields of an entry of a YAML list. */
const Row = z.strictObject({
  name: text,
  /** As in the form: redis://…, rediss://…, redis-sentinel://…, or host:port. */
  url: z.string({ error: 'is missing' }).trim().min(1, 'is missing'),
  username: text,
  password: text,
  topology: z.preprocess(emptyToUndefined, Topology.optional()),
  environment: text,
  tags: texts(/[;,]/),
  /** Announced addresses that may also be connected to, such as `10.0.0.0/24`. */
  destinations: texts(/[;,\s]/),
  owner: text,
  production: yesOrNo,
  readOnly: yesOrNo,
});
const COLUMNS = Object.keys(Row.shape);

/** `input`: null if there is a problem. */
export interface ReadInstance {
  listed: ListedInstance;
  input: InstanceInput | null;
}

const createListError = (message: string) => new AppError('bad_request', message, { field: 'text' });

/**
 * Reads a list of instances: CSV with a header, or a YAML list with the same fields. A wrong row has its `problem`, so
 * that all of them are seen at once. Messages never quote a cell, because it may be a password. Throws `bad_request` if
 * the text is no such list.
 */
export function readInstanceList(list: string): ReadInstance[] {
  const rows = looksLikeYaml(list) ? readYamlRows(list) : readCsvRows(list);
  if (rows.length === 0) throw createListError('The list is empty.');
  if (rows.length > MAX_LISTED) throw createListError(`The list has ${rows.length} instances; at most ${MAX_LISTED}.`);
  const read = rows.map(readRow);
  const names = new Map<string, number>();
  for (const { listed } of read) {
    const name = listed.name.toLowerCase();
    names.set(name, (names.get(name) ?? 0) + 1);
  }
  return read.map((one) =>
    one.input !== null && names.get(one.listed.name.toLowerCase())! > 1
      ? { listed: { ...one.listed, problem: 'The list has this name more than once.' }, input: null }
      : one,
  );
}

/** A list in YAML begins with `-` or, as JSON, with `[`; a header of CSV does not. */
const looksLikeYaml = (list: string) => /^\s*(?:#[^\n]*\n\s*|---\s+)*[-[]/.test(list);

function readYamlRows(list: string): unknown[] {
  const { value, problems } = readYaml(list);
  const [first] = problems;
  if (first) {
    const place = first.line === null ? '' : ` in line ${first.line}`;
    throw createListError(`The list is not valid YAML${place}${first.code === null ? `: ${first.message}` : '.'}`);
  }
  if (!Array.isArray(value)) throw createListError('A YAML list begins each instance with "- ".');
  return value;
}

function readCsvRows(list: string): unknown[] {
  try {
    const rows = parse(list, { bom: true, columns: checkHeader, skip_empty_lines: true, trim: true });
    return rows as unknown[];
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    throw createListError(
      `The list is not valid CSV (line ${error.lines}): ${CSV_PROBLEMS[error.code] ?? error.code}.`,
    );
  }
}

/** The messages of the parser quote the line, which may have a password. */
const CSV_PROBLEMS: Record<string, string> = {
  CSV_RECORD_INCONSISTENT_COLUMNS: 'it has another number of cells than the header',
  CSV_QUOTE_NOT_CLOSED: 'a quote is not closed',
  CSV_INVALID_CLOSING_QUOTE: 'text follows a closing quote',
  INVALID_OPENING_QUOTE: 'a quote begins within a cell',
};

function checkHeader(header: string[]): string[] {
  const names = header.map(
    (name) => COLUMNS.find((known) => known.toLowerCase() === name.trim().toLowerCase()) ?? name,
  );
  const unknown = names.find((name) => !COLUMNS.includes(name));
  if (unknown !== undefined || !names.includes('url'))
    throw createListError(
      `The first line of a CSV list names its columns, at least url. Known are: ${COLUMNS.join(', ')}.`,
    );
  return names;
}

function readRow(row: unknown): ReadInstance {
  const parsed = Row.safeParse(row);
  const given = (typeof row === 'object' && row !== null ? row : {}) as Record<string, unknown>;
  const listed: ListedInstance = {
    name: typeof given.name === 'string' ? given.name.trim() : '',
    address: null,
    topology: null,
    environment: '',
    tags: [],
    owner: '',
    production: false,
    readOnly: true,
    problem: null,
  };
  if (!parsed.success) return { listed: { ...listed, problem: describeIssue(parsed.error) }, input: null };
  const { url: address, username, password, topology: chosen, ...settings } = parsed.data;
  try {
    const url = parseRedisUrl(address);
    const endpoints = url.endpoints.map(({ host, port }) => `${host.includes(':') ? `[${host}]` : host}:${port}`);
    const topology = url.topology ?? chosen ?? (endpoints.length > 1 ? 'cluster' : 'standalone');
    const name = settings.name?.trim() || url.sentinelName || endpoints[0]!;
    const input = InstanceInput.safeParse({
      ...Object.fromEntries(Object.entries(settings).filter(([, value]) => value !== undefined)),
      name,
      topology,
      endpoints: url.endpoints,
      sentinelName: url.sentinelName,
      username: username ?? url.username,
      tls: { enabled: url.tls },
      databases: url.database === null || url.database === 0 ? null : [url.database],
      secrets: { password: password ?? url.password },
    });
    const { environment = '', tags = [], owner = '', production = false, readOnly = true } = settings;
    const shown = {
      ...listed,
      name,
      address: endpoints.join(','),
      topology,
      environment,
      tags,
      owner,
      production,
      readOnly,
    };
    if (!input.success) return { listed: { ...shown, problem: describeIssue(input.error) }, input: null };
    return { listed: shown, input: input.data };
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return { listed: { ...listed, problem: 'url: it is neither a Redis URL nor host:port.' }, input: null };
  }
}

function describeIssue(error: z.ZodError): string {
  const [issue] = error.issues;
  if (issue?.code === 'unrecognized_keys')
    return `${issue.keys.join(', ')}: unknown. Known are: ${COLUMNS.join(', ')}.`;
  return `${issue?.path.join('.') || 'This entry'}: ${issue?.message ?? 'is not valid'}.`;
}
