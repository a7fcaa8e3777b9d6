import type { LetterCarrier, LetterProgress } from './letter-carrier';
import { pingenClient, type PingenOptions } from './pingen-client';

const POLL_MS = 15 * 60_000;

// Pingen's words for a letter that will not be posted; every other one is still on its way.
const ENDED = [
  'action_required',
  'unprintable',
  'invalid',
  'expired',
  'cancelled',
  'rejected',
  'undeliverable',
  'deleted',
];

/** Posts through Pingen (api.pingen.com, JSON:API, OAuth client credentials). The address is read from the PDF's window, left. */
export function pingenCarrier(options: PingenOptions): LetterCarrier {
  const { apiUrl, organisationId } = options;
  const { call, upload } = pingenClient(options);
  const letters = `${apiUrl}/organisations/${organisationId}/deliveries/letters`;

  return {
    pollMs: POLL_MS,

    submit: async ({ id, pdf, fileName }) => {
      const { data } = await call('GET', `${apiUrl}/file-upload`);
      const { url, url_signature: signature } = data.attributes;
      await upload(url!, pdf);
      const attributes = {
        file_original_name: fileName,
        file_url: url,
        file_url_signature: signature,
        address_position: 'left',
        auto_send: true,
        delivery_product: 'cheap',
        print_mode: 'simplex',
        print_spectrum: 'color',
      };
      // The key makes a repeat of this letter the same letter.
      const made = await call('POST', letters, { data: { type: 'letters', attributes } }, { 'idempotency-key': id });
      return made.data.id;
    },

    progress: async (carrierId): Promise<LetterProgress> => {
      const { data } = await call('GET', `${letters}/${encodeURIComponent(carrierId)}`);
      const status = data.attributes['status'] ?? '';
      if (status === 'sent') return 'sent';
      return ENDED.includes(status) ? 'rejected' : 'underway';
    },
  };
}
