'use client';
import { CircleAlert, Info, type LucideIcon, TriangleAlert } from 'lucide-react';
import { useTranslations } from 'use-intl';
import { cn } from '@/components/ui/cn';
import type { Warning } from '@/lib/model/server-facts';

const LOOK: Record<Warning['severity'], { Icon: LucideIcon; text: string; rank: number }> = {
  danger: { Icon: CircleAlert, text: 'text-danger', rank: 0 },
  warning: { Icon: TriangleAlert, text: 'text-warning', rank: 1 },
  info: { Icon: Info, text: 'text-muted-foreground', rank: 2 },
};

/** Warnings of a connection, the gravest first. */
export function WarningList({ warnings, className }: { warnings: Warning[]; className?: string }) {
  const t = useTranslations('warnings');
  const sorted = warnings.toSorted((a, b) => LOOK[a.severity].rank - LOOK[b.severity].rank);
  return (
    <ul className={cn('divide-y rounded-lg border bg-surface', className)}>
      {sorted.map((w) => {
        const { Icon, text } = LOOK[w.severity];
        const params = Object.values(w.params).map(String).join(', ');
        return (
          <li key={`${w.code}:${params}`} className="flex gap-2.5 px-3 py-2">
            <Icon className={cn('mt-0.5 size-4 shrink-0', text)} aria-hidden />
            <div className="min-w-0">
              <p className="font-medium">
                {t(`${w.code}.title`)}
                {params ? (
                  <span className="ml-2 font-mono font-normal text-muted-foreground text-xs [overflow-wrap:anywhere]">
                    {params}
                  </span>
                ) : null}
              </p>
              <p className="text-muted-foreground">{t(`${w.code}.text`)}</p>
            </div>
          </li>
        );
      })}
    </ul>
  );
}
