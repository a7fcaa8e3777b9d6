import { billingRoutes } from './billing-routes';
import { catalogRoutes } from './catalog-routes';
import { checkoutRoutes } from './checkout-routes';
import { gatewayRoutes } from './gateway-routes';
import { sandboxRoutes } from './sandbox-routes';
import { isOpen, type Operation, type Route } from './route';

/** Every operation of the API. Adding one is one row here, one schema, one call. */
export const routeTable: readonly Route[] = [
  ...billingRoutes,
  ...catalogRoutes,
  ...checkoutRoutes,
  ...sandboxRoutes,
  ...gatewayRoutes,
];

export const operations: readonly Operation[] = routeTable.filter((route): route is Operation => !isOpen(route));
