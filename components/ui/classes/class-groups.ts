import { validators } from 'tailwind-merge';

const { isArbitraryLength, isArbitraryShadow, isNumber } = validators;

const matchAny = () => true;
/** Classes that begin with the prefix and a hyphen. */
const buildGroup = (prefix: string) => [{ [prefix]: [matchAny] }];
/** The same, and the prefix alone (`rounded`). */
const buildGroupWithBare = (prefix: string) => [{ [prefix]: ['', matchAny] }];
const buildGroups = (names: readonly string[]) => Object.fromEntries(names.map((name) => [name, buildGroup(name)]));
const width = ['', isNumber, isArbitraryLength];

const SIDES = ['t', 'r', 'b', 'l', 'x', 'y', 's', 'e'];
const CORNERS = ['t', 'r', 'b', 'l', 's', 'e', 'tl', 'tr', 'br', 'bl'];

/**
 * The classes that set the same property, so that the later of two wins. The groups have the names of tailwind-merge. Of
 * classes that are missing here both would be kept, which cn.test.ts detects.
 */
export const CLASS_GROUPS = {
  display: [
    'block',
    'inline-block',
    'inline',
    'flex',
    'inline-flex',
    'table',
    'grid',
    'inline-grid',
    'contents',
    'hidden',
  ],
  position: ['static', 'fixed', 'absolute', 'relative', 'sticky'],
  visibility: ['visible', 'invisible', 'collapse'],
  container: ['@container'],
  sr: ['sr-only', 'not-sr-only'],
  ...buildGroups(['p', 'm', 'scroll-mt', ...SIDES.flatMap((side) => [`p${side}`, `m${side}`])]),
  ...buildGroups(['size', 'w', 'h', 'min-w', 'max-w', 'min-h', 'max-h', 'basis', 'z', 'order']),
  ...buildGroups(['inset', 'inset-x', 'inset-y', 'top', 'right', 'bottom', 'left']),
  ...buildGroups(['gap', 'gap-x', 'gap-y', 'space-x', 'space-y', 'grid-cols', 'col-start', 'row-start']),
  'col-start-end': [{ col: ['auto', { span: [matchAny] }] }],
  ...buildGroups(['justify', 'justify-items', 'items', 'self', 'content', 'place-items']),
  'flex-direction': [{ flex: ['row', 'row-reverse', 'col', 'col-reverse'] }],
  'flex-wrap': [{ flex: ['nowrap', 'wrap', 'wrap-reverse'] }],
  flex: [{ flex: [matchAny] }],
  grow: buildGroupWithBare('grow'),
  shrink: buildGroupWithBare('shrink'),
  ...buildGroups(['overflow', 'overflow-x', 'overflow-y']),
  'font-size': [{ text: ['2xs', 'xs', 'sm', 'base', 'lg', 'xl', '2xl', '3xl', '4xl', '5xl', isArbitraryLength] }],
  'text-alignment': [{ text: ['left', 'center', 'right', 'justify', 'start', 'end'] }],
  'text-wrap': [{ text: ['wrap', 'nowrap', 'balance', 'pretty'] }],
  'text-overflow': ['truncate', { text: ['ellipsis', 'clip'] }],
  'text-color': buildGroup('text'),
  'font-weight': [{ font: ['light', 'normal', 'medium', 'semibold', 'bold'] }],
  'font-family': buildGroup('font'),
  ...buildGroups([
    'tracking',
    'leading',
    'line-clamp',
    'whitespace',
    'align',
    'list',
    'decoration',
    'underline-offset',
  ]),
  'text-decoration': ['underline', 'line-through', 'no-underline'],
  'fvn-spacing': ['proportional-nums', 'tabular-nums'],
  break: [{ break: ['normal', 'words', 'all', 'keep'] }],
  'bg-color': buildGroup('bg'),
  'gradient-from': buildGroup('from'),
  'gradient-to': buildGroup('to'),
  rounded: buildGroupWithBare('rounded'),
  ...Object.fromEntries(CORNERS.map((corner) => [`rounded-${corner}`, buildGroupWithBare(`rounded-${corner}`)])),
  'border-w': [{ border: width }],
  'border-style': [{ border: ['solid', 'dashed', 'dotted', 'none'] }],
  'border-collapse': [{ border: ['collapse', 'separate'] }],
  'table-layout': [{ table: ['auto', 'fixed'] }],
  'border-color': buildGroup('border'),
  ...Object.fromEntries(SIDES.map((side) => [`border-w-${side}`, [{ [`border-${side}`]: width }]])),
  ...Object.fromEntries(SIDES.map((side) => [`border-color-${side}`, buildGroup(`border-${side}`)])),
  'divide-x': [{ 'divide-x': width }],
  'divide-y': [{ 'divide-y': width }],
  'outline-style': [{ outline: ['none', 'hidden', 'solid', 'dashed'] }],
  'outline-w': [{ outline: width }],
  'outline-offset': buildGroup('outline-offset'),
  'outline-color': buildGroup('outline'),
  shadow: [{ shadow: ['', 'none', 'sm', 'md', 'lg', isArbitraryShadow] }],
  'shadow-color': buildGroup('shadow'),
  'ring-w': [{ ring: width }],
  'ring-color': buildGroup('ring'),
  'ring-offset-w': [{ 'ring-offset': [isNumber] }],
  'ring-offset-color': buildGroup('ring-offset'),
  filter: [{ filter: ['', 'none'] }],
  'backdrop-blur': buildGroupWithBare('backdrop-blur'),
  transition: buildGroupWithBare('transition'),
  ...buildGroups(['opacity', 'cursor', 'select', 'pointer-events', 'duration', 'delay', 'ease', 'animate']),
  ...buildGroups(['rotate', 'scale', 'translate-x', 'translate-y', 'fill', 'stroke', 'accent']),
};

/** Group → groups of which it overrides the classes before it, as in tailwind-merge. */
export const CLASS_CONFLICTS: Record<string, string[]> = {
  p: SIDES.map((side) => `p${side}`),
  px: ['pr', 'pl'],
  py: ['pt', 'pb'],
  m: SIDES.map((side) => `m${side}`),
  mx: ['mr', 'ml'],
  my: ['mt', 'mb'],
  size: ['w', 'h'],
  inset: ['inset-x', 'inset-y', 'top', 'right', 'bottom', 'left'],
  'inset-x': ['right', 'left'],
  'inset-y': ['top', 'bottom'],
  gap: ['gap-x', 'gap-y'],
  overflow: ['overflow-x', 'overflow-y'],
  flex: ['basis', 'grow', 'shrink'],
  'font-size': ['leading'],
  'line-clamp': ['display', 'overflow'],
  rounded: CORNERS.map((corner) => `rounded-${corner}`),
  'rounded-t': ['rounded-tl', 'rounded-tr'],
  'rounded-b': ['rounded-bl', 'rounded-br'],
  'rounded-l': ['rounded-tl', 'rounded-bl'],
  'rounded-r': ['rounded-tr', 'rounded-br'],
  'border-w': SIDES.map((side) => `border-w-${side}`),
  'border-w-x': ['border-w-r', 'border-w-l'],
  'border-w-y': ['border-w-t', 'border-w-b'],
  'border-color': SIDES.map((side) => `border-color-${side}`),
  'border-color-x': ['border-color-r', 'border-color-l'],
  'border-color-y': ['border-color-t', 'border-color-b'],
};
