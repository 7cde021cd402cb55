/** Signs of emoji cannot be seen by themselves: joiners, and which way of drawing is meant. */
const EMOJI =
  /\p{Extended_Pictographic}\ufe0f?\p{Emoji_Modifier}?(?:\u200d\p{Extended_Pictographic}\ufe0f?\p{Emoji_Modifier}?)*/gu;
/**
 * Control, bidi, zero-width and tag characters, letters without a shape, and what is no character: they move a
 * terminal's cursor, turn text around or cannot be seen.
 */
export const UNSEEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\p{Noncharacter_Code_Point}\u2800]/u;

/**
 * For the schema of a name that people give: what cannot be seen, or turns text around, would make it look like another
 * one. Only what is sent is checked so: what was stored before stays readable.
 */
export function refuseUnseen(
  name: string,
  context: { addIssue(issue: { code: 'custom'; message: string }): void },
): void {
  const [unseen] = UNSEEN.exec(name.replace(EMOJI, '')) ?? [];
  if (unseen === undefined) return;
  const code = unseen.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0');
  context.addIssue({
    code: 'custom',
    message: `It contains the character U+${code}, which cannot be seen or turns text around. Remove it.`,
  });
}

/** Of what `refuseUnseen` says, for a sentence in another language. null: it is about something else. */
export const unseenCharacter = (message: unknown): string | null =>
  /the character (U\+[0-9A-F]{4,6}), which/.exec(String(message))?.[1] ?? null;
