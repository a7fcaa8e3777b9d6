// Where there is room, all lines are shown; on paper too.
const fold = document.querySelector('[data-fold]');
if (fold && matchMedia('(min-width: 960px)').matches) fold.open = true;
addEventListener('beforeprint', () => fold && (fold.open = true));

// Copy buttons appear only where they work; the page needs no script.
const status = document.getElementById('copied');
for (const button of document.querySelectorAll('[data-copy]')) {
  if (!navigator.clipboard) break;
  button.hidden = false;
  const label = button.textContent;
  button.addEventListener('click', async () => {
    try {
      await navigator.clipboard.writeText(button.dataset.copy);
    } catch {
      // The browser refused: select the text, so that the payer can copy it by hand.
      getSelection().selectAllChildren(button.parentElement.previousElementSibling);
      return;
    }
    button.textContent = button.dataset.copied;
    status.textContent = button.dataset.copied;
    setTimeout(() => {
      button.textContent = label;
      status.textContent = '';
    }, 2000);
  });
}
