import { mimeMessage } from './mime-message';

const CONTROL = /[\u0000-\u001f\u007f-\u009f\u2028\u2029]/;

test.each(['\r\n', '\n', '\r', '\u2028', '\u2029', '\u0085', '\u0000', '\t'])(
  'what strangers wrote stays within its header: %j begins no line of its own',
  (separator) => {
    const named = `Jan${separator}Bcc: all@example.com`;
    const { from, to, replyTo, subject, attachments } = mimeMessage({
      id: '886313e1-3b8a-5372-9b90-0c9aee199e5d',
      from: { name: named, address: 'invoices@example.com' },
      to: { name: named, address: 'jan@example.com' },
      replyTo: 'info@example.com',
      subject: named,
      html: '',
      text: '',
      attachments: [{ filename: named, contentType: 'application/pdf', content: Buffer.alloc(0) }],
      date: new Date(0),
    });
    const names = [from, to, replyTo].map((each) => (each as { name: string }).name);
    const texts = [...names, subject, attachments![0]!.filename] as string[];
    expect(texts).toEqual(Array(5).fill('Jan Bcc: all@example.com'));
    for (const text of texts) expect(text).not.toMatch(CONTROL);
  },
);

test('an address is never read as a list of them', () => {
  const address = 'jan@example.com, all@example.com';
  const { to } = mimeMessage({
    id: '886313e1-3b8a-5372-9b90-0c9aee199e5d',
    from: { name: '', address: 'invoices@example.com' },
    to: { name: 'a@example.com, b@example.com', address },
    replyTo: 'invoices@example.com',
    subject: '',
    html: '',
    text: '',
    attachments: [],
    date: new Date(0),
  });
  expect(to).toEqual({ name: 'a@example.com, b@example.com', address });
});
