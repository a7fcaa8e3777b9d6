import { AppError, type Violation } from '@invoicing/errors';
import {
  SubmissionRejected,
  type AccessPoint,
  type AccessPointKind,
  type AccessPointReport,
  type AccessPointSettings,
} from '../access-point';
import { StorecoveError, storecoveClient, type OpenDispatcher, type StorecoveFault } from './storecove-client';
import { storecoveIdentifier } from './storecove-scheme';

const API_URL = 'https://api.storecove.com/api/v2';
const POLL_MS = 2_000;
// Of one round; what is left waits for the next.
const MOST_REPORTS = 100;

// Storecove's words for what became of a submission; others tell of what the recipient does with it later.
const OUTCOMES: Readonly<Partial<Record<string, AccessPointReport['outcome']>>> = {
  succeeded: 'delivered',
  failed: 'failed',
  no_action_taken: 'failed',
};

/** Storecove, https://www.storecove.com/docs, API v2. Its keys do not say what they are for: all are taken for real. */
export const storecoveKind = (dispatcher: OpenDispatcher): AccessPointKind => ({
  check: ({ apiKey, senderId }: AccessPointSettings): Violation[] => [
    ...(apiKey !== null && /^[\x21-\x7e]{16,200}$/.test(apiKey)
      ? []
      : [{ path: '/apiKey', message: 'must be a Storecove API key' }]),
    ...(senderId !== null && /^[1-9]\d{0,9}$/.test(senderId)
      ? []
      : [{ path: '/senderId', message: 'must be the number of a Storecove LegalEntity' }]),
  ],
  mode: 'live',
  open: ({ apiKey, senderId, baseUrl }) =>
    storecoveAccessPoint(
      { apiKey: apiKey ?? '', legalEntityId: Number(senderId), baseUrl: baseUrl ?? API_URL },
      dispatcher,
    ),
});

interface StorecoveAccount {
  readonly apiKey: string;
  readonly legalEntityId: number;
  readonly baseUrl: string;
}

/** What Storecove queues for us; `body` is JSON as text. */
interface WebhookInstance {
  readonly guid: string;
  readonly body: string;
}

/** The port on Storecove. Reports come from its queue of webhooks ("pull mode"), so no address of ours has to be reachable. */
export function storecoveAccessPoint(
  { apiKey, legalEntityId, baseUrl }: StorecoveAccount,
  dispatcher: OpenDispatcher,
): AccessPoint {
  const call = storecoveClient(apiKey, baseUrl, dispatcher);
  return {
    pollMs: POLL_MS,

    verify: async () => void (await call('GET', `/legal_entities/${legalEntityId}`)),

    receives: async (participant) => {
      const identifier = storecoveIdentifier(participant);
      if (!identifier) return false;
      const found = await call<{ code?: string }>('POST', '/discovery/receives', {
        documentTypes: ['invoice'],
        network: 'peppol',
        metaScheme: 'iso6523-actorid-upis',
        scheme: identifier.scheme,
        identifier: identifier.id,
      });
      return found?.code === 'OK';
    },

    submit: async ({ id, recipient, ubl }) => {
      const identifier = storecoveIdentifier(recipient);
      if (!identifier) throw new SubmissionRejected(`Storecove has no name for the scheme of ${recipient}`);
      try {
        const made = await call<{ guid?: string }>('POST', '/document_submissions', {
          legalEntityId,
          idempotencyGuid: id,
          routing: { eIdentifiers: [identifier] },
          document: {
            // Of credit notes, too: the document says which it is.
            documentType: 'invoice',
            rawDocumentData: { document: ubl.toString('base64'), parseStrategy: 'ubl' },
          },
        });
        if (made?.guid) return made.guid;
      } catch (error) {
        return repeatOrRejected(error);
      }
      throw new AppError('unavailable', 'provider_failed', 'Storecove took a document and told no guid');
    },

    progress: async (submissionId) => {
      const path = `/document_submissions/${encodeURIComponent(submissionId)}/evidence/sending`;
      try {
        const proof = await call<{ evidence?: { message_id?: string } }>('GET', path);
        return { state: 'delivered', messageId: proof?.evidence?.message_id ?? '' };
      } catch (error) {
        // There is none before the receiving access point has signed for it.
        if (error instanceof StorecoveError && error.status === 404) return { state: 'underway' };
        throw error;
      }
    },

    takeReports: async (take) => {
      for (let taken = 0; taken < MOST_REPORTS; taken++) {
        const next = await call<WebhookInstance>('GET', '/webhook_instances/');
        if (!next?.guid) return;
        const report = reportOf(next.body);
        if (report) await take(report);
        await call('DELETE', `/webhook_instances/${encodeURIComponent(next.guid)}`);
      }
    },
  };
}

/**
 * A second submission with the same idempotencyGuid is answered 422 and not processed: the first one was taken and its answer got lost.
 * Any other 422 is about the document.
 */
function repeatOrRejected(error: unknown): string {
  if (!(error instanceof StorecoveError) || error.status !== 422) throw error;
  const isRepeat = error.faults.some((fault) => /idempotency/i.test(textOf(fault)));
  if (isRepeat) return '';
  throw new SubmissionRejected(error.faults.map(textOf).join('; ') || error.message, { cause: error });
}

const textOf = ({ source, details }: StorecoveFault): string => [source, details].filter(Boolean).join(': ');

/** Undefined for what tells of something else than a submission. */
function reportOf(body: string): AccessPointReport | undefined {
  let told: Partial<Record<'event_type' | 'event' | 'guid' | 'idempotencyGuid' | 'details', unknown>>;
  try {
    told = JSON.parse(body) as typeof told;
  } catch {
    // Read again it would be the same.
    return undefined;
  }
  const text = (value: unknown): string => (typeof value === 'string' ? value : '');
  const deliveryId = text(told?.idempotencyGuid);
  if (told?.event_type !== 'document_submission' || deliveryId === '') return undefined;
  const outcome = OUTCOMES[text(told.event)] ?? 'underway';
  return { deliveryId, submissionId: text(told.guid), outcome, reason: text(told.details) };
}
