import { PROFILE_SCHEMA, type Profile, type ProfileBody, type RuleSetting } from '@/lib/model/rules/policy';
import type { SourceStrength, Strength } from '@/lib/model/rules/rules';
import type { StandardId } from '@/lib/model/rules/vocabulary';
import { catalogue } from '@/lib/rules/catalogue';
import { standards } from '@/lib/rules/catalogue-info';

/** The strength that a rule has in the profile of a standard, by the strength of the standard's own words. */
const PROFILE_STRENGTH: Record<SourceStrength, Strength> = {
  mandatory: 'mandatory',
  recommended: 'recommended',
  advice: 'advice',
  caution: 'recommended',
  discouraged: 'recommended',
  unstated: 'advice',
};

const toSetting = (on: boolean, strength: Strength): RuleSetting => ({ on, strength, params: {} });

function buildStandardProfile(id: StandardId): ProfileBody {
  const rules = catalogue.map((rule): [string, RuleSetting] => {
    const source = rule.sources.find(({ standard }) => standard === id);
    const strength = source ? PROFILE_STRENGTH[source.strength] : rule.inDefaultProfile.strength;
    const setting = toSetting(source !== undefined, strength);
    // The alphabet of S2 has no braces. The alphabet of S3 has none either, but S3 allows hash tags with care (N22).
    if (rule.params.allowTag && id === 'S2') setting.params = { allowTag: 0 };
    // S0 offers three styles for a segment and prefers userAdmin, so such a segment is one word, not words that need a
    // colon.
    if (rule.params.caseStyles && id === 'S0') setting.params = { caseStyles: 1 };
    return [rule.id, setting];
  });
  return {
    schema: PROFILE_SCHEMA,
    name: standards.find((standard) => standard.id === id)!.title,
    description: '',
    delimiter: ':',
    rules: Object.fromEntries(rules),
    custom: [],
  };
}

const defaultBody: ProfileBody = {
  schema: PROFILE_SCHEMA,
  name: 'Default',
  description: 'What S2 or S3 requires; type suffix as advice, hash tags allowed, expiry mandatory.',
  delimiter: ':',
  rules: Object.fromEntries(
    catalogue.map((rule) => [rule.id, toSetting(rule.inDefaultProfile.on, rule.inDefaultProfile.strength)]),
  ),
  custom: [],
};

/**
 * The six built-in profiles. Five follow one standard each: the rules that it states, with the strength that it gives
 * them. Where a standard contradicts itself, its requirements stay on and the contradiction is reported. The default
 * profile requires what one of the two strictest standards requires, and treats the rest as advice
 * (`inDefaultProfile` of each rule).
 */
export const presets: ReadonlyMap<string, ProfileBody> = new Map([
  ['default', defaultBody],
  ...standards.map(({ id }): [string, ProfileBody] => [id, buildStandardProfile(id)]),
]);

export const toPresetProfile = (id: string, body: ProfileBody): Profile => ({
  id,
  preset: true,
  body,
  usedBy: [],
  updatedAt: null,
});
