/** How something stands, as colour and weight; the words say it too. */
export type Tone = 'good' | 'warning' | 'bad' | 'plain';

/** One cell of a table, or the value of a fact. */
export interface Cell {
  readonly text: string;
  readonly href?: string | undefined;
  /** Shown as a label. */
  readonly tone?: Tone | undefined;
  /** A button, for what changes something. */
  readonly form?: FormBlock | undefined;
}

export interface Column {
  readonly label: string;
  /** Amounts and counts stand at the right. */
  readonly isNumber?: boolean;
}

export interface TableBlock {
  /** Says what is listed; for those who hear the page. */
  readonly caption: string;
  readonly columns: readonly Column[];
  readonly rows: readonly (readonly Cell[])[];
  /** Said when there are none: what to do first. */
  readonly empty: string;
}

export interface FieldBlock {
  readonly name: string;
  readonly label: string;
  readonly value: string;
  readonly type?: 'text' | 'email' | 'date' | 'search' | 'url';
  readonly options?: readonly { readonly value: string; readonly label: string }[];
  readonly rows?: number;
  readonly required?: boolean;
  readonly hint?: string;
  readonly fault?: string | undefined;
  readonly autocomplete?: string;
  readonly inputMode?: 'decimal' | 'numeric' | 'email';
  readonly maxLength?: number;
  /** `data-…` attributes, for the script. */
  readonly data?: Readonly<Record<string, string>>;
  /** Has the keyboard when the page opens. */
  readonly autofocus?: boolean;
}

/** A link that looks like a button. */
export interface ActionBlock {
  readonly label: string;
  readonly href: string;
  readonly isPrimary?: boolean;
}

export interface FormBlock {
  readonly action: string;
  /** get: a search, which changes nothing. */
  readonly method?: 'get' | 'post';
  readonly submit: string;
  readonly tone?: 'primary' | 'danger' | 'plain' | '';
  readonly fields?: readonly FieldBlock[];
  readonly hidden?: Readonly<Record<string, string>>;
  readonly cancel?: string;
}

export interface SectionBlock {
  readonly title?: string;
  readonly text?: string;
  readonly facts?: readonly (readonly [label: string, value: Cell])[];
  readonly table?: TableBlock;
  readonly forms?: readonly FormBlock[];
  readonly actions?: readonly ActionBlock[];
}

export interface NoticeBlock {
  readonly tone: Tone;
  readonly title?: string;
  readonly text: string;
}

/** What most pages are: a title, what can be done, and sections one under the other. */
export interface PageBlock {
  readonly title: string;
  readonly intro?: string;
  readonly state?: Cell;
  readonly back?: ActionBlock;
  readonly notice?: NoticeBlock | undefined;
  /** Of the form on the page, with the field that each stands beside. */
  readonly faults?: readonly { readonly field: string; readonly message: string }[];
  readonly actions?: readonly ActionBlock[];
  readonly sections: readonly SectionBlock[];
  readonly isNarrow?: boolean;
}

export const plain = (text: string): Cell => ({ text });
export const linked = (text: string, href: string): Cell => ({ text, href });
