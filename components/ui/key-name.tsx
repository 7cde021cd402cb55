import { useTranslations } from 'use-intl';
import { cn } from './cn';
import { CopyButton } from './copy-button';
import { splitVisible, type TextPiece, toVisibleText } from './visible-text';

/** From this length on, in characters, a name may be too long for one line of a narrow column. */
const MAY_BE_CLIPPED = 20;
/** At most this many characters are drawn, and this many are in the title, because a name may have megabytes. */
const MAX_DRAWN = 8192;
const MAX_TITLE = 2048;

/**
 * A key name, prefix or member, shown so that it is safe to read: text nodes in <bdi>, monospaced, invisible characters
 * as chips, long names cut in the middle (both ends matter). Copying always gives the exact display form.
 */
export function KeyName(props: {
  name: string;
  /** The longest text that is shown, in characters. 0: it is never cut. */
  max?: number;
  /** Adds a copy button that appears on hover or focus. */
  copy?: boolean;
  /** Wraps over several lines instead of staying on one. */
  wrap?: boolean;
  className?: string;
}) {
  const t = useTranslations('ui');
  const { name, max = 80 } = props;
  const chars = [...name.slice(0, MAX_DRAWN)];
  const cut = max > 0 && chars.length > max;
  const head = cut ? chars.slice(0, Math.ceil(max * 0.6)).join('') : chars.join('');
  // Four times as many code units as characters are enough: a character has one or two.
  const tail = cut ? [...name.slice(-4 * max)].slice(-Math.floor(max * 0.4)).join('') : '';
  return (
    <span className={cn('group/key inline-flex min-w-0 max-w-full items-center gap-1', props.className)}>
      <bdi
        data-whole={cut ? toVisibleText(name) : undefined}
        title={
          cut || (!props.wrap && chars.length > MAY_BE_CLIPPED) ? toVisibleText(name.slice(0, MAX_TITLE)) : undefined
        }
        className={cn(
          'min-w-0 font-mono text-[0.95em]',
          props.wrap ? 'whitespace-pre-wrap [overflow-wrap:anywhere]' : 'truncate whitespace-pre',
        )}
      >
        {name === '' ? (
          <em className="text-muted-foreground">{t('emptyName')}</em>
        ) : (
          <Pieces text={head} cut={cut ? 'end' : undefined} />
        )}
        {cut ? <span className="mx-0.5 text-muted-foreground">…</span> : null}
        {cut ? <Pieces text={tail} cut="begin" /> : null}
      </bdi>
      {props.copy ? (
        <CopyButton
          text={name}
          label={t('copyName')}
          className="opacity-0 focus-visible:opacity-100 group-hover/key:opacity-100 max-lg:opacity-100"
        />
      ) : null}
    </span>
  );
}

function Pieces({ text, cut }: { text: string; cut: 'begin' | 'end' | undefined }) {
  // biome-ignore lint/suspicious/noArrayIndexKey: pieces of one text have no other identity and keep no state
  return splitVisible(text, cut).map((piece, i) => <PieceText key={i} piece={piece} />);
}

function PieceText({ piece }: { piece: TextPiece }) {
  if (!piece.hidden) return piece.text;
  return (
    <span
      className="mx-px rounded-sm bg-warning-soft px-0.5 text-[0.85em] text-warning"
      title={`U+${piece.codePoint.toString(16).toUpperCase().padStart(4, '0')}`}
    >
      {piece.text}
    </span>
  );
}
