export function ChartLegend({ items }: { items: readonly { id: string; label: string; color: string }[] }) {
  return (
    <ul className="flex flex-wrap gap-x-4 gap-y-1 text-xs text-muted-foreground">
      {items.map((item) => (
        <li key={item.id} className="flex items-center gap-1.5">
          <span aria-hidden="true" className="size-2.5 rounded-[3px]" style={{ background: `var(${item.color})` }} />
          {item.label}
        </li>
      ))}
    </ul>
  );
}
