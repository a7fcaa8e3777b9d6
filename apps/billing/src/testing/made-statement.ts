/** A line of a statement that a spec makes. */
export interface MadeLine {
  readonly day: string;
  /** Below 0: it went out. */
  readonly cents: number;
  readonly text: string;
  readonly name?: string;
  readonly iban?: string;
  /** The bank's; none: what the line says tells it apart. */
  readonly reference?: string;
}

const euros = (cents: number): string => (Math.abs(cents) / 100).toFixed(2);
const sign = (cents: number): string => (cents < 0 ? 'DBIT' : 'CRDT');
const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');

/** A camt.053 of one account whose balances add up. */
export function madeStatement(
  lines: readonly MadeLine[],
  { account = 'NL91ABNA0417164300', openingCents = 0, id = 'S' } = {},
): Buffer {
  const closingCents = lines.reduce((sum, { cents }) => sum + cents, openingCents);
  const balance = (code: string, cents: number, day: string): string =>
    `<Bal><Tp><CdOrPrtry><Cd>${code}</Cd></CdOrPrtry></Tp><Amt Ccy="EUR">${euros(cents)}</Amt><CdtDbtInd>${sign(cents)}</CdtDbtInd>` +
    `<Dt><Dt>${day}</Dt></Dt></Bal>`;
  const entries = lines.map(({ day, cents, text, name = '', iban = '', reference = '' }) => {
    const party = cents < 0 ? 'Cdtr' : 'Dbtr';
    return (
      `<Ntry><Amt Ccy="EUR">${euros(cents)}</Amt><CdtDbtInd>${sign(cents)}</CdtDbtInd><Sts>BOOK</Sts><BookgDt><Dt>${day}</Dt></BookgDt>` +
      `<AcctSvcrRef>${reference}</AcctSvcrRef><NtryDtls><TxDtls><RltdPties><${party}><Nm>${escaped(name)}</Nm></${party}>` +
      `<${party}Acct><Id><IBAN>${iban}</IBAN></Id></${party}Acct></RltdPties><RmtInf><Ustrd>${escaped(text)}</Ustrd></RmtInf>` +
      `</TxDtls></NtryDtls></Ntry>`
    );
  });
  const [first, last] = [lines[0]?.day ?? '2026-11-01', lines.at(-1)?.day ?? '2026-11-01'];
  return Buffer.from(
    `<?xml version="1.0"?><Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.02"><BkToCstmrStmt><Stmt><Id>${id}</Id>` +
      `<Acct><Id><IBAN>${account}</IBAN></Id></Acct>${balance('OPBD', openingCents, first)}${balance('CLBD', closingCents, last)}` +
      `${entries.join('')}</Stmt></BkToCstmrStmt></Document>`,
  );
}
