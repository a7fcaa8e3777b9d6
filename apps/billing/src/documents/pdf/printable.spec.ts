import { printable } from './printable';

// A font of Latin letters, digits and the box.
const canDraw = (codePoint: number): boolean => (codePoint >= 32 && codePoint < 0x250) || codePoint === 0x25a1;

test.each([
  ['Café Łódź', 'Café Łódź'],
  ['Cafe\u0301', 'Café'],
  ['Feest 🎉 nu', 'Feest nu'],
  ['👩‍👩‍👧 gezin', ' gezin'],
  ['👍🏽', ''],
  ['שלום', '□□□□'],
  ['regel\r\nregel\u2028regel', 'regel\nregel\nregel'],
  ['\u202egnp.exe', 'gnp.exe'],
  ['\ud800half', 'half'],
  ['tab\tnul\u0000', 'tab nul'],
  ['© 2026', '© 2026'],
])('%j is printed as %j', (text, printed) => {
  expect(printable(text, canDraw)).toBe(printed);
});
