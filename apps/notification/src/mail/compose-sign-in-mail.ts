import { Eta } from 'eta';
import { fontStack, palettes } from '@invoicing/design';
import { headerText } from './mime-message';
import htmlTemplate from './sign-in-mail.html.eta';
import textTemplate from './sign-in-mail.text.eta';

/** The languages of the application. */
export const SIGN_IN_LANGUAGES = ['nl', 'en'] as const;

/** What the mail by which somebody signs in says. */
export interface SignInMail {
  readonly url: string;
  /** Empty: there is none. */
  readonly code: string;
  /** The organisation that invites; empty: they asked for it themselves. */
  readonly organizationName: string;
  readonly language: (typeof SIGN_IN_LANGUAGES)[number];
}

const html = new Eta({ autoEscape: true });
const text = new Eta({ autoEscape: false, autoTrim: ['nl', false] });
const renderHtml = html.compile(htmlTemplate);
const renderText = text.compile(textTemplate);

/** Subject and both bodies. */
export function composeSignInMail(mail: SignInMail): { subject: string; html: string; text: string } {
  const organization = headerText(mail.organizationName);
  const { asked, invited } = texts[mail.language];
  const view = {
    ...mail,
    ...palettes,
    fontStack,
    texts: { language: mail.language, ...(organization === '' ? asked : invited(organization)) },
  };
  return {
    subject: headerText(view.texts.subject),
    html: html.render(renderHtml, view),
    text: text.render(renderText, view),
  };
}

interface SignInTexts {
  readonly subject: string;
  readonly heading: string;
  readonly intro: string;
  readonly button: string;
  readonly codeIntro: string;
  readonly closing: string;
}

const texts: Record<SignInMail['language'], { asked: SignInTexts; invited: (organization: string) => SignInTexts }> = {
  nl: {
    asked: {
      subject: 'Inloggen',
      heading: 'Inloggen',
      intro: 'Open deze link in de browser waarin u wilde inloggen. Hij werkt één keer, tot tien minuten na nu.',
      button: 'Inloggen',
      codeIntro: 'Of typ daar deze code:',
      closing: 'Hebt u dit niet gevraagd? Dan hoeft u niets te doen. Geef de code aan niemand.',
    },
    invited: (organization) => ({
      subject: `Uitnodiging van ${organization}`,
      heading: `${organization} nodigt u uit`,
      intro: `U kunt meewerken aan de facturen van ${organization}. De link werkt één keer, binnen zeven dagen.`,
      button: 'Uitnodiging bekijken',
      codeIntro: '',
      closing: `Kent u ${organization} niet? Dan hoeft u niets te doen.`,
    }),
  },
  en: {
    asked: {
      subject: 'Sign in',
      heading: 'Sign in',
      intro: 'Open this link in the browser in which you wanted to sign in. It works once, for ten minutes.',
      button: 'Sign in',
      codeIntro: 'Or type this code there:',
      closing: 'You did not ask for this? Then you need not do anything. Give the code to nobody.',
    },
    invited: (organization) => ({
      subject: `Invitation from ${organization}`,
      heading: `${organization} invites you`,
      intro: `You can work on the invoices of ${organization}. The link works once, within seven days.`,
      button: 'See the invitation',
      codeIntro: '',
      closing: `You do not know ${organization}? Then you need not do anything.`,
    }),
  },
};
