// The rendered reference, with try-it-out. The document lies beside this page; nothing is asked of anybody else.
// `admin quickstart` prints an address with a key of a test organisation behind the #, which never leaves the browser: it is filled in, and
// taken out of the address.
const key = /^#key=(ik_test_\w+)$/.exec(location.hash)?.[1];
if (key) history.replaceState(null, '', location.pathname + location.search);

window.Scalar.createApiReference('#reference', {
  url: 'openapi.json',
  theme: 'none',
  withDefaultFonts: false,
  telemetry: false,
  agent: { disabled: true },
  mcp: { disabled: true },
  defaultOpenAllTags: true,
  hideClientButton: true,
  showDeveloperTools: 'never',
  persistAuth: false,
  authentication: { preferredSecurityScheme: 'apiKey', ...(key && { securitySchemes: { apiKey: { token: key } } }) },
  defaultHttpClient: { targetKey: 'shell', clientKey: 'curl' },
});

// Scalar 1.72 leaves its copy buttons without a name.
const nameButtons = () => {
  for (const button of document.querySelectorAll('button:not([aria-label])'))
    if (button.className.includes('copy-button') && !button.innerText.trim()) button.setAttribute('aria-label', 'Copy');
};
new MutationObserver(nameButtons).observe(document.body, { childList: true, subtree: true });
