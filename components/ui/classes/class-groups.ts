import { validators } from 'tailwind-merge';

const { isArbitraryLength, isArbitraryShadow, isNumber } = validators;

/**
 * The classes that set the same property, so that the later of two wins. Named as in tailwind-merge. If a class is
 * missing here, both would be kept, which cn.test.ts detects.
 */
const any = () => true;
const of = (prefix: string) => [{ [prefix]: [any] }];
const on = (prefix: string) => [{ [prefix]: ['', any] }];
const each = (names: readonly string[]) => Object.fromEntries(names.map((name) => [name, of(name)]));
const width = ['', isNumber, isArbitraryLength];

const SIDES = ['t', 'r', 'b', 'l', 'x', 'y', 's', 'e'];
const CORNERS = ['t', 'r', 'b', 'l', 's', 'e', 'tl', 'tr', 'br', 'bl'];

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
  ...each(['p', 'm', ...SIDES.flatMap((side) => [`p${side}`, `m${side}`])]),
  ...each(['size', 'w', 'h', 'min-w', 'max-w', 'min-h', 'max-h', 'basis', 'z', 'order']),
  ...each(['inset', 'inset-x', 'inset-y', 'top', 'right', 'bottom', 'left']),
  ...each(['gap', 'gap-x', 'gap-y', 'space-x', 'space-y', 'grid-cols', 'col-start', 'row-start']),
  'col-start-end': [{ col: ['auto', { span: [any] }] }],
  ...each(['justify', 'justify-items', 'items', 'self', 'content', 'place-items']),
  'flex-direction': [{ flex: ['row', 'row-reverse', 'col', 'col-reverse'] }],
  'flex-wrap': [{ flex: ['nowrap', 'wrap', 'wrap-reverse'] }],
  flex: [{ flex: [any] }],
  grow: on('grow'),
  shrink: on('shrink'),
  ...each(['overflow', 'overflow-x', 'overflow-y']),
  'font-size': [{ text: ['2xs', 'xs', 'sm', 'base', 'lg', 'xl', '2xl', '3xl', '4xl', '5xl', isArbitraryLength] }],
  'text-alignment': [{ text: ['left', 'center', 'right', 'justify', 'start', 'end'] }],
  'text-wrap': [{ text: ['wrap', 'nowrap', 'balance', 'pretty'] }],
  'text-overflow': ['truncate', { text: ['ellipsis', 'clip'] }],
  'text-color': of('text'),
  'font-weight': [{ font: ['light', 'normal', 'medium', 'semibold', 'bold'] }],
  'font-family': of('font'),
  ...each(['tracking', 'leading', 'line-clamp', 'whitespace', 'align', 'list', 'decoration', 'underline-offset']),
  'text-decoration': ['underline', 'line-through', 'no-underline'],
  'fvn-spacing': ['proportional-nums', 'tabular-nums'],
  break: [{ break: ['normal', 'words', 'all', 'keep'] }],
  'bg-color': of('bg'),
  'gradient-from': of('from'),
  'gradient-to': of('to'),
  rounded: on('rounded'),
  ...Object.fromEntries(CORNERS.map((corner) => [`rounded-${corner}`, on(`rounded-${corner}`)])),
  'border-w': [{ border: width }],
  'border-style': [{ border: ['solid', 'dashed', 'dotted', 'none'] }],
  'border-collapse': [{ border: ['collapse', 'separate'] }],
  'table-layout': [{ table: ['auto', 'fixed'] }],
  'border-color': of('border'),
  ...Object.fromEntries(SIDES.map((side) => [`border-w-${side}`, [{ [`border-${side}`]: width }]])),
  ...Object.fromEntries(SIDES.map((side) => [`border-color-${side}`, of(`border-${side}`)])),
  'divide-x': [{ 'divide-x': width }],
  'divide-y': [{ 'divide-y': width }],
  'outline-style': [{ outline: ['none', 'hidden', 'solid', 'dashed'] }],
  'outline-w': [{ outline: width }],
  'outline-offset': of('outline-offset'),
  'outline-color': of('outline'),
  shadow: [{ shadow: ['', 'none', 'sm', 'md', 'lg', isArbitraryShadow] }],
  'shadow-color': of('shadow'),
  'ring-w': [{ ring: width }],
  'ring-color': of('ring'),
  'ring-offset-w': [{ 'ring-offset': [isNumber] }],
  'ring-offset-color': of('ring-offset'),
  filter: [{ filter: ['', 'none'] }],
  'backdrop-blur': on('backdrop-blur'),
  transition: on('transition'),
  ...each(['opacity', 'cursor', 'select', 'pointer-events', 'duration', 'delay', 'ease', 'animate']),
  ...each(['rotate', 'scale', 'translate-x', 'translate-y', 'fill', 'stroke', 'accent']),
};

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
