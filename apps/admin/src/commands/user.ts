import { Option, type Command } from 'commander';
import { roles } from '@invoicing/rules';
import type { Member, Role } from '@invoicing/contracts/invoicing/application/v1/users';
import { enumOf, wordOf } from '../enum-names';
import { operatorCall } from '../platform';
import { verb } from '../verb';

interface InviteFlags extends Record<string, unknown> {
  org: string;
  email: string;
  role: string;
}

const shown = ({ role, ...member }: Member) => ({ ...member, role: wordOf('ROLE', role) });

/** `user invite|list|remove`: the people who sign in to the application. */
export function addUser(program: Command): void {
  const user = program.command('user').description('people who sign in to the application');

  verb<InviteFlags>(
    user,
    'invite',
    'let somebody in; prints the link that signs in once, within seven days',
    async (services, { org, email, role }) => {
      const asked = { organizationId: org, email, role: enumOf<Role>('ROLE', role) };
      const { member, signInUrl, expiresAt } = await services.users.inviteUser(asked, operatorCall());
      return { ...shown(member!), signInUrl, expiresAt };
    },
  )
    .requiredOption('--org <id>')
    .requiredOption('--email <address>')
    .addOption(new Option('--role <role>', 'what they may do').choices([...roles]).makeOptionMandatory());

  verb<{ org: string }>(user, 'list', 'who is in an organisation, or invited', async (services, { org }) => {
    const { members } = await services.users.listUsers({ organizationId: org }, operatorCall());
    return members.map(shown);
  }).requiredOption('--org <id>');

  verb<{ org?: string }>(user, 'remove <id>', 'takes a member out, at once', async (services, { org }, id) =>
    shown(await services.users.removeUser({ memberId: id!, organizationId: org }, operatorCall())),
  ).option('--org <id>', 'only if it is a member of this organisation');
}
