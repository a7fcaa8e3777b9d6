import { plain } from '../pages/blocks';
import { show } from '../pages/visit';
import type { AddPart } from '../pages/workplace-routes';

/** The organisation and its profiles. */
export const settingsRoutes = (): AddPart => (part) =>
  part.get('/settings', (place, _request, response) => {
    const { t, organization } = place;
    const { details } = organization;
    const value = (text: string | undefined) => plain(text || t.none);
    show(response, place, {
      title: t.settings,
      sections: [
        {
          title: t.organization,
          facts: [
            [t.name, value(details?.name)],
            [
              t.address,
              value(
                [details?.addressLine1, details?.postalCode, details?.city, details?.countryCode]
                  .filter(Boolean)
                  .join(', '),
              ),
            ],
            [t.kvkNumber, value(details?.kvkNumber)],
            [t.btwId, value(details?.btwId)],
            [t.iban, value(details?.iban)],
            [t.email, value(details?.email)],
            [t.timezone, value(details?.timezone)],
          ],
        },
        {
          title: t.profiles,
          table: {
            caption: t.profiles,
            columns: [{ label: t.name }, { label: t.numberFormat }],
            rows: organization.profiles.map(({ name, numberFormat }) => [plain(name), plain(numberFormat || t.none)]),
            empty: t.none,
          },
        },
      ],
    });
  });
