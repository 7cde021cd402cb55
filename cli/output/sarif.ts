/**
 * SARIF 2.1.0, the format in which pipelines and code hosts accept findings. A name in a file is a physical location. A
 * keyspace has no file, so it is a logical location with its figures as properties. Code hosts refuse a whole document
 * because of one result without a file and a line, so the instance is also given as if it were a file.
 */
import { isAbsolute } from 'node:path';
import { pathToFileURL } from 'node:url';
import { safe } from '@/cli/units';
import type { FindingsReport } from '@/lib/model/rules/findings';
import type { RuleInfo, Strength } from '@/lib/model/rules/rules';
import type { SnapshotManifest } from '@/lib/model/snapshots/snapshot';
import { formatKeyspacePart } from './partial-text';

export const LEVEL: Record<Strength, 'error' | 'warning' | 'note'> = {
  mandatory: 'error',
  recommended: 'warning',
  advice: 'note',
};

interface SarifResult {
  rule: string;
  /** Title of a custom rule; null or absent: a rule of the catalogue. */
  title?: string | null;
  strength: Strength;
  message: string;
  file?: { path: string; line: number };
  logical?: string;
  properties?: Record<string, unknown>;
}

/**
 * The beginning of a document. Documents are written in three pieces (head, one line per result, end), so that a
 * million results need not be in memory.
 */
export const SARIF_HEAD =
  '{"version":"2.1.0","$schema":"https://json.schemastore.org/sarif-2.1.0.json","runs":[{"columnKind":"unicodeCodePoints","results":[\n';

export const formatSarifResults = (results: readonly SarifResult[]) =>
  results.map((result) => JSON.stringify(toResult(result))).join(',\n');

/** `used`: the rules in the results, with the titles of custom rules, which no catalogue has. */
export function formatSarifEnd(
  rules: readonly RuleInfo[],
  used: ReadonlyMap<string, string | null>,
  properties: Record<string, string> | null = null,
): string {
  const known = new Set(rules.map((rule) => rule.id));
  const driver = {
    name: 'colonnade',
    rules: [
      ...rules
        .filter((rule) => used.has(rule.id))
        .map((rule) => ({
          id: rule.id,
          shortDescription: { text: rule.text.en.title },
          fullDescription: { text: rule.text.en.why },
          help: { text: rule.text.en.fix },
          properties: { sources: rule.sources.map(({ standard, strength }) => `${standard} ${strength}`) },
        })),
      ...[...used]
        .filter(([id]) => !known.has(id))
        .map(([id, title]) => {
          const text = { text: safe(title ?? id) };
          return { id, shortDescription: text, fullDescription: text, help: text };
        }),
    ],
  };
  const about = properties === null ? '' : `,"properties":${JSON.stringify(properties)}`;
  return `\n],"tool":${JSON.stringify({ driver })}${about}}]}\n`;
}

/** A location must be a URI: of an absolute path on this machine, or relative to the working directory. */
const toUri = (file: string) =>
  isAbsolute(file) ? pathToFileURL(file).href : file.split('/').map(encodeURIComponent).join('/');

function toResult(result: SarifResult) {
  const location = {
    ...(result.file && {
      physicalLocation: { artifactLocation: { uri: toUri(result.file.path) }, region: { startLine: result.file.line } },
    }),
    ...(result.logical !== undefined && {
      logicalLocations: [{ fullyQualifiedName: safe(result.logical), kind: 'namespace' }],
    }),
  };
  return {
    ruleId: result.rule,
    level: LEVEL[result.strength],
    message: { text: result.message },
    locations: Object.keys(location).length > 0 ? [location] : [],
    ...(result.properties && { properties: result.properties }),
  };
}

/** The findings of a scan, with one result per violated rule. */
export function formatFindingsSarif(
  manifest: SnapshotManifest,
  report: FindingsReport,
  rules: readonly RuleInfo[],
): string {
  const titles = new Map(rules.map((rule) => [rule.id, rule.text.en.title]));
  const part = formatKeyspacePart(manifest);
  const results: SarifResult[] = report.rules
    .filter((finding) => finding.status === 'violated')
    .map((finding) => ({
      rule: finding.rule,
      title: finding.title,
      strength: finding.strength,
      message: [
        safe(finding.title ?? titles.get(finding.rule) ?? finding.rule),
        finding.keys === null ? null : `${finding.keys} keys`,
        finding.example === null ? null : `for example ${safe(finding.example.name)}`,
      ]
        .filter((part) => part !== null)
        .join(': '),
      file: { path: manifest.instanceName.replaceAll('/', '_'), line: 1 },
      logical: manifest.instanceName,
      properties: {
        keys: finding.keys,
        bytes: finding.bytes,
        groups: finding.groups,
        unknownKeys: finding.unknownKeys,
        exemptKeys: finding.exemptKeys,
      },
    }));
  const used = new Map(results.map((result) => [result.rule, result.title ?? null]));
  return (
    SARIF_HEAD +
    formatSarifResults(results) +
    formatSarifEnd(rules, used, part === null ? null : { partOfTheKeyspace: part })
  );
}
