const kept = 1024;

/** Passes log lines on and keeps the last ones for `getLog`. */
export class RecentLog {
  private readonly lines: string[] = [];
  private total = 0;

  constructor(private readonly log: (line: object) => void) {}

  readonly write = (line: object): void => {
    this.total++;
    this.lines.push(JSON.stringify({ t: { $date: new Date().toISOString() }, ...line }));
    if (this.lines.length > kept) this.lines.shift();
    this.log(line);
  };

  get recent(): { totalLinesWritten: number; log: string[] } {
    return { totalLinesWritten: this.total, log: [...this.lines] };
  }
}
