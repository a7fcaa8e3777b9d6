const icon = (path: string): string =>
  `<svg viewBox="0 0 32 32" fill="none" stroke="currentColor" stroke-width="3" stroke-linecap="round" stroke-linejoin="round">${path}</svg>`;

/** For the badge of a status page. */
export const icons = {
  good: icon('<path d="m7 17 6 6 12-13"/>'),
  wait: icon('<path d="M16 4a12 12 0 1 1-12 12"/>'),
  bad: icon('<path d="M16 7v11m0 6v.01"/>'),
};
