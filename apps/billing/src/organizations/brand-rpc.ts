import { BrandsService, type Brand } from '@invoicing/contracts/invoicing/billing/v1/brands';
import { notFoundError } from '@invoicing/errors';
import { bindService, type BoundService } from '@invoicing/rpc';
import type { Ports } from '../billing-ports';
import { sellerOf } from '../invoices/freeze-invoice';
import { toBrand } from './brand-proto';
import { getOrganization } from './manage-organizations';
import { profileOf } from './profile';

type BrandPorts = Pick<Ports, 'organizations' | 'invoices' | 'logos'>;

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
  const { name: profileName, logoId, ...style } = profile;
  const logo = await logoOf(ports, logoId);
  return toBrand({ ...style, profileName, logo }, sellerOf(organization), organization.mode === 'test');
}

async function brandOfDocument(ports: BrandPorts, organizationId: string, invoiceId: string): Promise<Brand> {
  const [issued, organization] = await Promise.all([
    ports.invoices.find(organizationId, invoiceId),
    ports.organizations.find(organizationId),
  ]);
  if (!issued) throw notFoundError('the invoice');
  const test = issued.test === true || organization?.mode === 'test';
  const { logoId, ...style } = issued.style;
  return toBrand({ ...style, logo: await logoOf(ports, logoId) }, issued.seller, test);
}

const logoOf = ({ logos }: BrandPorts, logoId: string | null) => (logoId === null ? null : logos.find(logoId));
