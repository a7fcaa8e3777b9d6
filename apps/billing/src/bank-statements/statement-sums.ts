import type { StatementHead, StatementLine } from './bank-line';

/** What a statement adds up to, line by line. */
export class StatementSums {
  private lineCount = 0;
  private sumCents = 0;
  private from = '';
  private to = '';
  private first: StatementLine | undefined;
  private last: StatementLine | undefined;
  /** Lines whose balance does not follow from the one before, read downwards and upwards. */
  private readonly breaks = { down: 0, up: 0 };
  private hasBalances = true;

  constructor(readonly account: string) {}

  add(line: StatementLine): void {
    const { bookedOn, amountCents, balanceCents } = line;
    this.lineCount += 1;
    this.sumCents += amountCents;
    if (this.from === '' || bookedOn < this.from) this.from = bookedOn;
    if (bookedOn > this.to) this.to = bookedOn;
    this.hasBalances &&= balanceCents !== undefined;
    const before = this.last;
    if (before?.balanceCents !== undefined && balanceCents !== undefined) {
      if (before.balanceCents + amountCents !== balanceCents) this.breaks.down += 1;
      if (before.balanceCents - before.amountCents !== balanceCents) this.breaks.up += 1;
    }
    this.first ??= line;
    this.last = line;
  }

  /** `date`: of a statement without lines. */
  head(said: { number?: string; date?: string; openingCents?: number; closingCents?: number } = {}): StatementHead {
    const { number = '', date = '', openingCents, closingCents } = said;
    const balances = openingCents === undefined && closingCents === undefined ? this.balances() : said;
    return {
      ...{ account: this.account, number, from: this.from || date, to: this.to || date },
      ...{ lineCount: this.lineCount, sumCents: this.sumCents },
      ...(balances.openingCents !== undefined && { openingCents: balances.openingCents }),
      ...(balances.closingCents !== undefined && { closingCents: balances.closingCents }),
    };
  }

  /** Of a format that says the balance after each line; the newest may come first. */
  private balances(): { openingCents?: number; closingCents?: number } {
    if (!this.hasBalances || !this.first || !this.last) return {};
    const isNewestFirst =
      this.breaks.up < this.breaks.down ||
      (this.breaks.up === this.breaks.down && this.first.bookedOn > this.last.bookedOn);
    const [oldest, newest] = isNewestFirst ? [this.last, this.first] : [this.first, this.last];
    return { openingCents: oldest.balanceCents! - oldest.amountCents, closingCents: newest.balanceCents! };
  }
}
