import { redactAnswer } from './redact-answer';

test('what is said of a person goes, wherever it stands; ids, amounts and the country stay', () => {
  const answer = {
    data: {
      id: '0b8f0f6e-5a0e-4a6e-9d0e-3c8a4c1d2e3f',
      name: 'Sanne de Wit',
      email: null,
      countryCode: 'NL',
      totalIncl: 12_100,
      buyer: { companyName: 'De Wit', addressLine1: 'Kerkstraat 1', externalId: '' },
    },
  };
  expect(JSON.parse(redactAnswer(JSON.stringify(answer)))).toEqual({
    data: {
      ...answer.data,
      name: 'erased',
      buyer: { companyName: 'erased', addressLine1: 'erased', externalId: 'erased' },
    },
  });
});
