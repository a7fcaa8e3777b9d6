import { actions, isRole, mayDo, roles } from './roles';

test('an owner may do everything, a viewer only look', () => {
  for (const action of actions) {
    expect({ action, owner: mayDo('owner', action) }).toEqual({ action, owner: true });
    if (mayDo('viewer', action)) expect(action).toMatch(/\.read$/);
  }
});

test('money that leaves, settings and people are not for everybody', () => {
  const may = (action: (typeof actions)[number]) => roles.filter((role) => mayDo(role, action));
  expect(may('refunds.create')).toEqual(['owner', 'bookkeeper']);
  expect(may('settings.write')).toEqual(['owner']);
  expect(may('people.manage')).toEqual(['owner']);
  expect(may('keys.manage')).toEqual(['owner', 'developer']);
});

test('a role is one of five', () => {
  expect(roles.every(isRole)).toBe(true);
  for (const name of ['admin', '', 'toString', undefined, 1]) expect(isRole(name)).toBe(false);
});
