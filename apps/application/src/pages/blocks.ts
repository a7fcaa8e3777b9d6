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
  readonly type?: 'text' | 'email' | 'date' | 'search' | 'url' | 'password' | 'color' | 'number' | 'file';
  readonly options?: readonly { readonly value: string; readonly label: string }[];
  /** Boxes of one name, to tick any of; `value` says nothing. */
  readonly choices?: readonly ChoiceBlock[];
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
  /** Of a file: which kinds, as `image/png,image/jpeg`. */
  readonly accept?: string;
}

export interface ChoiceBlock {
  readonly value: string;
  readonly label: string;
  readonly hint?: string;
  readonly isChosen: boolean;
}

/** A text to take along: a link, a secret that is shown once. */
export interface CopyBlock {
  readonly label: string;
  readonly value: string;
}

export interface PasskeyBlock {
  /** Where the script gets what to ask the device for. */
  readonly optionsUrl: string;
  /** Where the device's answer goes, as the field `response`. */
  readonly answerUrl: string;
  readonly kind: 'get' | 'create';
  readonly label: string;
}

/** A picture, as a `data:` address. */
export interface PictureBlock {
  readonly source: string;
  readonly alt: string;
  readonly width: number;
  readonly height: number;
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
  /** It carries a file. */
  readonly hasFile?: boolean;
  /** Answers the section marked `isLive` for what is being typed. */
  readonly liveUrl?: string;
}

export interface SectionBlock {
  readonly title?: string;
  readonly text?: string;
  readonly facts?: readonly (readonly [label: string, value: Cell])[];
  readonly copies?: readonly CopyBlock[];
  readonly picture?: PictureBlock | undefined;
  /** A button that asks this device for a passkey; it is there where the browser can do that. */
  readonly passkey?: PasskeyBlock;
  /** Shown as it is, letter by letter. */
  readonly code?: string | undefined;
  /** Replaced while somebody types into the form with a `liveUrl`. */
  readonly isLive?: boolean;
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
