/** Shows a share 0…1 as a thin bar. It is decoration, because the number is shown as text next to it. */
export function ShareBar({ share, color = '--chart-1' }: { share: number; color?: string }) {
  return (
    <span aria-hidden="true" className="block h-1.5 w-full overflow-hidden rounded-full bg-chart-track">
      <span
        className="block h-full rounded-full"
        style={{ width: `${Math.max(share > 0 ? 1.5 : 0, Math.min(1, share) * 100)}%`, background: `var(${color})` }}
      />
    </span>
  );
}
