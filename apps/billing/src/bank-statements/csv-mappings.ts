/** Where a bank's CSV says what: names of columns, or places from 0 where it has no header. */
export interface CsvMapping {
  readonly bank: 'ING' | 'Rabobank' | 'ABN AMRO' | 'Knab' | 'bunq';
  readonly date: 'YYYYMMDD' | 'YYYY-MM-DD' | 'DD-MM-YYYY';
  readonly decimal: ',' | '.';
  readonly columns: {
    readonly account: string | number;
    readonly date: string | number;
    readonly amount: string | number;
    readonly currency?: string | number;
    /** Says which way it went, where the amount has no sign. */
    readonly direction?: string | number;
    readonly name?: string | number;
    readonly iban?: string | number;
    readonly reference?: string;
    readonly endToEndId?: string;
    readonly creditorReference?: string;
    readonly balance?: string | number;
    /** Says why it came back, where it did. */
    readonly returned?: string;
    readonly text: readonly (string | number)[];
  };
  /** Columns that older exports lack. */
  readonly optional?: readonly string[];
  /** What `direction` says of money that went out. */
  readonly out?: string;
  /** The text is a field of `Naam: … Omschrijving: …` or `/NAME/…/REMI/…`. */
  readonly described?: true;
}

/** As the banks' own exports are; docs/bank-and-reminders.md shows it. */
export const CSV_MAPPINGS: readonly CsvMapping[] = [
  {
    bank: 'ING',
    date: 'YYYYMMDD',
    decimal: ',',
    columns: {
      ...{
        account: 'Rekening',
        date: 'Datum',
        amount: 'Bedrag (EUR)',
        direction: 'Af Bij',
        balance: 'Saldo na mutatie',
      },
      ...{ name: 'Naam / Omschrijving', iban: 'Tegenrekening', text: ['Mededelingen'] },
    },
    optional: ['Saldo na mutatie'],
    out: 'Af',
    described: true,
  },
  {
    bank: 'Rabobank',
    date: 'YYYY-MM-DD',
    decimal: ',',
    columns: {
      ...{ account: 'IBAN/BBAN', currency: 'Munt', reference: 'Volgnr', date: 'Datum', amount: 'Bedrag' },
      ...{ balance: 'Saldo na trn', iban: 'Tegenrekening IBAN/BBAN', name: 'Naam tegenpartij' },
      ...{ endToEndId: 'Transactiereferentie', creditorReference: 'Betalingskenmerk', returned: 'Reden retour' },
      text: ['Omschrijving-1', 'Omschrijving-2', 'Omschrijving-3'],
    },
    optional: ['Transactiereferentie', 'Betalingskenmerk', 'Reden retour', 'Omschrijving-2', 'Omschrijving-3'],
  },
  {
    bank: 'Knab',
    date: 'DD-MM-YYYY',
    decimal: ',',
    columns: {
      ...{ account: 'Rekeningnummer', date: 'Transactiedatum', currency: 'Valutacode', direction: 'CreditDebet' },
      ...{ amount: 'Bedrag', iban: 'Tegenrekeningnummer', name: 'Tegenrekeninghouder', reference: 'Referentie' },
      text: ['Omschrijving'],
    },
    out: 'D',
  },
  {
    bank: 'bunq',
    date: 'YYYY-MM-DD',
    decimal: '.',
    columns: {
      ...{ account: 'Account', date: 'Date', amount: 'Amount', iban: 'Counterparty', name: 'Name' },
      text: ['Description'],
    },
  },
  {
    // Tab separated, without a header: account, currency, date, balance before, balance after, interest date, amount, description.
    bank: 'ABN AMRO',
    date: 'YYYYMMDD',
    decimal: ',',
    columns: { account: 0, currency: 1, date: 2, balance: 4, amount: 6, text: [7] },
    described: true,
  },
];
