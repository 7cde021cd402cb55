import { CircleAlert, Info, type LucideIcon, TriangleAlert } from 'lucide-react';
import { useTranslations } from 'use-intl';
import { type Format, useFormat } from '@/components/data/format/use-format';
import { cn } from '@/components/ui/cn';
import type { Warning } from '@/lib/model/servers/server-facts';

const STYLES: Record<Warning['severity'], { Icon: LucideIcon; text: string; rank: number }> = {
  danger: { Icon: CircleAlert, text: 'text-danger', rank: 0 },
  warning: { Icon: TriangleAlert, text: 'text-warning', rank: 1 },
  info: { Icon: Info, text: 'text-muted-foreground', rank: 2 },
};

/** The warnings of a connection, the most severe first. The same warning of several nodes is shown once. */
export function WarningList({ warnings }: { warnings: Warning[] }) {
  const t = useTranslations('warnings');
  const f = useFormat();
  const groups = new Map<string, { warning: Warning; notes: string[] }>();
  for (const warning of warnings) {
    const key = `${warning.severity}:${warning.code}`;
    const group = groups.get(key) ?? { warning, notes: [] };
    const note = formatNote(warning, f);
    if (note !== '' && !group.notes.includes(note)) group.notes.push(note);
    groups.set(key, group);
  }
  const sorted = [...groups.values()].sort((a, b) => STYLES[a.warning.severity].rank - STYLES[b.warning.severity].rank);
  return (
    <ul className="divide-y rounded-lg border bg-surface">
      {sorted.map(({ warning, notes }) => {
        const { Icon, text } = STYLES[warning.severity];
        return (
          <li key={`${warning.severity}:${warning.code}`} className="flex gap-2.5 px-3 py-2">
            <Icon className={cn('mt-0.5 size-4 shrink-0', text)} aria-hidden />
            <div className="min-w-0">
              <p className="font-medium">{t(`${warning.code}.title`)}</p>
              <p className="text-muted-foreground">{t(`${warning.code}.text`)}</p>
              {notes.length > 0 ? (
                <p className="mt-0.5 font-mono text-muted-foreground text-xs [overflow-wrap:anywhere]">
                  {notes.join(' · ')}
                </p>
              ) : null}
            </div>
          </li>
        );
      })}
    </ul>
  );
}

/** The figures of a warning on one line. */
function formatNote({ params }: Warning, f: Format): string {
  const units: Partial<Record<string, (value: number) => string>> = {
    bytes: f.bytes,
    seconds: f.seconds,
    percent: (value) => f.share(value / 100),
  };
  return Object.entries(params)
    .filter(([name, value]) => name !== 'reason' && value !== '')
    .map(([name, value]) => {
      if (typeof value !== 'number') return value;
      return (units[name] ?? f.number)(value);
    })
    .join(' ');
}
