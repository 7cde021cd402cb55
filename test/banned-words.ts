/**
 * Words that the glossary (docs/GLOSSARY.md) replaces by common ones, as data: what is banned, where, what to write
 * instead, and what is still allowed and why. `test/glossary.test.ts` reads it.
 *
 * `text` and `zh` are regular expressions over sentences. `word` is one word of an identifier or a file name, in lower
 * case: `mostBytes` contains `most`, `almost` does not.
 */
export interface BannedText {
  pattern: RegExp;
  instead: string;
  /** A text that matches this is allowed; `reason` says why. */
  except?: { pattern: RegExp; reason: string };
}

/** English sentences: messages, documents, the command line. */
export const BANNED_ENGLISH: readonly BannedText[] = [
  { pattern: /\bremovals?\b/i, instead: 'deletion' },
  { pattern: /\bset(s|ting)? aside\b/i, instead: 'renamed (tombstone)' },
  {
    pattern: /\b(put|puts|bring|brings|brought|bringing|come|comes|coming|give|gives) back\b/i,
    instead: 'restore, undo',
  },
  { pattern: /\bway back\b/i, instead: 'undo' },
  { pattern: /\b(goes|renamed|sent) home\b/i, instead: 'renamed to its original name' },
  { pattern: /\bour own\b|\bof ours\b|\bour (user|list|number|name)s?\b/i, instead: 'internal, of Colonnade' },
  { pattern: /\b(feels?|felt)\b/i, instead: 'probe latency, or the effect itself' },
  { pattern: /\bcanary\b/i, instead: 'latency probe' },
  {
    pattern: /\bdesks?\b/i,
    instead: 'NodeExecutor',
    except: { pattern: /\bdesk lamp\b/, reason: 'a product in the shop of the demo' },
  },
  { pattern: /\bpatience\b/i, instead: 'retry with growing waits' },
  { pattern: /\baccus(e|es|ed|er)\b/i, instead: 'evaluate, check against' },
  { pattern: /\bdemand(s|ed)?\b/i, instead: 'require' },
  { pattern: /\b(held|hold|holds|holding) against\b/i, instead: 'checked against' },
  { pattern: /\b(un)?told\b/i, instead: 'reported, not evaluated' },
  { pattern: /\bexcus(e|es|ed)\b/i, instead: 'exempt' },
  { pattern: /\b(rules?|rule is|rules are) (kept|broken)\b|\b(broken|kept) rules?\b/i, instead: 'passed, violated' },
  { pattern: /\b(breaks?|keeps?) (a|the|this|every|no) rules?\b/i, instead: 'violates, passes' },
  { pattern: /\bcould not be judged\b|\bnot judged\b/i, instead: 'not evaluated' },
  { pattern: /\b(leave|leaves|left|leaving) (out|alone)\b/i, instead: 'exclude, skip, not changed' },
  { pattern: /\bdial(s|led|ling)?\b/i, instead: 'connect; allowed destination' },
  { pattern: /\bask again\b/i, instead: 'refresh' },
  { pattern: /\bneeds? a look\b/i, instead: 'needs review' },
  { pattern: /\blift(s|ed)? the stop\b/i, instead: 'clear the emergency stop' },
  { pattern: /\blazy expiry\b/i, instead: 'lazyfree-lazy-expire' },
  { pattern: /\bsmall values\b/i, instead: 'value sampling' },
  { pattern: /\bcosts? (that )?we caused\b|\bwe cause[ds]?\b/i, instead: 'load added by this job' },
  { pattern: /\bnobody feels\b|\bcalled by name\b/i, instead: 'the measured figure' },
  { pattern: /\bwhat (shows it|fix moves)\b|\bwho says it\b/i, instead: 'evidence, biggest score gains, source' },
];

/** Words that comments of the product may not contain either. */
export const BANNED_IN_COMMENTS: readonly BannedText[] = [
  { pattern: /\bset aside\b/i, instead: 'renamed (tombstone)' },
  { pattern: /\b(brought|bring|brings|bringing) back\b|\bway back\b/i, instead: 'restored, undo' },
  { pattern: /\b(feels|felt)\b/i, instead: 'probe latency, or the effect itself' },
  { pattern: /\bdemand(s|ed)\b/i, instead: 'require' },
  { pattern: /\baccus(e|es|ed|er)\b/i, instead: 'evaluate, check against' },
  { pattern: /\bexcus(e|es|ed)\b/i, instead: 'exempt' },
  {
    pattern: /\b(breaks?|broken|keeps?|kept) (a|the|this|every|no|these|of these) rules?\b/i,
    instead: 'violates, passes',
  },
  { pattern: /\blazy expiry\b/i, instead: 'lazyfree-lazy-expire' },
  { pattern: /\bcanary\b|\bpatience\b|\bdial(s|led|ling)?\b/i, instead: 'probe, backoff, connect' },
];

/** Words that Chinese messages may not contain. */
export const BANNED_CHINESE: readonly BannedText[] = [
  { pattern: /小步|移走|移开/, instead: '分批、渐进式删除、改名隔离' },
  { pattern: /惰性过期/, instead: '未开启过期键异步释放' },
  { pattern: /副本/, instead: '从节点（replica）或备份、归档（copy）' },
  { pattern: /闲置/, instead: '空闲' },
  { pattern: /逐出|驱逐/, instead: '淘汰' },
  { pattern: /封存/, instead: '生成快照' },
  { pattern: /我们|属于我们/, instead: 'Colonnade' },
  { pattern: /感受/, instead: '探测延迟' },
  { pattern: /监视/, instead: 'WATCH 了这些键的事务' },
  { pattern: /最重/, instead: '数据最多' },
  { pattern: /槽位地图/, instead: '槽位分布图' },
  { pattern: /哈希标签/, instead: 'hash tag' },
  { pattern: /小值/, instead: '小字符串抽检' },
  { pattern: /温和/, instead: '低速' },
  { pattern: /(?<!规范)方案/, instead: '规范方案' },
  { pattern: /配置方案|规则方案/, instead: '规范方案' },
  { pattern: /你/, instead: '您' },
  { pattern: /触碰|触及/, instead: '改动、访问' },
];

/**
 * Words that identifiers and file names may not contain, with their replacement. `notYet` lists those that are still
 * used and are being renamed; a word is removed from that list with its last use, and the test fails if a listed word
 * is no longer used.
 */
export const BANNED_IDENTIFIERS: Readonly<Record<string, string>> = {
  removal: 'deletion',
  removals: 'deletions',
  aside: 'tombstone',
  desk: 'executor',
  patience: 'backoff',
  canary: 'probe',
  brake: 'throttle',
  told: 'createCodedMessage',
  untold: 'notEvaluated',
  accuse: 'evaluate',
  accuser: 'ruleFilter',
  most: 'max',
  least: 'min',
  dial: 'connect',
  ours: 'internal',
  panic: 'emergencyStop',
  panicked: 'emergencyStop',
  circumstances: 'constraints',
  tally: 'totals',
  frozen: 'planSnapshot',
  freeze: 'planSnapshot',
  shed: 'drain',
  felt: 'latency',
  feels: 'latency',
  excuse: 'exempt',
  excused: 'exempt',
};

/** Names that contain a banned word and stay, each with the reason. */
export const ALLOWED_NAMES: Readonly<Record<string, string>> = {
  aside: 'an HTML element',
  freeze: 'Object.freeze',
  atLeast: 'a field of profile files',
  atMost: 'a field of profile files',
  panic: 'the command, its route and its error code, which programs call',
  ours: 'a field of journals that are stored, and of contradictions: what Colonnade chose',
};

/** Event ids, codes and keys of messages that contain a banned word and stay, each with the reason. */
export const ALLOWED_CODES: Readonly<Record<string, string>> = {
  removal_unanswered: 'stored as the reason of an item',
  not_set_aside_here: 'stored as the reason of an item',
  set_aside_lost: 'a consent that programs send, and that the audit log holds',
  oursList: '`ours` of a rule, where it is a list',
};

/** Further names that only tests and benches may use. */
export const ALLOWED_IN_TESTS: Readonly<Record<string, string>> = {
  canary: 'a secret that is planted, and looked for where it may not be',
  CANARY: 'the same',
  'canary-forms': 'the file about the forms in which it is looked for',
};

export const notYet: readonly string[] = [];
