import { CommandError } from '../command-error';
import { type Doc } from '../bson/value';
import { checkFields } from './check-fields';
import { aliases, commandFields, commonFields } from './command-fields';

/** The name in the table of one that a client may use for it. */
export const canonicalName = (name: string): string => (Object.hasOwn(aliases, name) ? aliases[name]! : name);

/** Every name of a command. */
export function namesOf(name: string): string[] {
  const canonical = canonicalName(name);
  return [canonical, ...Object.keys(aliases).filter((alias) => aliases[alias] === canonical)];
}

/** Refuses a command whose fields are not those of its table. The first names it and is checked by the command. */
export function checkCommand(name: string, body: Doc): void {
  const fields = Object.hasOwn(commandFields, name) ? commandFields[name] : undefined;
  if (fields) checkFields(name, body, fields, commonFields, 1);
  const { apiVersion } = body;
  if (apiVersion === undefined && (body.apiStrict !== undefined || body.apiDeprecationErrors !== undefined))
    throw new CommandError('Location4886600', 'Provided apiStrict without passing apiVersion');
  if (apiVersion !== undefined && apiVersion !== '1')
    throw new CommandError('APIVersionError', 'API version must be "1"');
}
