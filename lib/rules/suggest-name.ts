import type { ProfileBody } from '@/lib/model/policy';

/**
 * A name that would keep the naming rules of a profile: advice for whoever writes the application, never a rename. null
 * when the name is compliant in these respects already, or nothing sensible can be told.
 */
const TYPES = new Set(['string', 'hash', 'list', 'set', 'zset', 'stream']);
const MOST = 512;

export function suggestName(name: string, type: string | null, profile: ProfileBody): string | null {
  if (name.length === 0 || name.length > MOST) return null;
  const on = (id: string) => profile.rules[id]?.on === true;
  const d = profile.delimiter;
  // What an address becomes without its sign helps nobody.
  if (name.includes('@')) return null;
  let segments = name.split(d);
  if (on('N11') || on('N8')) segments = segments.flatMap((s) => s.split(/[/|;,#\\]+|->|=>/));
  if (on('N11') && segments.length === 1 && !looksLikeId(name)) segments = name.split(/[-_/|;,#\\.]+/);
  segments = segments.map((segment) => fixSegment(segment, profile)).filter((segment) => segment !== '');
  if (on('N13')) segments = segments.flatMap((segment) => (looksLikeId(segment) ? [segment] : segment.split('.')));
  if (on('N4') && type !== null && TYPES.has(type)) {
    const last = segments.at(-1)?.toLowerCase();
    if (last !== undefined && TYPES.has(last)) segments[segments.length - 1] = type;
    else segments.push(type);
  }
  if (on('N14')) segments = segments.map((segment) => segment.toUpperCase());
  const suggested = segments.join(d);
  if (suggested === '' || suggested === name) return null;
  return on('N7') && !/^[{]?[A-Za-z]/.test(suggested) ? null : suggested;
}

function fixSegment(segment: string, profile: ProfileBody): string {
  const on = (id: string) => profile.rules[id]?.on === true;
  let fixed = segment;
  if (!looksLikeId(fixed) && (on('N12') || on('N8') || on('N13'))) {
    if (on('N12') || on('N13'))
      fixed = fixed.replace(/([a-z0-9])([A-Z])/g, '$1.$2').replace(/([A-Za-z])-+(?=[A-Za-z])/g, '$1.');
  }
  if (on('N10') || on('N8')) fixed = fixed.replace(/_+/g, '.');
  if (on('N8'))
    fixed = fixed
      .toLowerCase()
      .replace(/[^a-z0-9.{}-]/g, '')
      .replace(/-/g, looksLikeId(fixed) ? '' : '.');
  if (on('N9')) fixed = fixed.replace(/[\s"'`\\]/g, '');
  return fixed.replace(/[.]{2,}/g, '.').replace(/^[.]+|[.]+$/g, '');
}

const looksLikeId = (segment: string) =>
  segment.includes('@') || /^[0-9][0-9._-]*$/.test(segment) || (segment.length >= 16 && /[0-9]/.test(segment));
