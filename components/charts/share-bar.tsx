/**
 * Shows a share 0…1 as a thin bar. It is decoration, because the number is shown as text next to it. Every share above
 * 0 is at least 1.5 % wide, so that it can be seen.
 */
export function ShareBar({ share, color = '--chart-1' }: { share: number; color?: string }) {
  const percent = Math.max(share > 0 ? 1.5 : 0, Math.min(1, share) * 100);
  return (
    <span aria-hidden="true" className="block h-1.5 w-full overflow-hidden rounded-full bg-chart-track">
      <span className="block h-full rounded-full" style={{ width: `${percent}%`, background: `var(${color})` }} />
    </span>
  );
}
