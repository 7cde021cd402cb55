import type { StandardId } from '@/lib/model/rules/vocabulary';

/**
 * The examples of the standards for names, evaluated with every preset. A standard passes with its own examples except
 * where it contradicts itself, and these cases are listed. That S2 separates the words of `basic:info` by a colon (its
 * own rule wants a dot) cannot be distinguished from two meanings.
 */
export type Preset = StandardId | 'default';
export const PRESETS: readonly Preset[] = ['S0', 'S1', 'S2', 'S3', 'S4', 'default'];
/** `owned`: the prefixes that teams have registered; without any, N6 checks nothing. */
export type Example = [
  name: string,
  type: string | null,
  of: string,
  violated: Record<Preset, string>,
  owned?: readonly string[],
];

export const examples: readonly Example[] = [
  ['ugc:video:1', null, 'N1 (S1)', { S0: 'N5', S1: '', S2: 'N2 N4', S3: '', S4: 'N5 N14', default: 'N4' }],
  [
    'user:basic:info:{userid}:string',
    'string',
    'N2 and N4 (S2): its braces are outside its own alphabet',
    { S0: 'N5', S1: '', S2: 'N8', S3: '', S4: 'N5 N14', default: '' },
  ],
  [
    'user:basic:info:42:string',
    'string',
    'N4 (S2) with an id in the place of its placeholder',
    { S0: 'N5', S1: '', S2: '', S3: '', S4: 'N5 N14', default: '' },
  ],
  [
    'user:basic:info:42:string',
    'hash',
    'N4 (S2) with a type that is not the real one',
    { S0: 'N5', S1: '', S2: 'N4', S3: '', S4: 'N5 N14', default: 'N4' },
  ],
  [
    'user:basic.info:1',
    null,
    'N3 (S3)',
    { S0: 'N5 N13', S1: '', S2: 'N2 N4', S3: '', S4: 'N5 N13 N14', default: 'N4' },
  ],
  ...['PRO:USER:UID:18', 'PRO:USER:LOGINNAME:373166324'].map(
    (name): Example => [name, null, 'N5 (S0, S4)', { S0: '', S1: '', S2: 'N4 N8', S3: 'N8', S4: '', default: 'N4 N8' }],
  ),
  ...['UserAdmin', 'userAdmin'].map(
    (word): Example => [
      `PRO:${word}:UID:18`,
      null,
      'N15 (S0): a style that it allows is one word',
      { S0: '', S1: '', S2: 'N4 N8 N12', S3: 'N8 N12', S4: 'N13 N14', default: 'N4 N8 N12' },
    ],
  ),
  [
    'PRO:user_admin:UID:18',
    null,
    'N15 (S0): likewise',
    { S0: '', S1: '', S2: 'N4 N8 N10 N12', S3: 'N8 N10 N12', S4: 'N13 N14', default: 'N4 N8 N10 N12' },
  ],
  ...['user:{uid}:friends:messages:{mid}', 'u:{uid}:fr:m:{mid}'].map(
    (name): Example => [
      name,
      null,
      'N17 (S1, S3): written with placeholders',
      { S0: 'N5', S1: '', S2: 'N4 N8', S3: '', S4: 'N5 N14', default: 'N4' },
    ],
  ),
  ...['user:1:friends:messages:7', 'u:1:fr:m:7'].map(
    (name): Example => [
      name,
      null,
      'N17 (S1, S3) with ids',
      { S0: 'N5', S1: '', S2: 'N4', S3: '', S4: 'N5 N14', default: 'N4' },
    ],
  ),
  ...['{user1000}.following', '{user1000}.followers'].map(
    (name): Example => [
      name,
      null,
      'N24 (S0): placed by its tag, and that is its structure',
      {
        S0: '',
        S1: 'N1',
        S2: 'N2 N4 N7 N8',
        S3: 'N3',
        S4: 'N14',
        default: 'N3 N4',
      },
    ],
  ),
  ...['foo{{bar}}zap', 'foo{bar}{zap}'].map(
    (name): Example => [
      name,
      null,
      'N24 (S0): likewise',
      { S0: '', S1: 'N1', S2: 'N2 N4 N8', S3: 'N3', S4: 'N14', default: 'N3 N4' },
    ],
  ),
  [
    'foo{}{bar}',
    null,
    'N24 (S0): without a tag, of one segment',
    { S0: 'N5', S1: 'N1', S2: 'N2 N4 N8', S3: 'N3', S4: 'N5 N14', default: 'N3 N4' },
  ],
  [
    'user1',
    null,
    'N3: no structure at all',
    { S0: 'N5', S1: 'N1', S2: 'N2 N4', S3: 'N3', S4: 'N5 N14', default: 'N3 N4' },
  ],
  [
    'get',
    null,
    'N20 (S3): a reserved word',
    { S0: 'N5', S1: 'N1', S2: 'N2 N4', S3: 'N3 N20', S4: 'N5 N14', default: 'N3 N4 N20' },
  ],
  [
    'a b',
    null,
    'N9 (S0, S1, S2): a space',
    { S0: 'N5 N9', S1: 'N1 N9', S2: 'N2 N4 N8 N9 N18', S3: 'N3 N8 N18', S4: 'N5 N14', default: 'N3 N4 N8 N9 N18' },
  ],
  ...['18:19:20:21', 'PRO:USER:18:UID'].map(
    (name): Example => [
      name,
      null,
      'N5 (S0, S4): values where the project, the table or the column belongs',
      name.startsWith('18')
        ? { S0: 'N5', S1: '', S2: 'N4 N7 N18', S3: 'N7 N18', S4: 'N5', default: 'N4 N7 N18' }
        : { S0: 'N5', S1: '', S2: 'N4 N8', S3: 'N8', S4: 'N5', default: 'N4 N8' },
    ],
  ),
  [
    'PRO:USER:USERNAME:zhangsan',
    null,
    'N14 (S4): a value of its table, which is as it is; capitals are for the words before it',
    { S0: '', S1: '', S2: 'N4 N8', S3: 'N8', S4: '', default: 'N4 N8' },
  ],
  [
    'a:b:c:string',
    'string',
    'N18 (S2, S3): nothing in it says what it is',
    { S0: '', S1: '', S2: 'N18', S3: 'N18', S4: 'N14', default: 'N18' },
  ],
  [
    'userAdmin:user:id:18',
    null,
    'S0: the segments of its scheme put together, in the style that its author prefers',
    { S0: '', S1: '', S2: 'N4 N8 N12', S3: 'N8 N12', S4: 'N13 N14', default: 'N4 N8 N12' },
  ],
  ...['PRO:USER:UID:18', 'PRO:USER:LOGINNAME:373166324'].map(
    (name): Example => [
      name,
      null,
      'N6 (S0, S4): in the namespace of its project, and of its business within it',
      { S0: '', S1: '', S2: 'N4 N8', S3: 'N8', S4: '', default: 'N4 N8' },
      ['PRO:USER', 'userAdmin'],
    ],
  ),
  [
    'PRO:USER:UID:18',
    null,
    'N6 (S0, S4): of another business of the project, whose namespace is another',
    { S0: 'N6', S1: '', S2: 'N4 N8', S3: 'N8', S4: 'N6', default: 'N4 N6 N8' },
    ['PRO:ORDER'],
  ],
  [
    'userAdmin:user:id:18',
    null,
    'N6 (S0, S4): of another project',
    { S0: 'N6', S1: '', S2: 'N4 N8 N12', S3: 'N8 N12', S4: 'N6 N13 N14', default: 'N4 N6 N8 N12' },
    ['PRO'],
  ],
  ...['user:1:name', 'user:1:age', 'user:1:favor'].map(
    (name): Example => [
      name,
      'string',
      'V13 (S1, S3): the objects that should be one hash; as names they pass',
      { S0: 'N5', S1: '', S2: 'N2 N4', S3: '', S4: 'N5 N14', default: 'N4' },
    ],
  ),
  [
    'user:1',
    'hash',
    'V13 (S1, S3): the hash instead, of a segment less than both standards want',
    { S0: 'N5', S1: 'N1', S2: 'N2 N4', S3: 'N3', S4: 'N5 N14', default: 'N3 N4' },
  ],
  [
    'myzset',
    'zset',
    'C4 (S3): the sorted set of its command example, of one segment',
    { S0: 'N5', S1: 'N1', S2: 'N2 N4', S3: 'N3', S4: 'N5 N14', default: 'N3 N4' },
  ],
  [
    'user:hgetall:1',
    null,
    'N20 (S3): a command as a segment',
    { S0: 'N5', S1: '', S2: 'N2 N4', S3: 'N20', S4: 'N5 N14', default: 'N4 N20' },
  ],
  ...["it's", 'say"so'].map(
    (name): Example => [
      name,
      null,
      'N9 (S0, S1, S2): a quote',
      { S0: 'N5 N9', S1: 'N1 N9', S2: 'N2 N4 N8 N9', S3: 'N3 N8', S4: 'N5 N14', default: 'N3 N4 N8 N9' },
    ],
  ),
  [
    'a\\b',
    null,
    'N9 (S0, S1, S2): an escape character',
    {
      S0: 'N5 N9 N11',
      S1: 'N1 N9 N11',
      S2: 'N2 N4 N8 N9 N11 N18',
      S3: 'N3 N8 N11 N18',
      S4: 'N5 N11 N14',
      default: 'N3 N4 N8 N9 N11 N18',
    },
  ],
  [
    'user_info',
    null,
    'N10 (S2): an underscore',
    {
      S0: 'N5 N11',
      S1: 'N1 N11',
      S2: 'N2 N4 N8 N10 N11 N12',
      S3: 'N3 N8 N10 N11 N12',
      S4: 'N5 N11 N13 N14',
      default: 'N3 N4 N8 N10 N11 N12',
    },
  ],
  [
    'PRO:USER/INFO:UID:18',
    null,
    'N11 (all): another sign where a colon belongs',
    { S0: 'N11', S1: 'N11', S2: 'N4 N8 N11', S3: 'N8 N11', S4: 'N11', default: 'N4 N8 N11' },
  ],
  ...['PRO:USER&INFO:UID:18', 'PRO:USER=INFO:UID:18', 'PRO:USER~INFO:UID:18', 'PRO:USER、INFO:UID:18'].map(
    (name): Example => [
      name,
      null,
      'N11 (all): a sign that is no colon between meanings',
      { S0: 'N11', S1: 'N11', S2: 'N4 N8 N11', S3: 'N8 N11', S4: 'N11', default: 'N4 N8 N11' },
    ],
  ),
  ...['PRO﹕USER﹕UID﹕18', 'PRO∶USER∶UID∶18'].map(
    (name): Example => [
      name,
      null,
      'N11 (all): signs that look like a colon',
      {
        S0: 'N5 N11',
        S1: 'N1 N11',
        S2: 'N2 N4 N8 N11',
        S3: 'N3 N8 N11',
        S4: 'N5 N11',
        default: 'N3 N4 N8 N11',
      },
    ],
  ),
  ...['PRO:01ARZ3NDEKTSV4RRFFQ69G5FAV:UID:18', 'PRO:0CC175B9C0F1B6A831C399E269772661:UID:18'].map(
    (name): Example => [
      name,
      null,
      'N5 (S0, S4): an id of any kind where the table belongs',
      { S0: 'N5', S1: '', S2: 'N4 N8', S3: 'N8', S4: 'N5', default: 'N4 N8' },
    ],
  ),
  ...['PRO:USER:USERNAME:zhangSan', 'PRO:USER:CODE:aB-cd', 'PRO:USER:LOGINNAME:li.si'].map(
    (name): Example => [
      name,
      null,
      'N13 (S0, S4), N12 (S2, S3): a value is no word',
      { S0: '', S1: '', S2: 'N4 N8', S3: 'N8', S4: '', default: 'N4 N8' },
    ],
  ),
  [
    'PRO：USER：UID：18',
    null,
    'N11 (all): the colon of a Chinese keyboard',
    {
      S0: 'N5 N11',
      S1: 'N1 N11',
      S2: 'N2 N4 N8 N11',
      S3: 'N3 N8 N11',
      S4: 'N5 N11',
      default: 'N3 N4 N8 N11',
    },
  ],
  [
    '1user:info:42:string',
    'string',
    'N7 (S2, S3): no letter at the beginning',
    { S0: 'N5', S1: '', S2: 'N7', S3: 'N7', S4: 'N5 N14', default: 'N7' },
  ],
  [
    `user:info:${'x'.repeat(130)}`,
    null,
    'N16 (S0, S4), N18 (S2, S3): very long',
    { S0: 'N5 N16', S1: '', S2: 'N2 N4 N18', S3: 'N18', S4: 'N5 N14 N16', default: 'N4 N16 N18' },
  ],
  [
    'u',
    null,
    'N16 (S0, S4): very short; N18 (S2, S3): unclear',
    { S0: 'N5 N16', S1: 'N1', S2: 'N2 N4 N18', S3: 'N3 N18', S4: 'N5 N14 N16', default: 'N3 N4 N16 N18' },
  ],
];

export const EXAMPLE_NAMES: readonly string[] = [...new Set(examples.map(([name]) => name))];
