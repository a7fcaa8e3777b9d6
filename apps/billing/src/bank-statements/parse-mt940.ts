import type { StatementLine, StatementPart } from './bank-line';
import { describeMovement } from './describe-movement';
import { StatementSums } from './statement-sums';
import { centsOf, dateOf, plainText, unreadable } from './unreadable';

const MAX_LINE = 10_000;
const MAX_FIELD = 20_000;
const TAG = /^:(\d{2}[A-Z]?):(.*)$/;
// Value date, entry date, mark (R: reversal), funds code, amount, type, reference of the owner, reference of the bank, supplement.
const MOVEMENT =
  /^(\d{2})(\d{2})(\d{2})(\d{2})?(\d{2})?(R?[CD])[A-Z]?(\d+,\d*)[A-Z][A-Z0-9]{3}(.*?)(?:\/\/(.*?))?(?:\n(.*))?$/s;
const BALANCE = /^([CD])(\d{2})(\d{2})(\d{2})([A-Z]{3})(\d+,\d*)/;

/**
 * SWIFT MT940, as Dutch and German banks write it: a tag a field, which may go on in the lines after it; what a movement was for stands in
 * field 86, in one of the forms of `describeMovement`. There is no streaming parser of it that is kept up. Throws `validation`.
 */
export async function* parseMt940(text: AsyncIterable<string>): AsyncIterable<StatementPart> {
  const reader = new Mt940Reader();
  for await (const line of linesOf(text)) {
    const parts = reader.line(line);
    yield* parts;
  }
  yield* reader.close();
}

async function* linesOf(text: AsyncIterable<string>): AsyncIterable<string> {
  let rest = '';
  for await (const chunk of text) {
    const lines = (rest + chunk).split(/\r\n|\n|\r(?!$)/);
    rest = lines.pop() ?? '';
    if (rest.length > MAX_LINE) throw unreadable('a line of it is too long');
    yield* lines;
  }
  yield rest.replace(/\r$/, '');
}

class Mt940Reader {
  private tag = '';
  private value = '';
  private sums: StatementSums | undefined;
  private number = '';
  private opening: { cents: number; date: string; currency: string } | undefined;
  private closing: { cents: number; date: string } | undefined;
  private movement: StatementLine | undefined;
  private statements = 0;

  line(line: string): StatementPart[] {
    const [, tag, value = ''] = TAG.exec(line) ?? [];
    if (tag === undefined) {
      // A block's end, or the header of a message; else the field goes on.
      if (!line.startsWith('-') && !line.startsWith('{')) this.value += `\n${line}`;
      if (this.value.length > MAX_FIELD) throw unreadable('a field of it is too long');
      return [];
    }
    const parts = this.field();
    [this.tag, this.value] = [tag, value];
    return parts;
  }

  close(): StatementPart[] {
    const parts = [...this.field(), ...this.finish()];
    if (this.statements === 0) throw unreadable('there is no statement in it');
    return parts;
  }

  /** Takes in the field that has just ended. */
  private field(): StatementPart[] {
    const value = this.value.trimEnd();
    switch (this.tag) {
      case '20':
        return this.finish();
      case '25':
        this.sums = new StatementSums(accountOf(value));
        return [];
      case '28C':
      case '28':
        this.number = plainText(value, 100);
        return [];
      case '60F':
      case '60M':
        this.opening ??= balanceOf(value);
        return [];
      case '61': {
        const parts = this.pending();
        this.movement = this.movementOf(value);
        return parts;
      }
      case '86':
        return this.pending(value.replaceAll('\n', ''));
      case '62F':
      case '62M':
        this.closing = balanceOf(value);
        return this.pending();
      default:
        return [];
    }
  }

  /** The movement before, once it is known what it was for. */
  private pending(description = ''): StatementPart[] {
    const { movement, sums } = this;
    this.movement = undefined;
    if (!movement || !sums) return [];
    const { isReturn, ...said } = describeMovement(description);
    const line: StatementLine = {
      ...movement,
      ...said,
      counterIban: said.counterIban || movement.counterIban,
      ...((isReturn || movement.special) && { special: 'reversal' }),
    };
    sums.add(line);
    return [{ kind: 'line', line }];
  }

  private finish(): StatementPart[] {
    const parts = this.pending();
    if (this.sums && this.opening) {
      const statement = this.sums.head({
        ...{ number: this.number, date: this.closing?.date ?? this.opening.date, openingCents: this.opening.cents },
        ...(this.closing && { closingCents: this.closing.cents }),
      });
      parts.push({ kind: 'statement', statement });
      this.statements += 1;
    }
    [this.sums, this.opening, this.closing, this.number] = [undefined, undefined, undefined, ''];
    return parts;
  }

  private movementOf(value: string): StatementLine {
    const found = MOVEMENT.exec(value);
    if (!found || !this.sums || !this.opening) throw unreadable(`":61:${plainText(value, 60)}" is not a movement`);
    const [, year = '', month = '', day = '', entryMonth, entryDay, mark = '', amount = '', , bank = '', extra = ''] =
      found;
    const valued = dateOf(`20${year}`, month, day, ':61:');
    const cents = centsOf(amount, ',', ':61:');
    // RC takes a debit back, RD a credit: RC comes in, RD goes out.
    const isOut = mark === 'D' || mark === 'RD';
    return {
      account: this.sums.account,
      bookedOn: entryMonth && entryDay ? entryDate(valued, entryMonth, entryDay) : valued,
      amountCents: isOut && cents !== 0 ? -cents : cents,
      currency: this.opening.currency,
      counterName: '',
      counterIban: /\b[A-Z]{2}\d{2}[A-Z0-9]{11,30}\b/.exec(extra)?.[0] ?? '',
      bankReference: bank.trim() === 'NONREF' ? '' : plainText(bank, 100),
      endToEndId: '',
      creditorReference: '',
      text: '',
      ...(mark.startsWith('R') && { special: 'reversal' }),
    };
  }
}

/** `NL91ABNA0417164300EUR`, `NL91ABNA0417164300`, or a bank code and a number. */
const accountOf = (value: string): string =>
  plainText(value.replace(/^([A-Z]{2}\d{2}[A-Z0-9]+?)[ ]?(EUR)?$/, '$1'), 40);

function balanceOf(value: string): { cents: number; date: string; currency: string } {
  const [, mark, year = '', month = '', day = '', currency = '', amount = ''] = BALANCE.exec(value) ?? [];
  if (!mark) throw unreadable(`"${plainText(value, 60)}" is not a balance`);
  const cents = centsOf(amount, ',', 'balance');
  return { cents: mark === 'D' ? -cents : cents, date: dateOf(`20${year}`, month, day, 'balance'), currency };
}

/** An entry in January of something valued in December, and the other way round. */
function entryDate(valued: string, month: string, day: string): string {
  const [year = '', valuedMonth = ''] = valued.split('-');
  const shift = Number(month) - Number(valuedMonth);
  return dateOf(String(Number(year) + (shift < -6 ? 1 : shift > 6 ? -1 : 0)), month, day, ':61:');
}
