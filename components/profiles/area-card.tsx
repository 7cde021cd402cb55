import { useLocale, useTranslations } from 'use-intl';
import { Card, CardHeader } from '@/components/ui/card';
import { Table, TableScroll, TBody, THead, Th } from '@/components/ui/table';
import { listClashes } from '@/lib/model/rules/list-clashes';
import type { ProfileBody, RuleSetting } from '@/lib/model/rules/policy';
import type { Catalogue } from '@/lib/model/rules/rules';
import { type RuleArea, STANDARDS } from '@/lib/model/rules/vocabulary';
import { RuleSettingRow } from './rule-setting-row';

/** The rules of one area: what each standard says, next to the setting of this profile. */
export function AreaCard(props: {
  area: RuleArea;
  catalogue: Catalogue;
  body: ProfileBody;
  defaultBody: ProfileBody | null;
  filter: string;
  readOnly: boolean;
  onChange: (id: string, setting: RuleSetting) => void;
}) {
  const t = useTranslations('profiles');
  const areas = useTranslations('rules.area');
  const locale = useLocale();
  const words = props.filter.toLowerCase().split(/\s+/).filter(Boolean);
  const rules = props.catalogue.rules.filter((rule) => {
    if (rule.area !== props.area || rule.kind === 'reference') return false;
    const text = `${rule.id} ${rule.text[locale].title} ${rule.text[locale].why}`.toLowerCase();
    return words.every((word) => text.includes(word));
  });
  if (rules.length === 0) return null;
  const known = new Map(props.catalogue.rules.map((rule) => [rule.id, rule]));
  const on = rules.filter((rule) => props.body.rules[rule.id]?.on).length;
  return (
    <Card id={props.area}>
      <CardHeader title={areas(props.area)} description={t('onOf', { on, count: rules.length })} />
      <TableScroll label={areas(props.area)}>
        {/* On a phone each row is laid out as a card, with the numbers of the rule below its title. */}
        <Table className="max-sm:block">
          <THead className="max-sm:sr-only">
            <tr>
              <Th>{t('column.on')}</Th>
              <Th>{t('column.rule')}</Th>
              <Th>{t('column.strength')}</Th>
              <Th>{t('column.numbers')}</Th>
              {STANDARDS.map((standard) => (
                <Th
                  key={standard}
                  className="!px-1.5 max-lg:hidden"
                  title={props.catalogue.standards.find(({ id }) => id === standard)?.title}
                >
                  {standard}
                </Th>
              ))}
            </tr>
          </THead>
          <TBody className="max-sm:block">
            {rules.map((rule) => (
              <RuleSettingRow
                key={rule.id}
                rule={rule}
                setting={props.body.rules[rule.id] ?? { on: false, strength: 'advice', params: {} }}
                base={props.defaultBody?.rules[rule.id] ?? null}
                clash={listClashes(rule, props.body, known)}
                readOnly={props.readOnly}
                onChange={(setting) => props.onChange(rule.id, setting)}
              />
            ))}
          </TBody>
        </Table>
      </TableScroll>
    </Card>
  );
}
