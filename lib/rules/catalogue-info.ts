import type { Catalogue, RuleInfo, StandardInfo } from '@/lib/model/rules/rules';
import { deletionSnippets } from './background/deletion-snippets';
import { explanations } from './background/explanations';
import { catalogue } from './catalogue';
import { contradictions } from './contradictions';

/** Titles as published; year = null if unknown. */
export const standards: readonly StandardInfo[] = [
  { id: 'S0', title: 'Redis-Key命名规范（储凡）', year: null },
  { id: 'S1', title: '阿里云Redis开发规范', year: 2019 },
  { id: 'S2', title: 'Redis key命名规范的设计', year: null },
  { id: 'S3', title: 'Redis开发规范', year: 2021 },
  { id: 'S4', title: 'redis key命名规范', year: null },
];

/** The catalogue for pages and API clients: texts, sources and parameters of each rule, without its predicates. */
export function buildCatalogueInfo(): Catalogue {
  const rules = catalogue.map(
    ({ id, area, kind, nameOnly, facts, sources, params, text, contradicts }): RuleInfo => ({
      id,
      area,
      kind,
      nameOnly,
      facts,
      sources,
      params,
      text,
      contradicts,
      ...(explanations[id] && { background: explanations[id] }),
      ...(id === 'V9' && { snippets: deletionSnippets }),
    }),
  );
  return { rules, standards: [...standards], contradictions: [...contradictions] };
}
