/** The stand-in for a character that no font of ours can draw. */
const MISSING = '□';

/**
 * The text as the document's font can draw it. Pictographs are left out (they carry no legal meaning); what no font
 * of ours has becomes a box, so that a reader sees that something stood there. The e-invoice and the page keep the original.
 */
export function printable(text: string, canDraw: (codePoint: number) => boolean): string {
  const plain = text
    .normalize('NFC')
    .replace(/\r\n?|[\u2028\u2029]/g, '\n')
    .replace(/\t/g, ' ')
    // Controls, direction marks, joiners, variation selectors and half surrogates.
    .replace(/(?!\n)[\p{Cc}\p{Cf}\p{Cs}\ufe00-\ufe0f]/gu, '')
    .replace(/ ?\p{Extended_Pictographic}[\p{Emoji_Modifier}\p{Extended_Pictographic}]*/gu, (found) =>
      [...found.trim()].every((each) => canDraw(each.codePointAt(0)!)) ? found : '',
    );
  return [...plain].map((each) => (each === '\n' || canDraw(each.codePointAt(0)!) ? each : MISSING)).join('');
}
