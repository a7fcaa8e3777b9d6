import type { Request } from 'express';
import type { Customer } from '@invoicing/contracts/invoicing/catalog/v1/catalog';
import type { VatCheck } from '@invoicing/contracts/invoicing/vies/v1/vat_check';
import { plain, type Cell, type NoticeBlock, type SectionBlock } from '../pages/blocks';
import { moment } from '../pages/format';
import { submit } from '../pages/form-request';
import { idOf } from '../pages/list-request';
import { fill, type Texts } from '../pages/texts';
import { show, type Workplace } from '../pages/visit';
import type { AddPart } from '../pages/workplace-routes';
import type { Peers } from '../peers-client';

/** The VAT number of a customer is looked up at VIES; the answer stays as evidence. */
export const vatCheckRoutes =
  ({ vatChecks }: Peers): AddPart =>
  (part) =>
    part.post(
      '/customers/:id/vat-check',
      (place, request, response) => {
        const { t, at, organizationId, organization } = place;
        const customerId = idOf(request.params['id']);
        const back = at(`customers/${customerId}`);
        return submit(
          place,
          response,
          async () => {
            const requesterVatId = organization.details?.btwId ?? '';
            const { unavailable } = await vatChecks.checkVatId(
              { organizationId, customerId, requesterVatId },
              place.call(),
            );
            return `${back}?${unavailable === '' ? 'done=yes' : `vies=${unavailable}`}`;
          },
          ({ fields, notice }) => {
            const text = [...Object.values(fields), ...(notice ? [notice.text] : [])].join('; ');
            const page = { title: t.vies, back: { label: t.customer, href: back }, isNarrow: true, sections: [] };
            show(response, place, { ...page, notice: { tone: 'bad', title: t.wrongTitle, text } }, response.statusCode);
          },
        );
      },
      'customers.write',
    );

/** After VIES gave no answer: that nothing is known, and why. */
export function viesNotice(t: Texts, request: Request): NoticeBlock | undefined {
  const code = request.query['vies'];
  if (typeof code !== 'string' || !/^[A-Z_]{1,60}$/.test(code)) return undefined;
  return { tone: 'warning', title: t.viesAway, text: fill(t.viesAwayText, { code }) };
}

/** What VIES answered, as evidence. */
export const vatCheckFacts = (
  { t, language, timeZone }: Workplace,
  { valid, checkedAt, consultationNumber, name, address }: VatCheck,
): readonly (readonly [string, Cell])[] => [
  [t.vies, valid ? { text: t.viesValid, tone: 'good' } : { text: t.viesInvalid, tone: 'bad' }],
  [t.viesWhen, plain(moment(checkedAt, language, timeZone))],
  [t.viesNumber, plain(consultationNumber || t.none)],
  [t.viesName, plain([name, address].filter(Boolean).join(', ') || t.viesNotTold)],
];

/** The button that asks, and the whole answer. */
export const vatCheckSection = ({ t, at }: Workplace, { id, vatCheck }: Customer): SectionBlock => ({
  title: t.vies,
  text: t.viesText,
  ...(vatCheck && { code: vatCheck.raw }),
  forms: [{ action: at(`customers/${id}/vat-check`), submit: t.viesAsk, tone: '' }],
});
