// Makes the pages nicer; everything works without it.
(() => {
  // The lines are folded away on a phone, where the form matters more.
  const lines = document.querySelector('.lines');
  if (lines && window.matchMedia('(max-width: 54.9rem)').matches) lines.open = false;

  // One press is enough. Coming back with "back" shows the page as it was, ready to be used again.
  const form = document.querySelector('[data-pay-form]');
  if (form) {
    const button = form.querySelector('.pay');
    const label = button.querySelector('[data-label]');
    const text = label.textContent;
    form.addEventListener('submit', (event) => {
      // Another language is no payment.
      if (event.submitter?.name === 'language') return;
      if (button.getAttribute('aria-disabled') === 'true') {
        event.preventDefault();
        return;
      }
      button.setAttribute('aria-disabled', 'true');
      label.textContent = button.dataset.busy;
    });
    window.addEventListener('pageshow', () => {
      button.removeAttribute('aria-disabled');
      label.textContent = text;
    });

    // What a number looks like depends on the country.
    const country = form.elements.countryCode;
    const hints = [...form.querySelectorAll('[data-hints]')].map((hint) => [hint, JSON.parse(hint.dataset.hints)]);
    if (country) {
      const show = () => hints.forEach(([hint, by]) => (hint.textContent = by[country.value] ?? ''));
      country.addEventListener('change', show);
      // A browser that goes back keeps what was chosen.
      window.addEventListener('pageshow', show);
    }
  }

  // A page that waits (for a payment, for its invoice) asks until the answer changes, ever less often.
  const waiting = document.querySelector('[data-status-url]');
  if (waiting) {
    let delay = 1500;
    const ask = async () => {
      // Nobody looks: ask when somebody does.
      if (document.hidden) return void setTimeout(ask, delay);
      try {
        const response = await fetch(waiting.dataset.statusUrl, { cache: 'no-store' });
        const { state } = await response.json();
        if (response.ok && state !== waiting.dataset.state) {
          window.location.reload();
          return;
        }
      } catch {
        // Offline for a moment: the next question will tell.
      }
      delay = Math.min(delay * 1.3, 15000);
      setTimeout(ask, delay);
    };
    setTimeout(ask, delay);
  }

  const onward = document.querySelector('[data-continue]');
  if (onward) setTimeout(() => window.location.assign(onward.href), 5000);
})();
