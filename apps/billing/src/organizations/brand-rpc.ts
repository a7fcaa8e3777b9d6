import { BrandsService, type Brand } from '@invoicing/contracts/invoicing/billing/v1/brands';
import { notFoundError } from '@invoicing/errors';
import { bindService, type BoundService } from '@invoicing/rpc';
import type { Ports } from '../billing-ports';
import { sellerOf } from '../invoices/freeze-invoice';
import type { Party } from '../invoices/invoice';
import { getOrganization } from './manage-organizations';
import { profileOf } from './profile';

type BrandPorts = Pick<Ports, 'organizations' | 'invoices' | 'logos'>;

/** House style as a document froze it. */
interface KeptStyle {
  readonly profileName: string;
  readonly accentColor: string;
  readonly footer: string;
  readonly logoId: string | null;
}

/** How a seller shows itself on the pages and in the e-mails of other services. */
export const brandsService = (ports: BrandPorts): BoundService =>
  bindService(
    BrandsService,
    {
      getBrand: ({ organizationId, profileId, invoiceId }) =>
        invoiceId === undefined
          ? brandOfProfile(ports, organizationId, profileId)
          : brandOfDocument(ports, organizationId, invoiceId),
    },
    { getBrand: { callers: ['checkout', 'notification'], action: 'settings.read' } },
  );

async function brandOfProfile(ports: BrandPorts, organizationId: string, profileId: string | undefined) {
  const organization = await getOrganization(ports, organizationId);
  const profile = profileOf(organization, profileId) ?? organization.profiles[0]!;
  const { name, ...style } = profile;
  const seller = sellerOf(organization);
  return brandMessage(ports, { profileName: name, ...style }, seller, organization.mode === 'test');
}

async function brandOfDocument(ports: BrandPorts, organizationId: string, invoiceId: string): Promise<Brand> {
  const [issued, organization] = await Promise.all([
    ports.invoices.find(organizationId, invoiceId),
    ports.organizations.find(organizationId),
  ]);
  if (!issued) throw notFoundError('the invoice');
  const test = issued.test === true || organization?.mode === 'test';
  return brandMessage(ports, issued.style, issued.seller, test);
}

async function brandMessage(
  { logos }: BrandPorts,
  { profileName, accentColor, footer, logoId }: KeptStyle,
  { name, kvkNumber, btwId, email, phone = '' }: Party,
  test: boolean,
): Promise<Brand> {
  const logo = logoId === null ? null : await logos.find(logoId);
  return {
    name: profileName || name,
    accentColor,
    footer,
    logo: logo ? Buffer.from(logo) : undefined,
    sellerName: name,
    ...{ kvkNumber, btwId, email, phone, test },
  };
}
