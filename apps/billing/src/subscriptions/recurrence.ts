import { Temporal } from 'temporal-polyfill';
import { dateFault } from '../invoices/business-date';

export type Frequency = 'weekly' | 'monthly' | 'quarterly' | 'yearly';

/** The occurrence that the others are counted from, where the rhythm has changed since the start. */
export interface Anchor {
  /** YYYY-MM-DD. */
  readonly date: string;
  readonly index: number;
  /** Of the month; the date's own is earlier where its month is too short. */
  readonly day: number;
}

/** Occurrence n is start + n × interval periods, counted from the start each time: 31 Jan → 28 Feb → 31 Mar. */
export interface Schedule {
  readonly freq: Frequency;
  /** Every so many periods, ≥ 1. */
  readonly interval: number;
  /** YYYY-MM-DD: occurrence 0. */
  readonly startDate: string;
  /** Absent: occurrence 0. */
  readonly anchor?: Anchor | undefined;
}

const MONTHS = { monthly: 1, quarterly: 3, yearly: 12 } as const;
const DAY_MS = 86_400_000;

/** YYYY-MM-DD of occurrence `index` (from 0), or undefined beyond the years that an invoice can be dated in. */
export function occurrenceDate(schedule: Schedule, index: number): string | undefined {
  const { freq, interval } = schedule;
  const anchor = anchorOf(schedule);
  const count = index - anchor.index;
  const [year, month, dayOfDate] = partsOf(anchor.date);
  if (freq === 'weekly') return dateOf(new Date(Date.UTC(year, month - 1, dayOfDate + 7 * interval * count)));
  const { day } = anchor;
  const monthIndex = month - 1 + count * interval * MONTHS[freq];
  const lastDay = new Date(Date.UTC(year, monthIndex + 1, 0)).getUTCDate();
  return dateOf(new Date(Date.UTC(year, monthIndex, Math.min(day, lastDay))));
}

const anchorOf = ({ startDate, anchor }: Schedule): Anchor =>
  anchor ?? { date: startDate, index: 0, day: partsOf(startDate)[2] };

/** Where another rhythm goes on from occurrence `index`: that one stays where it is. */
export function anchoredAt(schedule: Schedule, index: number): Anchor | undefined {
  const date = occurrenceDate(schedule, index);
  if (date === undefined) return undefined;
  return { date, index, day: schedule.freq === 'weekly' ? partsOf(date)[2] : anchorOf(schedule).day };
}

/** The first occurrence, from the anchor on, that is not before `date`. */
export function firstIndexFrom(schedule: Schedule, date: string): number {
  const { freq, interval } = schedule;
  const anchor = anchorOf(schedule);
  if (date <= anchor.date) return anchor.index;
  const [startYear, startMonth] = partsOf(anchor.date);
  const [year, month] = partsOf(date);
  const passed =
    freq === 'weekly'
      ? (Date.parse(date) - Date.parse(anchor.date)) / (7 * DAY_MS)
      : ((year - startYear) * 12 + month - startMonth) / MONTHS[freq];
  const index = anchor.index + Math.floor(passed / interval);
  const occurrence = occurrenceDate(schedule, index);
  return occurrence !== undefined && occurrence < date ? index + 1 : index;
}

/** The instant at which a day begins in an IANA zone; where midnight is skipped by summer time, the first instant after it. */
export const startOfDay = (date: string, timezone: string): Date =>
  new Date(Temporal.PlainDate.from(date).toZonedDateTime(timezone).epochMilliseconds);

const partsOf = (date: string): [number, number, number] => date.split('-').map(Number) as [number, number, number];

function dateOf(utc: Date): string | undefined {
  if (Number.isNaN(utc.getTime())) return undefined;
  const text = utc.toISOString().slice(0, 10);
  return dateFault(text) === undefined ? text : undefined;
}
