import { plainText } from './unreadable';

/** What Dutch and German banks put into one free field. */
export interface Described {
  readonly counterName: string;
  readonly counterIban: string;
  readonly endToEndId: string;
  readonly creditorReference: string;
  readonly text: string;
  readonly isReturn: boolean;
}

const SLASHED =
  'TRTP IBAN BIC NAME REMI EREF ORDP BENM CNTP MARF CSID ID ADDR ISDT RTRN SVCL PREF PURP ULTD ULTB'.split(' ');
const WORDED = 'IBAN BIC NAAM NAME OMSCHRIJVING KENMERK VALUTADATUM MACHTIGING INCASSANT'.split(' ');
const SLASHES = new RegExp(`/(${SLASHED.join('|')})/`, 'g');
const WORDS = new RegExp(`(?:^|\\s)(${WORDED.join('|')})(?: ID)?:\\s`, 'gi');
const IBAN = /\b[A-Z]{2}\d{2}[A-Z0-9]{11,30}\b/;

/** Reads `/NAME/…/REMI/…`, `Naam: … Omschrijving: …` or `?20…?32…`; text that is none of them is the remittance text as a whole. */
export function describeMovement(raw: string): Described {
  if (/^\d{3}\?\d\d/.test(raw)) return germanFields(raw);
  const slashed = fieldsOf(raw, SLASHES);
  if (slashed.size > 0) return fromSlashed(slashed, raw);
  const worded = fieldsOf(raw, WORDS);
  const text = worded.get('OMSCHRIJVING');
  if (text === undefined && !worded.has('IBAN')) return described({ text: raw });
  return described({
    text: text ?? '',
    name: worded.get('NAAM') ?? worded.get('NAME') ?? '',
    iban: worded.get('IBAN') ?? '',
    endToEndId: worded.get('KENMERK') ?? '',
  });
}

/** Text after each key, up to the next; the first of a key counts. */
function fieldsOf(raw: string, keys: RegExp): Map<string, string> {
  const found = [...raw.matchAll(keys)];
  const fields = new Map<string, string>();
  found.forEach((match, index) => {
    const key = match[1]!.toUpperCase();
    const value = raw.slice(match.index + match[0].length, found[index + 1]?.index ?? raw.length);
    if (!fields.has(key)) fields.set(key, value.replace(/^\/+|\/+$/g, '').trim());
  });
  return fields;
}

function fromSlashed(fields: Map<string, string>, raw: string): Described {
  const [iban = '', , name = ''] = (fields.get('CNTP') ?? '').split('/');
  const remittance = fields.get('REMI') ?? '';
  const structured = /^STRD\/(?:CUR\/)?(.*)$/.exec(remittance)?.[1];
  return described({
    text: structured === undefined ? remittance.replace(/^USTD\/\//, '') : '',
    name: fields.get('NAME') ?? name,
    iban: fields.get('IBAN') ?? iban,
    endToEndId: fields.get('EREF') ?? '',
    creditorReference: structured ?? '',
    isReturn: fields.has('RTRN'),
    raw: fields.has('REMI') ? '' : raw,
  });
}

/** `166?00…?20…?29 text ?30 BIC ?31 IBAN ?32 ?33 name ?60…?63 text`. */
function germanFields(raw: string): Described {
  const fields = new Map([...raw.matchAll(/\?(\d\d)([^?]*)/g)].map(([, key = '', value = '']) => [key, value]));
  const among = (from: number, to: number): string =>
    [...fields]
      .filter(([key]) => Number(key) >= from && Number(key) <= to)
      .map(([, value]) => value)
      .join('');
  const text = among(20, 29) + among(60, 63);
  const endToEndId = /EREF\+(.*?)(?=[A-Z]{4}\+|$)/.exec(text)?.[1] ?? '';
  const remittance = /SVWZ\+(.*?)(?=[A-Z]{4}\+|$)/.exec(text)?.[1] ?? text;
  return described({ text: remittance, name: among(32, 33), iban: fields.get('31') ?? '', endToEndId });
}

interface Fields {
  readonly text: string;
  readonly name?: string;
  readonly iban?: string;
  readonly endToEndId?: string;
  readonly creditorReference?: string;
  readonly isReturn?: boolean;
  /** When nothing in it is the remittance text. */
  readonly raw?: string;
}

const described = ({
  text,
  name,
  iban = '',
  endToEndId = '',
  creditorReference,
  isReturn = false,
  raw,
}: Fields): Described => ({
  text: plainText(text || raw),
  counterName: plainText(name, 140),
  counterIban: IBAN.exec(iban.replace(/\s/g, ''))?.[0] ?? '',
  endToEndId: /^NOT ?PROVIDED$|^NONREF$/i.test(endToEndId) ? '' : plainText(endToEndId, 100),
  creditorReference: plainText(creditorReference, 100),
  isReturn,
});
