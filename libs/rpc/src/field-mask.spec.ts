import { maskedFields } from './field-mask';

interface Address {
  readonly city?: string | undefined;
  readonly addressLine1?: string | undefined;
}
const FIELDS = ['city', 'addressLine1'] as const;
const given: Address = { city: 'Gouda' };

test('what the mask names is set or cleared, by either spelling; the rest is not there', () => {
  expect(maskedFields(given, ['address_line1'], FIELDS)).toStrictEqual({ addressLine1: undefined });
  expect(maskedFields(given, ['addressLine1', 'city'], FIELDS)).toStrictEqual({
    addressLine1: undefined,
    city: 'Gouda',
  });
});

test.each([[undefined], [[]], [['colour']], [['__proto__']]])('%j is no mask', (mask) => {
  expect(() => maskedFields(given, mask, FIELDS)).toThrow(
    expect.objectContaining({ details: [expect.objectContaining({ path: '/updateMask' })] }),
  );
});
