import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from 'playwright-core';

/** Set to a folder to look at what people see. */
const SCREENSHOTS = process.env['SCREENSHOTS'];
const PHONE = { width: 390, height: 844 };
const DESK = { width: 1280, height: 900 };

/** Answers what looks at a page of the application: accessible in both themes, and within the screen of a phone. `walk` begins the names of its pictures. */
export function lookerAt(walk: string): (page: Page, name: string) => Promise<void> {
  if (SCREENSHOTS) mkdirSync(SCREENSHOTS, { recursive: true });
  return async (page, name) => {
    await expectAccessible(page, name, 'dark');
    await picture(page, `${walk}-${name}-phone-dark`);
    await expectAccessible(page, name, 'light');
    const overflow = await page.evaluate<number>(
      'document.documentElement.scrollWidth - document.documentElement.clientWidth',
    );
    expect([name, overflow]).toEqual([name, 0]);
    await picture(page, `${walk}-${name}-phone`);
    if (!SCREENSHOTS) return;
    await page.setViewportSize(DESK);
    await picture(page, `${walk}-${name}-light`);
    await page.setViewportSize(PHONE);
  };
}

async function expectAccessible(page: Page, name: string, colorScheme: 'light' | 'dark'): Promise<void> {
  // Colours on their way to others are neither theme's.
  await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
  const axe = new AxeBuilder({ page });
  // Only colours differ between the themes.
  const { violations } = await (colorScheme === 'dark' ? axe.withRules(['color-contrast']) : axe).analyze();
  expect(violations.map(({ id, nodes }) => [name, colorScheme, id, nodes.map(({ html }) => html)])).toEqual([]);
}

async function picture(page: Page, name: string): Promise<void> {
  if (SCREENSHOTS) await page.screenshot({ path: join(SCREENSHOTS, `${name}.png`), fullPage: true });
}
