import { BankLineState, ListBankLinesRequest } from '@invoicing/contracts/invoicing/billing/v1/bank_statements';
import { onboardingSection, setUpOf } from '../onboarding/onboarding-view';
import { unlessAway } from '../pages/error-page';
import { show, type Workplace } from '../pages/visit';
import type { AddPart } from '../pages/workplace-routes';
import type { Peers } from '../peers-client';
import { homePage, type HomeFacts } from './home-view';

const MONTHS = 12;
const LOOKED_AT = 100;
const SHOWN = 5;
/** Whoever has more questions than this need not know how many. */
const QUESTIONS = 20;

/** What needs a person, and how the money went. */
export const homeRoutes =
  (peers: Peers): AddPart =>
  (part) =>
    part.get('', async (place, _request, response) =>
      show(response, place, homePage(place, await factsOf(peers, place))),
    );

/** One look at each service, all at once; who sends mail may be away without the page being so. */
async function factsOf(peers: Peers, place: Workplace): Promise<HomeFacts> {
  const { organizationId, may } = place;
  const call = (): ReturnType<Workplace['call']> => place.call();
  const [overview, mail, letters, peppol, webhooks, bank, setUp] = await Promise.all([
    peers.overviews.getOverview({ organizationId, months: MONTHS }, call()),
    may('messages.read')
      ? peers.mail.listMail({ organizationId, limit: LOOKED_AT }, call()).catch(unlessAway)
      : { messages: [] },
    may('messages.read') ? peers.letters.listLetters({ organizationId }, call()).catch(unlessAway) : { letters: [] },
    may('messages.read')
      ? peers.peppol.listDeliveries({ organizationId, limit: LOOKED_AT }, call()).catch(unlessAway)
      : { deliveries: [] },
    may('webhooks.manage')
      ? peers.webhooks.listEndpoints({ organizationId }, call()).catch(unlessAway)
      : { endpoints: [] },
    may('banking.write')
      ? peers.bankStatements.listBankLines(
          ListBankLinesRequest.fromPartial({ organizationId, state: BankLineState.QUESTION, limit: QUESTIONS }),
          call(),
        )
      : { lines: [] },
    setUpOf(peers, place),
  ]);
  const hasFailed = ({ status }: { readonly status: string }): boolean => status === 'failed';
  return {
    overview,
    failedMails: mail && latest(mail.messages).filter(hasFailed).slice(0, SHOWN),
    failedLetters: letters && latest(letters.letters).filter(hasFailed).slice(0, SHOWN),
    failedPeppol: peppol && latest(peppol.deliveries).filter(hasFailed).slice(0, SHOWN),
    failingWebhooks: webhooks?.endpoints.filter(({ disabledReason }) => ['failing', 'gone'].includes(disabledReason))
      .length,
    bankQuestions: 'cursor' in bank && bank.cursor !== undefined ? `${QUESTIONS}+` : String(bank.lines.length),
    onboarding: setUp && onboardingSection(place, { ...setUp, hasSent: overview.hasIssued }),
  };
}

/** Of each invoice the newest only: what was sent again since needs nobody. */
function latest<T extends { readonly invoiceId: string }>(newestFirst: readonly T[]): T[] {
  const seen = new Set<string>();
  return newestFirst.filter(({ invoiceId }) => invoiceId !== '' && !seen.has(invoiceId) && seen.add(invoiceId));
}
