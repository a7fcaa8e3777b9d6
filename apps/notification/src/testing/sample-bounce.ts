interface BouncedMessage {
  /** Where the report goes: the envelope sender of what came back. */
  readonly to: string;
  readonly messageId: string;
  readonly action?: string;
  /** Whether the whole message comes back, or its headers alone. */
  readonly whole?: boolean;
}

/** A delivery status notification as Postfix writes it (RFC 3464). */
export const sampleBounce = ({ to, messageId, action = 'failed', whole = true }: BouncedMessage): string =>
  [
    'Return-Path: <>',
    'From: MAILER-DAEMON@mx.example.com (Mail Delivery System)',
    `To: ${to}`,
    'Subject: Undelivered Mail Returned to Sender',
    'Auto-Submitted: auto-replied',
    'MIME-Version: 1.0',
    'Content-Type: multipart/report; report-type=delivery-status; boundary="b1"',
    '',
    '--b1',
    'Content-Type: text/plain; charset=us-ascii',
    '',
    'I am sorry to have to inform you that your message could not be delivered.',
    '',
    '--b1',
    'Content-Description: Delivery report',
    'Content-Type: message/delivery-status',
    '',
    'Reporting-MTA: dns; mx.example.com',
    'Arrival-Date: Sat, 21 Nov 2026 03:04:05 +0000',
    '',
    'Final-Recipient: rfc822; jan@example.com',
    `Action: ${action}`,
    'Status: 5.1.1',
    'Remote-MTA: dns; mail.example.com',
    'Diagnostic-Code: smtp; 550 5.1.1 <jan@example.com>: Recipient address rejected:',
    '    User unknown',
    '',
    '--b1',
    `Content-Type: ${whole ? 'message/rfc822' : 'text/rfc822-headers'}`,
    '',
    'Received: by mx.example.com; Sat, 21 Nov 2026 03:04:05 +0000',
    `Message-ID: <${messageId}@example.com>`,
    'From: Bakkerij <invoices@example.com>',
    'Subject: Factuur 2026-0001',
    ...(whole ? ['', 'Beste Jan,', ''] : ['']),
    '--b1--',
    '',
  ].join('\r\n');
