import fc from 'fast-check';
import { roles, type Role } from '@invoicing/rules';
import { accept, changeRole, emptyTeam, invite, INVITE_MS, MAX_MEMBERS, remove, type Team } from './team';

const now = new Date('2026-01-01T00:00:00Z');
const until = new Date(now.getTime() + INVITE_MS);
const invited = (team: Team, name: string, role: string, hash = name) =>
  invite(team, { id: `m-${name}`, userId: `u-${name}`, email: `${name}@example.nl`, role }, { hash, until }, now);
const joined = (team: Team, name: string, role: Role): Team => accept(invited(team, name, role).team, name, now)!.team;

test('an invitation is accepted once, before it ends', () => {
  const { team } = invited(emptyTeam('org'), 'an', 'owner');
  expect(accept(team, 'other', now)).toBeUndefined();
  expect(accept(team, 'an', until)).toBeUndefined();
  const accepted = accept(team, 'an', now)!;
  expect(accepted.member).toMatchObject({ status: 'active', role: 'owner' });
  expect(accept(accepted.team, 'an', now)).toBeUndefined();
});

test('a new link ends the one before, and makes no second member', () => {
  const once = invited(emptyTeam('org'), 'an', 'viewer', 'first').team;
  const again = invited(once, 'an', 'sales', 'second').team;
  expect(again.members).toHaveLength(1);
  expect(accept(again, 'first', now)).toBeUndefined();
  expect(accept(again, 'second', now)!.member.role).toBe('sales');
});

test('an organisation that has an owner keeps one, whatever is done in whatever order', () =>
  fc.assert(
    fc.property(
      fc.array(
        fc.tuple(
          fc.constantFrom('invite', 'accept', 'role', 'remove'),
          fc.constantFrom('a', 'b', 'c'),
          fc.constantFrom(...roles),
        ),
        { maxLength: 30 },
      ),
      (steps) => {
        let team = joined(emptyTeam('org'), 'a', 'owner');
        for (const [what, name, role] of steps) {
          try {
            if (what === 'invite') team = invited(team, name, role).team;
            if (what === 'accept') team = accept(team, name, now)?.team ?? team;
            if (what === 'role') team = changeRole(team, `m-${name}`, role).team;
            if (what === 'remove') team = remove(team, `m-${name}`).team;
          } catch (error) {
            expect(['last_owner', 'not_found']).toContain((error as { code: string }).code);
          }
          expect(team.members.some((each) => each.role === 'owner' && each.status === 'active')).toBe(true);
        }
      },
    ),
  ));

test('what is no role is refused, and so is one person too many', () => {
  expect(() => invited(emptyTeam('org'), 'an', 'emperor')).toThrow('is not a role');
  let team = emptyTeam('org');
  for (let index = 0; index < MAX_MEMBERS; index++) team = invited(team, `p${index}`, 'viewer').team;
  expect(() => invited(team, 'another', 'viewer')).toThrow(`at most ${MAX_MEMBERS}`);
});
