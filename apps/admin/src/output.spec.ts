import { print } from './output';

const said = (value: unknown, json = false): string => {
  const log = jest.spyOn(console, 'log').mockImplementation(() => undefined);
  try {
    print(value, json);
    return String(log.mock.calls[0]![0]);
  } finally {
    log.mockRestore();
  }
};

test('people read euros, programs cents', () => {
  const invoices = [{ number: '2026-0001', totalInclCents: 123_456, openCents: -5 }];
  const table = said(invoices);
  expect(table).toContain('€1,234.56');
  expect(table).toContain('-€0.05');
  expect(table).toContain('totalIncl ');
  expect(table).not.toContain('Cents');
  expect(said(invoices[0])).toMatch(/^totalIncl\s+€1,234\.56$/m);
  expect(JSON.parse(said(invoices, true))).toEqual(invoices);
});

test('where nobody looks there are no colours', () => {
  expect(said({ name: 'x' })).toBe('name  x');
});
