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

  // What is looked for in an editor is found while it is typed; its button does the same without a script.
  for (const search of document.querySelectorAll('input[data-choices-url]')) {
    const choices = document.getElementById(search.dataset.choicesFor);
    let timer;
    let asked = 0;
    const find = async () => {
      const mine = ++asked;
      try {
        const body = new URLSearchParams(new FormData(search.form));
        const response = await fetch(search.dataset.choicesUrl, { method: 'POST', body });
        const text = await response.text();
        if (response.ok && mine === asked) choices.innerHTML = text;
      } catch {
        // Offline for a moment: the button asks again.
      }
    };
    search.addEventListener('input', (event) => {
      event.stopPropagation();
      clearTimeout(timer);
      timer = setTimeout(find, 200);
    });
    search.addEventListener('keydown', (event) => {
      if (event.key !== 'Enter') return;
      event.preventDefault();
      clearTimeout(timer);
      find();
    });
    search.closest('.search-row').querySelector('[data-search-button]').hidden = true;
  }

  // A part of the page that follows what is typed, as the server says it: totals, dates of a subscription, the look of documents. What
  // comes too late is dropped.
  const watched = document.querySelector('form[data-live-url]');
  if (watched) {
    let timer;
    let asked = 0;
    const ask = async () => {
      const mine = ++asked;
      try {
        const fields = [...new FormData(watched)].filter(([, value]) => typeof value === 'string');
        const response = await fetch(watched.dataset.liveUrl, { method: 'POST', body: new URLSearchParams(fields) });
        const text = await response.text();
        const shown = document.querySelector('[data-live]');
        if (response.ok && mine === asked && shown) shown.outerHTML = text;
      } catch {
        // Offline for a moment: the next letter asks again.
      }
    };
    watched.addEventListener('input', () => {
      clearTimeout(timer);
      timer = setTimeout(ask, 300);
    });
  }

  // A passkey of this device: the server says what to ask for, and checks the answer.
  const parse = {
    get: window.PublicKeyCredential?.parseRequestOptionsFromJSON,
    create: window.PublicKeyCredential?.parseCreationOptionsFromJSON,
  };
  for (const form of document.querySelectorAll('form[data-passkey]')) {
    const kind = form.dataset.passkey;
    if (!parse[kind]) continue;
    form.hidden = false;
    const fault = form.querySelector('[role=alert]');
    form.addEventListener('submit', async (event) => {
      event.preventDefault();
      fault.hidden = true;
      try {
        const asked = await fetch(form.dataset.optionsUrl, { method: 'POST' });
        const publicKey = parse[kind].call(window.PublicKeyCredential, await asked.json());
        const credential = await navigator.credentials[kind]({ publicKey });
        form.elements.response.value = JSON.stringify(credential);
        form.submit();
      } catch {
        // Broken off, or there is none on this device.
        fault.hidden = false;
      }
    });
  }

  for (const copy of document.querySelectorAll('[data-copy]')) {
    const button = copy.querySelector('button');
    const text = copy.querySelector('input');
    button.hidden = !navigator.clipboard;
    text.addEventListener('focus', () => text.select());
    button.addEventListener('click', async () => {
      await navigator.clipboard.writeText(text.value);
      button.textContent = button.dataset.done;
    });
  }

  // The part that is open is in sight, also where the parts scroll sideways.
  const current = document.querySelector('.parts [aria-current="page"]');
  if (current) current.scrollIntoView({ block: 'nearest', inline: 'center' });
})();
