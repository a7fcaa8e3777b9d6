// Makes the pages nicer; everything works without it.
(() => {
  // One press is enough. Whoever comes back by "back" finds the page ready again.
  for (const form of document.querySelectorAll('form[data-once]')) {
    form.addEventListener('submit', (event) => {
      if (form.dataset.sent) event.preventDefault();
      form.dataset.sent = 'yes';
      for (const button of form.querySelectorAll('button')) button.setAttribute('aria-disabled', 'true');
    });
    window.addEventListener('pageshow', () => {
      delete form.dataset.sent;
      for (const button of form.querySelectorAll('button')) button.removeAttribute('aria-disabled');
    });
  }

  // What is wrong is where the keyboard is.
  const wrong = document.querySelector('[aria-invalid="true"]') ?? document.querySelector('[data-faults]');
  if (wrong) wrong.focus();

  // The part that is open is in sight, also where the parts scroll sideways.
  const current = document.querySelector('.parts [aria-current="page"]');
  if (current) current.scrollIntoView({ block: 'nearest', inline: 'center' });
})();
