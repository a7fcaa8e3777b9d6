import { v5 } from 'uuid';
import { AppError, validationError, type Violation } from '@invoicing/errors';
import { isEmailAddress } from '@invoicing/rules';
import { SIGN_IN_LANGUAGES, composeSignInMail, type SignInMail } from './compose-sign-in-mail';
import { MailFailure, type MailTransport, type OutgoingMail } from './mail-transport';

/** What sending it needs. */
export interface SignInMailPorts {
  readonly transport: MailTransport;
  readonly from: OutgoingMail['from'];
}

/** A message as it was asked for, not checked yet. */
export interface AskedSignIn extends Omit<SignInMail, 'language'> {
  readonly to: string;
  readonly language: string;
}

const SIGN_IN_MAILS = 'b3a1c7de-5d0b-4f6e-9f0b-0c2f2c1f7a55';
const MAX_URL = 2_000;
const MAX_CODE = 20;
const MAX_NAME = 200;

/**
 * Sends the mail by which somebody signs in, once; nothing of it is kept, for it holds what signs in. Throws `validation`, or
 * `unavailable` when the mail server takes it not.
 */
export async function sendSignIn(
  { transport, from }: SignInMailPorts,
  asked: AskedSignIn,
  signal: AbortSignal,
): Promise<void> {
  const mail: OutgoingMail = {
    id: idOf(asked),
    from,
    to: { name: '', address: asked.to },
    replyTo: from.address,
    ...composeSignInMail(checked(asked)),
    attachments: [],
    date: new Date(),
  };
  try {
    await transport.send(mail, signal);
  } catch (error) {
    if (!(error instanceof MailFailure)) throw error;
    if (error.permanent) throw validationError([{ path: '/to', message: 'is refused by its mail server' }]);
    throw new AppError('unavailable', 'unavailable', `mail not sent: ${error.code}`, { cause: error });
  }
}

function checked(asked: AskedSignIn): SignInMail {
  const faults: Violation[] = [];
  const language = SIGN_IN_LANGUAGES.find((each) => each === asked.language);
  if (!isEmailAddress(asked.to)) faults.push({ path: '/to', message: 'must be an e-mail address' });
  if (asked.url.length > MAX_URL || !/^https?:\/\/[^\s]+$/.test(asked.url) || !URL.canParse(asked.url))
    faults.push({ path: '/url', message: 'must be an absolute http or https address' });
  if (asked.code.length > MAX_CODE) faults.push({ path: '/code', message: `has at most ${MAX_CODE} characters` });
  if (asked.organizationName.length > MAX_NAME)
    faults.push({ path: '/organizationName', message: `has at most ${MAX_NAME} characters` });
  if (!language) faults.push({ path: '/language', message: `must be one of ${SIGN_IN_LANGUAGES.join(', ')}` });
  if (faults.length > 0 || !language) throw validationError(faults);
  return { ...asked, language };
}

/** Message-ID and file name, from what makes this message this one. */
const idOf = ({ to, url }: AskedSignIn): string => v5(`${to}\n${url}`, SIGN_IN_MAILS);
