import { Type } from '@sinclair/typebox';
import { object, oneOf } from './fields';

const check = (what: string) => oneOf(['ok', 'down'], what, 'ok');

export const health = object(
  'Health',
  {
    status: oneOf(['ok', 'degraded'], '`ok` when every check is.', 'ok'),
    checks: object(
      'HealthChecks',
      {
        app: check('This application.'),
        auth: check('The store of API keys.'),
        database: check("The gateway's database."),
        events: check('The event broker.'),
        services: object(
          'ServiceChecks',
          {
            billing: check('Invoices, subscriptions, credits.'),
            catalog: check('Customers and products.'),
            checkout: check('Hosted checkouts.'),
            notification: check('E-mail, letters, webhooks.'),
            application: check('The pages that people sign in to.'),
          },
          'Each service behind the gateway.',
        ),
      },
      'One answer a part.',
    ),
    version: Type.String({ description: 'Version of the application.', examples: ['1.0.0'] }),
  },
  'Health of the application and its parts.',
);
