/**
 * What a test organisation can have happen to a request, and to what it makes: the header `Test-Scenario` names one. The one list: the
 * gateway checks it, OpenAPI and docs/testing.md show it.
 */
export const testScenarios = {
  payment_declined: 'The bank declines every payment of the checkout that is made.',
  callback_lost: 'The provider never calls back about payments of the checkout: they are found by asking.',
  callback_twice: 'The provider calls back twice about each payment of the checkout: it is paid once.',
  smtp_down: 'The first attempt to e-mail the invoice finds the mail server down; it is tried again later.',
  webhook_500:
    'The first attempt of each webhook about the invoice or checkout ends as if your endpoint had answered 500.',
  slow_5s: 'The request is answered five seconds after it is done.',
  crash_after_commit:
    'What is asked for is made, and the connection ends without an answer. The same request again, with its Idempotency-Key, is answered.',
  store_unavailable: 'Answers 501 `unavailable`, as when the store cannot be reached; nothing is made.',
} as const satisfies Record<string, string>;

/** Its name, as the header `Test-Scenario` says it. */
export type TestScenario = keyof typeof testScenarios;

/** Whether a text names one. */
export const isTestScenario = (text: string): text is TestScenario => Object.hasOwn(testScenarios, text);
