import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { accessibilityFaults, sidewaysOverflow } from '@invoicing/testing';
import type { Locator, Page } from 'playwright-core';

/** Set to a folder to look at what people see. */
const SCREENSHOTS = process.env['SCREENSHOTS'];
const PHONE = { width: 390, height: 844 };
const DESK = { width: 1280, height: 900 };

/** Answers what looks at a page of the application: accessible in both themes, and within the screen of a phone. `walk` begins the names of its pictures. */
export function lookerAt(walk: string): (page: Page, name: string) => Promise<void> {
  if (SCREENSHOTS) mkdirSync(SCREENSHOTS, { recursive: true });
  return async (page, name) => {
    expect([name, await accessibilityFaults(page)]).toEqual([name, []]);
    expect([name, await sidewaysOverflow(page)]).toEqual([name, 0]);
    if (!SCREENSHOTS) return;
    await page.emulateMedia({ colorScheme: 'dark' });
    await picture(page, `${walk}-${name}-phone-dark`);
    await page.emulateMedia({ colorScheme: 'light' });
    await picture(page, `${walk}-${name}-phone`);
    await page.setViewportSize(DESK);
    await picture(page, `${walk}-${name}-light`);
    await page.setViewportSize(PHONE);
  };
}

const picture = (page: Page, name: string): Promise<Buffer> =>
  page.screenshot({ path: join(SCREENSHOTS!, `${name}.png`), fullPage: true });

/**
 * A double click, as impatient people press, and the page that answers it. Playwright does not wait for it by itself, and an address
 * that stays the same says nothing.
 */
export async function pressTwice(button: Locator): Promise<void> {
  const page = button.page();
  await page.evaluate('window.pressed = true');
  await button.dblclick();
  await page.waitForFunction("!window.pressed && document.readyState === 'complete'");
}
