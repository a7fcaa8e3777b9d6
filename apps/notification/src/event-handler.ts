import type { Event } from '@invoicing/contracts/invoicing/events/v1/events';
import { isTestScenario, type TestScenario } from '@invoicing/rules';
import type { LetterSender } from './letters/letter-sender';
import type { InvoiceMailer } from './mail/invoice-mailer';
import type { PeppolSender } from './peppol/peppol-sender';
import type { TestEventStore } from './test-events/test-event-store';
import type { DeliveryRunner } from './webhooks/delivery-worker';
import type { EndpointStore } from './webhooks/endpoint-store';
import { webhookBody } from './webhooks/webhook-body';

export interface EventHandlerPorts {
  readonly mailer: Pick<InvoiceMailer, 'request'>;
  readonly letters: Pick<LetterSender, 'request'>;
  /** A message or letter waits to be sent. */
  readonly onDue: () => void;
  readonly peppol: Pick<PeppolSender, 'request'>;
  readonly endpoints: Pick<EndpointStore, 'subscribed'>;
  readonly runner: Pick<DeliveryRunner, 'deliver'>;
  readonly testEvents: Pick<TestEventStore, 'add'>;
  /** Whether an organisation is a test organisation. */
  readonly isTest: (organizationId: string) => boolean | Promise<boolean>;
}

/**
 * What notification does with an event: it only writes down what is to be done, each under an id that comes from the event or its
 * invoice, so that the same event again changes nothing. Workers do the rest.
 */
export const eventHandler =
  ({ mailer, letters, peppol, onDue, endpoints, runner, testEvents, isTest }: EventHandlerPorts) =>
  async (event: Event): Promise<void> => {
    const { id: eventId, type: eventType, organizationId, invoiceIssued } = event;
    const testScenario = scenarioOf(event);
    const isNoted =
      invoiceIssued?.email &&
      (await mailer.request({ organizationId, invoiceId: invoiceIssued.invoiceId }, testScenario));
    if (invoiceIssued?.post) await letters.request({ organizationId, invoiceId: invoiceIssued.invoiceId });
    if (invoiceIssued?.peppol)
      await peppol.request({ organizationId, invoiceId: invoiceIssued.invoiceId }, invoiceIssued.peppol === 'required');
    if (isNoted || invoiceIssued?.post || invoiceIssued?.peppol) onDue();
    const body = webhookBody(event);
    if (body === undefined) return;
    if (await isTest(organizationId)) await testEvents.add({ _id: eventId, organizationId, type: eventType, body });
    const subscribed = await endpoints.subscribed(organizationId, eventType);
    if (subscribed.length > 0) {
      const delivered = { eventId, eventType, organizationId, body, ...(testScenario && { testScenario }) };
      await runner.deliver(delivered, subscribed);
    }
  };

const scenarioOf = ({ testScenario = '' }: Event): TestScenario | undefined =>
  isTestScenario(testScenario) ? testScenario : undefined;
