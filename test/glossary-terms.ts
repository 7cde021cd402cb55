/**
 * Terms of docs/GLOSSARY.md that a message in one language may contain only if the message in the other language
 * contains them too: so one term never has two Chinese words, and one Chinese word never means two terms. `except`
 * names messages that may differ, and why.
 */
export interface GlossaryTerm {
  term: string;
  zh: string;
  inEnglish: RegExp;
  inChinese: RegExp;
  except?: Readonly<Record<string, string>>;
}

const HEAD = 'a column head, shortened to fit';

export const GLOSSARY_TERMS: readonly GlossaryTerm[] = [
  {
    term: 'replica',
    zh: '从节点',
    inEnglish: /\breplicas?\b/i,
    inChinese: /从节点|^从$/,
    except: { 'filters.from': 'the beginning of a range' },
  },
  { term: 'eviction', zh: '淘汰', inEnglish: /\bevict/i, inChinese: /淘汰/ },
  { term: 'idle time', zh: '空闲时间', inEnglish: /\bidle\b/i, inChinese: /空闲/ },
  { term: 'snapshot', zh: '快照', inEnglish: /\bsnapshots?\b/i, inChinese: /快照/ },
  { term: 'archive', zh: '归档', inEnglish: /\barchiv/i, inChinese: /归档/ },
  { term: 'throttled', zh: '限速', inEnglish: /\bthrottl/i, inChinese: /限速/ },
  { term: 'profile', zh: '规范方案', inEnglish: /\bprofiles?\b/i, inChinese: /规范方案/ },
  { term: 'exemption', zh: '豁免', inEnglish: /\bexempt/i, inChinese: /豁免/ },
  {
    term: 'finding',
    zh: '违规',
    inEnglish: /\bfindings?\b/i,
    inChinese: /违规/,
    except: { 'fleet.column.mandatory': HEAD, 'findings.headline.recommended': HEAD },
  },
  { term: 'bigkey', zh: '大 key', inEnglish: /\bbigkeys?\b/i, inChinese: /大 key/ },
  { term: 'slot', zh: '槽位', inEnglish: /\bslots?\b/i, inChinese: /槽/ },
  { term: 'hash tag', zh: 'hash tag', inEnglish: /\bhash tags?\b/i, inChinese: /hash tag/ },
  { term: 'consent', zh: '同意', inEnglish: /\bconsents?\b/i, inChinese: /同意/ },
  { term: 'undo', zh: '撤销', inEnglish: /\bundo(ne|ing)?\b/i, inChinese: /撤销/ },
  { term: 'restore', zh: '恢复', inEnglish: /\brestor/i, inChinese: /恢复/ },
  { term: 'quarantine', zh: '隔离', inEnglish: /\bquarantine/i, inChinese: /(?<!改名)隔离/ },
  { term: 'probe latency', zh: '探测延迟', inEnglish: /\bprobe latency\b/i, inChinese: /探测延迟/ },
  { term: 'emergency stop', zh: '紧急停止', inEnglish: /\bemergency stop\b/i, inChinese: /紧急停止/ },
  { term: 'violated', zh: '违反', inEnglish: /\bviolat/i, inChinese: /违反/ },
  { term: 'not evaluated', zh: '未评估', inEnglish: /\bnot evaluated\b/i, inChinese: /未评估/ },
  { term: 'internal key', zh: 'Colonnade 内部键', inEnglish: /\binternal (key|name)/i, inChinese: /内部键/ },
  { term: 'fact', zh: '元信息', inEnglish: /\bfacts?\b/i, inChinese: /元信息/ },
  { term: 'scan', zh: '扫描', inEnglish: /\bscan(s|ned|ning)?\b/i, inChinese: /扫描/ },
];
