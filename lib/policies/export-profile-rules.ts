import { verb } from '@/lib/access/auth/verb';
import { own } from '@/lib/access/auth/verb-scopes';
import type { Actor } from '@/lib/model/actor';
import type { DownloadFile } from '@/lib/model/download-file';
import type { FileShape } from '@/lib/model/reports/file-formats';
import { type Column, tableOf } from '@/lib/model/reports/table';
import type { CustomRule, ProfileBody } from '@/lib/model/rules/policy';
import type { RuleInfo } from '@/lib/model/rules/rules';
import { RULE_AREAS, STANDARDS } from '@/lib/model/rules/vocabulary';
import { listFileName, tableDownload } from '@/lib/snapshots/table-files/table-download';
import { getProfile } from './get-profile';
import { listRules } from './list-rules';

type Row = { rule: RuleInfo; own?: undefined } | { own: CustomRule; rule?: undefined };

/**
 * Returns the settings of each rule in a profile, with the strengths in the standards, as a table to read: in the order
 * of its page, the team's own rules last. The file that can be imported is another one. Errors: `not_found`.
 */
export const exportProfileRules = verb(
  { needs: 'account.use', on: own },
  async (actor: Actor, id: string, shape: FileShape): Promise<DownloadFile> => {
    const { body } = await getProfile(actor, id);
    // Reference rules check nothing and have no row on the page either.
    const { rules } = listRules();
    const ofArea = (area: string) => rules.filter((rule) => rule.area === area && rule.kind !== 'reference');
    const rows: Row[] = [
      ...RULE_AREAS.flatMap(ofArea).map((rule) => ({ rule })),
      ...body.custom.map((own) => ({ own })),
    ];
    return tableDownload(tableOf(rows, columnsOf(body)), { name: `${listFileName('profile')}-${id}`, ...shape });
  },
);

function columnsOf({ rules }: ProfileBody): Column<Row>[] {
  const settingOf = ({ rule, own }: Row) => own ?? rules[rule.id];
  return [
    ['rule', 'text', ({ rule, own }) => (own === undefined ? rule.id : own.id)],
    ['title', 'text', ({ rule, own }) => (own === undefined ? rule.text.en.title : own.title)],
    ['area', 'text', ({ rule }) => rule?.area ?? null],
    ['kind', 'text', ({ rule }) => rule?.kind ?? 'key'],
    ['on', 'text', (row) => (settingOf(row)?.on ? 'yes' : 'no')],
    ['strength', 'text', (row) => settingOf(row)?.strength ?? null],
    ['numbers', 'text', (row) => numbersOf(row, rules)],
    ...STANDARDS.map(
      (standard): Column<Row> => [
        standard,
        'text',
        ({ rule }) => rule?.sources.find((source) => source.standard === standard)?.strength ?? null,
      ],
    ),
  ];
}

/** The parameters of a rule as JSON, because one may be a list of words; null = it has none. */
function numbersOf({ rule, own }: Row, rules: ProfileBody['rules']): string | null {
  if (own) {
    const { id: _, title: __, why: ___, fix: ____, strength: _____, on: ______, ...check } = own;
    return JSON.stringify(check);
  }
  const names = Object.keys(rule.params);
  if (names.length === 0) return null;
  const chosen = rules[rule.id]?.params;
  return JSON.stringify(Object.fromEntries(names.map((name) => [name, chosen?.[name] ?? rule.params[name]?.default])));
}
