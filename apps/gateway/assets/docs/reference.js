// The rendered reference, with try-it-out. The document lies beside this page.
window.SwaggerUIBundle({
  url: 'openapi.json',
  dom_id: '#reference',
  deepLinking: true,
  tryItOutEnabled: true,
  persistAuthorization: false,
  // No question to a validator elsewhere.
  validatorUrl: null,
});
