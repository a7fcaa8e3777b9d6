// Looks whether something new has come, and only then shows the page anew: until then what was unfolded stays so.
(() => {
  const EVERY_MS = 3000;
  setInterval(async () => {
    const answer = await fetch(location.href, { method: 'HEAD' }).catch(() => undefined);
    if (answer?.ok && answer.headers.get('x-received') !== document.body.dataset.received) location.reload();
  }, EVERY_MS);
})();
