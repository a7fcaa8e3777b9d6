import { Temporal } from 'temporal-polyfill';
import { dateFault } from '../invoices/business-date';

export type Frequency = 'weekly' | 'monthly' | 'quarterly' | 'yearly';

/** Occurrence n is start + n × interval periods, counted from the start each time: 31 Jan → 28 Feb → 31 Mar. */
export interface Schedule {
  readonly freq: Frequency;
  /** Every so many periods, ≥ 1. */
  readonly interval: number;
  /** YYYY-MM-DD, the anchor: occurrence 0. */
  readonly startDate: string;
}

const MONTHS = { monthly: 1, quarterly: 3, yearly: 12 } as const;
const DAY_MS = 86_400_000;

/** YYYY-MM-DD of occurrence `index` (from 0), or undefined beyond the years that an invoice can be dated in. */
export function occurrenceDate(schedule: Schedule, index: number): string | undefined {
  const { freq, interval, startDate } = schedule;
  const [year, month, day] = partsOf(startDate);
  if (freq === 'weekly') return dateOf(new Date(Date.UTC(year, month - 1, day + 7 * interval * index)));
  const monthIndex = month - 1 + index * interval * MONTHS[freq];
  const lastDay = new Date(Date.UTC(year, monthIndex + 1, 0)).getUTCDate();
  return dateOf(new Date(Date.UTC(year, monthIndex, Math.min(day, lastDay))));
}

/** The first occurrence that is not before `date`. */
export function firstIndexFrom(schedule: Schedule, date: string): number {
  const { freq, interval, startDate } = schedule;
  if (date <= startDate) return 0;
  const [startYear, startMonth] = partsOf(startDate);
  const [year, month] = partsOf(date);
  const passed =
    freq === 'weekly'
      ? (Date.parse(date) - Date.parse(startDate)) / (7 * DAY_MS)
      : ((year - startYear) * 12 + month - startMonth) / MONTHS[freq];
  const index = Math.floor(passed / interval);
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
