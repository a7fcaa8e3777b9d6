import type { Page } from 'playwright-core';

/**
 * What axe finds wrong on a page: by all its rules in the light theme, and in the dark one, which differs by its colours alone, by those
 * that look at them. Leaves the page in the light theme.
 */
export async function accessibilityFaults(page: Page): Promise<string[]> {
  // Not every spec that imports this library looks at pages.
  const { AxeBuilder } = await import('@axe-core/playwright');
  const faults: string[] = [];
  for (const colorScheme of ['dark', 'light'] as const) {
    // Colours on their way to others are neither theme's.
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    const axe = new AxeBuilder({ page });
    const { violations } = await (colorScheme === 'dark' ? axe.withRules(['color-contrast']) : axe).analyze();
    for (const { id, nodes } of violations)
      faults.push(...nodes.map(({ html }) => `${page.url()}, ${colorScheme}, ${id}: ${html.slice(0, 200)}`));
  }
  return faults;
}

/** Pixels by which a page sticks out sideways of its window. */
export const sidewaysOverflow = (page: Page): Promise<number> =>
  page.evaluate<number>('document.documentElement.scrollWidth - document.documentElement.clientWidth');
